import { createHash } from 'node:crypto';
import type { Landings } from '@sparechange/contract';
import { cents, formatCents } from '@sparechange/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { drawPng } from '#documents/draw-picture.ts';
import { qrCodeSvg } from '#documents/qr-code.ts';
import { recentFailures } from '#documents/recent-failures.ts';
import { clubMailLogoSvg, clubPicture, iconSvg, mailLogoSvg, shareSvg } from '#documents/share-picture.ts';
import { NotFound, Refusal } from '#errors.ts';
import { isTrustedLogo } from '#tenants/check-logo.ts';
import type { GivenPictures } from '#tenants/given-pictures.ts';
import type { Tenant, Tenants } from '#tenants/load-tenants.ts';
import type { TenantFiles } from '#tenants/tenant-files.ts';
import { byNetwork, refuseTooMany } from './call-limits.ts';
import type { RateLimits } from './rate-limit.ts';

interface PictureDeps {
  limits: RateLimits;
  /** Draws an SVG as PNG; a test has its own. */
  draw?: typeof drawPng;
  files: TenantFiles;
  tenants: Tenants;
  landingsAt: (tenant: Tenant, slug?: string) => Promise<Landings | undefined>;
  givenPictures: GivenPictures;
}

/** Icons as phones ask for them: whole, or to be cut to any shape around the middle. */
const iconName = /^icon-(maskable-)?(180|192|512)$/;

/** The brand's logo in emails, alone or beside the mark of the club with that slug. */
const mailLogoName = /^mail-logo(?:-(.+))?$/;

/** Asks for a club's picture with an amount. */
const Given = z.object({ given: z.string(), proof: z.string() });

interface PictureRoute {
  Params: { tenant: string; name: string };
  Querystring: Record<string, unknown>;
}

const maxKept = 200;

/** Generous, as emails and schools are read through one address. */
const anyPicture = byNetwork({ name: 'picture', limit: { burst: 600, everySeconds: 0.2, lease: 20 } });
/** Less than may wait for drawing: one network never blocks the others. */
const newPicture = byNetwork({ name: 'draw picture', limit: { burst: 20, everySeconds: 1, lease: 1 } });

/** Serves the pictures that shared links show, and the icons of brands, drawn once and kept. */
export function sharePictureRoutes(app: FastifyInstance, deps: PictureDeps): void {
  const { files, tenants, landingsAt, givenPictures, limits, draw = drawPng } = deps;
  const failing = recentFailures();
  const kept = new Map<string, Promise<Buffer>>();

  const known = (name: string): Promise<Buffer> | undefined => {
    const drawn = kept.get(name);
    if (!drawn) return undefined;
    kept.delete(name);
    kept.set(name, drawn); // the least recently requested comes first
    return drawn;
  };
  const drawOnce = async (request: FastifyRequest, svg: string): Promise<Buffer> => {
    const name = createHash('sha256').update(svg).digest('base64url');
    const before = known(name);
    if (before) return before;
    await refuseTooMany(limits, newPicture, { request, supporterId: undefined, input: undefined });
    const asked = known(name);
    if (asked) return asked;
    for (const oldest of kept.keys()) {
      if (kept.size < maxKept) break;
      kept.delete(oldest);
    }
    const drawn = draw(svg);
    kept.set(name, drawn);
    drawn.catch(() => kept.delete(name));
    return drawn;
  };
  /** Draws a picture, or for some minutes another one in its place where it cannot be drawn. */
  const drawOr = async (request: FastifyRequest, svg: string, plain: string | undefined): Promise<Buffer> => {
    if (!failing.has(svg))
      try {
        return await drawOnce(request, svg);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        failing.add(svg);
        app.log.warn({ err: error }, 'a logo cannot be drawn');
      }
    if (plain === undefined) throw new NotFound('The picture');
    return drawOnce(request, plain);
  };
  interface Sent {
    svg: string;
    /** Drawn where the logo cannot be. */
    plain?: string;
    keeper?: 'public' | 'private';
  }
  const send = async (request: FastifyRequest, reply: FastifyReply, { svg, plain, keeper = 'public' }: Sent) => {
    const picture = await drawOr(request, svg, plain);
    return reply
      .type('image/png')
      .headers({ 'cache-control': `${keeper}, max-age=60`, 'cross-origin-resource-policy': 'cross-origin' })
      .send(picture);
  };

  app.get<PictureRoute>('/share/:tenant/:name.png', async (request, reply) => {
    await refuseTooMany(limits, anyPicture, { request, supporterId: undefined, input: undefined });
    const tenant = tenants.byKey(request.params.tenant);
    const { name } = request.params;
    if (!tenant) throw new NotFound('The picture');
    const [isIcon, maskable, size] = iconName.exec(name) ?? [];
    if (isIcon) {
      const mark = await files.readLogo(tenant.logoURLDashboard);
      if (mark === undefined || !isTrustedLogo(mark, 'mark')) throw new NotFound('The icon');
      return send(request, reply, { svg: iconSvg(mark, Number(size), maskable ? 'maskable' : 'any') });
    }
    const [isMailLogo, mailedSlug] = mailLogoName.exec(name) ?? [];
    if (isMailLogo) {
      const logo = await files.readLogo(tenant.logoURL);
      if (logo === undefined || !isTrustedLogo(logo, 'wide')) throw new NotFound('The logo');
      const page = mailedSlug && (await landingsAt(tenant, mailedSlug))?.club?.landing?.page;
      const plain = mailLogoSvg(logo);
      if (!page) return send(request, reply, { svg: plain });
      const mark = await files.readLogo(page.logoURL);
      return send(request, reply, { svg: clubMailLogoSvg({ logo, mark, club: page.name }), plain });
    }
    const slug = name === 'brand' ? undefined : name.replace(/^(club|qr)-/, '');
    const landings = await landingsAt(tenant, slug);
    if (name.startsWith('qr-') && landings?.club?.landing)
      return send(request, reply, { svg: qrCodeSvg(landings.address, 8) });
    const landing = slug === undefined ? landings?.brand : landings?.club?.landing;
    if (!landing) throw new NotFound('The picture');
    const { page, clubId } = landing;
    const given = Given.safeParse(request.query).data;
    if ('given' in request.query && !(clubId && given && givenPictures.isOurs(clubId, given.given, given.proof)))
      throw new NotFound('The picture');
    const { theme, logoURL } = tenant;
    const ofClub = await clubPicture({ theme, logoURL, readLogo: files.readLogo, club: page });
    const written = { theme, logo: undefined };
    if (given) {
      const title = `I have given ${formatCents(cents(Number(given.given)))}`;
      const words = { title, subtitle: `to ${page.name}` };
      return send(request, reply, {
        svg: shareSvg({ ...ofClub, ...words }),
        plain: shareSvg({ ...written, ...words }),
        keeper: 'private',
      });
    }
    const ofBrand = {
      title: tenant.biline.primary,
      subtitle: [tenant.name, ofClub.subtitle].filter(Boolean).join(' · '),
    };
    const picture = slug === undefined ? { ...ofClub, club: undefined, ...ofBrand } : ofClub;
    return send(request, reply, {
      svg: shareSvg(picture),
      plain: shareSvg({ ...picture, logo: undefined, mark: undefined }),
    });
  });
}
