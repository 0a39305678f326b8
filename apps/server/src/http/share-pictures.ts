import { createHash } from 'node:crypto';
import type { Landings } from '@sparechange/contract';
import { cents, formatCents } from '@sparechange/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { drawPng, iconSvg, mailLogoSvg, shareSvg } from '#documents/share-picture.ts';
import { NotFound } from '#errors.ts';
import { problemsOfLogo } from '#tenants/check-logo.ts';
import type { GivenPictures } from '#tenants/given-pictures.ts';
import type { Tenant, Tenants } from '#tenants/load-tenants.ts';
import type { TenantFiles } from '#tenants/tenant-files.ts';

interface PictureDeps {
  files: TenantFiles;
  tenants: Tenants;
  landingsAt: (tenant: Tenant, slug?: string) => Promise<Landings | undefined>;
  givenPictures: GivenPictures;
}

/** Icons as phones ask for them: whole, or to be cut to any shape around the middle. */
const iconName = /^icon-(maskable-)?(180|192|512)$/;

/** Asks for a club's picture with an amount. */
const Given = z.object({ given: z.string(), proof: z.string() });

interface PictureRoute {
  Params: { tenant: string; name: string };
  Querystring: Record<string, unknown>;
}

const maxKept = 200;

/** Serves the pictures that shared links show, and the icons of brands, drawn once and kept. */
export function sharePictureRoutes(app: FastifyInstance, deps: PictureDeps): void {
  const { files, tenants, landingsAt, givenPictures } = deps;
  const kept = new Map<string, Promise<Buffer>>();

  const draw = (svg: string): Promise<Buffer> => {
    const name = createHash('sha256').update(svg).digest('base64url');
    const known = kept.get(name);
    if (known) return known;
    for (const oldest of kept.keys()) {
      if (kept.size < maxKept) break;
      kept.delete(oldest);
    }
    const drawn = drawPng(svg);
    kept.set(name, drawn);
    drawn.catch(() => kept.delete(name));
    return drawn;
  };
  const send = async (reply: FastifyReply, svg: string, keeper: 'public' | 'private' = 'public') =>
    reply
      .type('image/png')
      .headers({ 'cache-control': `${keeper}, max-age=60`, 'cross-origin-resource-policy': 'cross-origin' })
      .send(await draw(svg));

  app.get<PictureRoute>('/share/:tenant/:name.png', async (request, reply) => {
    const tenant = tenants.byKey(request.params.tenant);
    const { name } = request.params;
    if (!tenant) throw new NotFound('The picture');
    const [isIcon, maskable, size] = iconName.exec(name) ?? [];
    if (isIcon) {
      const mark = await files.readLogo(tenant.logoURLDashboard);
      if (mark === undefined || problemsOfLogo(mark, 'mark').length > 0) throw new NotFound('The icon');
      return send(reply, iconSvg(mark, Number(size), maskable ? 'maskable' : 'any'));
    }
    if (name === 'mail-logo') {
      const logo = await files.readLogo(tenant.logoURL);
      if (logo === undefined || problemsOfLogo(logo, 'wide').length > 0) throw new NotFound('The logo');
      return send(reply, mailLogoSvg(logo));
    }
    const slug = name === 'brand' ? undefined : name.replace(/^club-/, '');
    const landings = await landingsAt(tenant, slug);
    const landing = slug === undefined ? landings?.brand : landings?.club?.landing;
    if (!landing) throw new NotFound('The picture');
    const { page, clubId } = landing;
    const given = Given.safeParse(request.query).data;
    if ('given' in request.query && !(clubId && given && givenPictures.isOurs(clubId, given.given, given.proof)))
      throw new NotFound('The picture');
    const place = [page.suburb, page.sport].filter((part) => part !== null).join(' · ');
    const look = {
      theme: tenant.theme,
      logo: await files.readLogo(tenant.logoURL),
      mark: await files.readLogo(page.logoURL),
    };
    if (given) {
      const title = `I have given ${formatCents(cents(Number(given.given)))}`;
      return send(reply, shareSvg({ ...look, title, subtitle: `to ${page.name}` }), 'private');
    }
    const ofBrand = { title: tenant.biline.primary, subtitle: [tenant.name, place].filter(Boolean).join(' · ') };
    const ofClub = { title: page.name, subtitle: place };
    return send(reply, shareSvg({ ...look, ...(slug === undefined ? ofBrand : ofClub) }));
  });
}
