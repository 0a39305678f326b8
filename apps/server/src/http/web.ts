import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type BrowserConfig, type Landings, type ListedClub, TenantSettings } from '@sparechange/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NotFound } from '#errors.ts';
import type { GivenPictures } from '#tenants/given-pictures.ts';
import { type Tenant, type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import type { TenantFiles } from '#tenants/tenant-files.ts';
import { tenantKeyOf } from '#tenants/tenant-site.ts';
import { brandPreviewRoutes } from './brand-preview.ts';
import { clubWidget } from './club-widget.ts';
import { compressAnswers } from './compress-answers.ts';
import { crawlerRoutes } from './crawler-routes.ts';
import { serveWithoutDatabase } from './database-watch.ts';
import { pageHead } from './page-head.ts';
import { type AllowedHosts, asFramedAnywhere, asPage, asPartOfPage, asPicture, pagePolicy } from './page-policy.ts';
import type { RateLimits } from './rate-limit.ts';
import { mayBeScreen, slugOfPath } from './screen-paths.ts';
import { sharePictureRoutes } from './share-pictures.ts';
import { manifestRoute } from './web-manifest.ts';
import { wellKnownRoutes } from './well-known.ts';

export interface WebDeps {
  /** The built web app. */
  webFolder: string;
  tenantsFolder: string;
  files: TenantFiles;
  tenants: Tenants;
  /** Browsers' configuration; with embedded identity `selfHostedUrl` is the page's origin. */
  browserConfig: BrowserConfig;
  embedsIdentity: boolean;
  /** Returns whether pages may name an origin; callers choose it. */
  isOurs: (origin: URL) => boolean;
  allowedHosts: () => AllowedHosts;
  /** The public pages of a brand's address; undefined while they cannot be read. */
  landingsAt: (tenant: Tenant, slug?: string) => Promise<Landings | undefined>;
  givenPictures: GivenPictures;
  /** Public keys as PEM. */
  dossierKeys: string;
  limits: RateLimits;
  /** The link that replaced a club's former one. */
  movedTo: (slug: string) => Promise<string | undefined>;
  renderPage: RenderPage;
  /** A brand being edited, while it is kept. */
  draftOf: (id: string) => Promise<Tenant | undefined>;
  siteOf: (tenantKey: string) => URL;
  addressesOf: (tenant: Tenant) => Promise<string[]>;
  /** The first clubs that a brand lets choose from. */
  choiceOf: (tenant: Tenant) => Promise<ListedClub[] | undefined>;
}

/** The facts that a page starts from; the browser reads them from the document. */
interface PageStart {
  config: BrowserConfig;
  tenantKey: string;
  settings: TenantSettings;
  landings?: Landings | undefined;
  clubs?: ListedClub[] | undefined;
}

/** Returns a path's page as HTML where the server writes it, else nothing (apps/web/src/server.tsx). */
export type RenderPage = (start: PageStart & { isFallbackBrand: boolean }, path: string) => string;

/** JSON inside a script element: no `<` may end it early. */
const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A club's site shows figures that are counted once a day. */
const widgetSeconds = 600;

/** Files are known again by their tag; a time and ranges beside it are bytes on every answer of a first visit. */
const byTagAlone = { lastModified: false, acceptRanges: false };

/** Paths on which a club is chosen. */
const choices = new Set(['/clubs', '/register']);

interface Page {
  html: string;
  status: 200 | 404;
}

/** Paths of calls: unserved ones are not found, never pages. */
const noPage =
  /^\/(api|assets|share|tenants|webhooks|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com|\.well-known)(\/|$)/;

/** Files for which browsers and crawlers would mistake a page. */
const isFile = /\.[a-z0-9]{2,11}$/i;

const mediaTypes: Record<string, string> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg' };

/** Serves the web app, its settings and the tenants' files; every other path is the app's to answer. */
export async function serveWeb(server: FastifyInstance, deps: WebDeps): Promise<void> {
  const { webFolder, tenantsFolder, tenants } = deps;
  const indexFile = join(webFolder, 'index.html');
  if (!existsSync(indexFile)) throw new Error(`The web app is not built: ${indexFile} is missing.`);
  const index = await readFile(indexFile, 'utf8');

  /** The origin a request came to; one that is not ours is left for the browser to fill in. */
  const ownOrigin = ({ protocol, host }: FastifyRequest): string => {
    const origin = URL.parse(`${protocol}://${host}`);
    return origin && deps.isOurs(origin) ? origin.origin : '/';
  };
  const configFor = (request: FastifyRequest): BrowserConfig => {
    const selfHostedUrl = deps.embedsIdentity ? ownOrigin(request) : null;
    return { ...deps.browserConfig, identity: { ...deps.browserConfig.identity, selfHostedUrl } };
  };

  const tenantAt = (request: FastifyRequest) => {
    const key = tenantKeyOf(request.hostname, deps.browserConfig.tenantRule, deps.browserConfig.productDomain);
    return { key, tenant: tenantOrDefault(tenants, key) };
  };

  const startOf = async (request: FastifyRequest, tenant: Tenant, path: string) => ({
    config: configFor(request),
    tenantKey: tenant.key,
    settings: TenantSettings.parse(tenant),
    landings: await deps.landingsAt(tenant, slugOfPath(path)),
    clubs: choices.has(path) ? await deps.choiceOf(tenant) : undefined,
  });

  const pageFor = async (request: FastifyRequest, path: string, nonce: string): Promise<Page> => {
    const { key, tenant } = tenantAt(request);
    const start = await startOf(request, tenant, path);
    const { config, landings } = start;
    // The browser of an unknown host says that its brand is missing, which the server does not write.
    const screen = tenants.byKey(key) ? deps.renderPage({ ...start, isFallbackBrand: false }, path) : '';
    const status = mayBeScreen(path) && landings?.club?.landing !== null ? 200 : 404;
    const head = [
      ...pageHead({
        tenant,
        mainTenant: config.mainTenant,
        path,
        landings,
        status,
        site: deps.siteOf(tenant.key),
        nonce,
      }),
      `<script type="application/json" id="start">${inlineJson(start)}</script>`,
    ];
    const html = index
      .replace('<!--tenant-->', () => head.join('\n    '))
      .replace('<div id="root"></div>', () => `<div id="root">${screen}</div>`)
      .replaceAll('__NONCE__', nonce);
    return { html, status };
  };

  await server.register(async (app) => {
    app.addHook('onRequest', async (_request, reply) => void asPage(reply, pagePolicy(deps.allowedHosts())));
    compressAnswers(app, () => true);
    serveWithoutDatabase(app);

    app.get('/config.json', async (request, reply) =>
      reply.header('cache-control', 'no-cache').send(configFor(request)),
    );

    app.get<{ Params: { file: string } }>('/tenants/:file', async (request, reply) => {
      const { file } = request.params;
      if (file === 'redirects.json') return reply.header('cache-control', 'no-cache').send(tenants.redirects());
      const tenant = tenants.byKey(file.replace(/\.json$/, ''));
      if (!tenant || !file.endsWith('.json')) throw new NotFound('The tenant');
      return reply.header('cache-control', 'no-cache').send(TenantSettings.parse(tenant));
    });

    crawlerRoutes(app, { addressesAt: (request) => deps.addressesOf(tenantAt(request).tenant) });
    manifestRoute(app, { tenantAt: (request) => tenantAt(request).tenant });
    sharePictureRoutes(app, deps);
    brandPreviewRoutes(app, {
      ...deps,
      index,
      drawScreen: async (request, tenant, path) =>
        deps.renderPage({ ...(await startOf(request, tenant, path)), isFallbackBrand: false }, path),
    });
    const { browserConfig, dossierKeys } = deps;
    wellKnownRoutes(app, { productDomain: browserConfig.productDomain, dossierKeys });

    app.get<{ Params: { slug: string } }>('/widget/:slug', async (request, reply) => {
      const slug = slugOfPath(`/${request.params.slug}`);
      const moved = slug && (await deps.movedTo(slug));
      if (moved) return reply.redirect(`/widget/${moved}`, 302);
      const { tenant } = tenantAt(request);
      const landings = slug === undefined ? undefined : await deps.landingsAt(tenant, slug);
      const landing = landings?.club?.landing ?? undefined;
      const address = landings?.address ?? deps.siteOf(tenant.key).href;
      const { html, policy } = clubWidget({
        tenant,
        page: landing?.page,
        hasEnded: landing?.hasEnded ?? false,
        address,
      });
      return asFramedAnywhere(reply, policy)
        .status(landing ? 200 : slug !== undefined && landings === undefined ? 503 : 404)
        .type('text/html; charset=utf-8')
        .header('cache-control', landing ? `public, max-age=${widgetSeconds}` : 'no-store')
        .send(html);
    });

    for (const folder of ['logos', 'pictures'] as const) {
      await app.register(fastifyStatic, {
        root: join(tenantsFolder, folder),
        prefix: `/tenants/${folder}/`,
        wildcard: false,
        decorateReply: false,
        maxAge: '1h',
        ...byTagAlone,
        setHeaders: (reply) => asPicture(reply),
      });
      app.get<{ Params: { name: string } }>(`/tenants/${folder}/:name`, async (request, reply) => {
        const { name } = request.params;
        const content = await deps.files.read(folder, name); // uploads; files have routes of their own
        if (!content) throw new NotFound('The picture');
        const etag = `"${name}"`; // which names the content
        asPicture(reply).headers({ 'cache-control': 'public, max-age=31536000, immutable', etag });
        if (request.headers['if-none-match'] === etag) return reply.code(304).send();
        return reply.type(mediaTypes[extname(name)] ?? 'application/octet-stream').send(content);
      });
    }
    await app.register(fastifyStatic, {
      root: webFolder,
      prefix: '/',
      index: false,
      wildcard: false,
      globIgnore: ['index.html', 'server/**', '**/*.{br,gz}'],
      preCompressed: true, // after the build, by scripts/compress.mjs
      decorateReply: false,
      ...byTagAlone,
      setHeaders: (reply, path) => {
        if (path.startsWith(join(webFolder, 'assets'))) asPartOfPage(reply);
        else reply.header('cache-control', 'no-cache');
      },
    });

    app.get('/*', async (request, reply) => {
      const path = request.url.split('?')[0] ?? '';
      if (noPage.test(path) || (!mayBeScreen(path) && isFile.test(path))) return reply.callNotFound();
      const slug = slugOfPath(path);
      const moved = slug && (await deps.movedTo(slug));
      if (moved) return reply.redirect(request.url.replace(/^\/[^/?]+/, `/${moved}`), 302);
      const nonce = randomBytes(16).toString('base64');
      const { html, status } = await pageFor(request, path, nonce);
      return asPage(reply, pagePolicy(deps.allowedHosts(), nonce))
        .status(status)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(html);
    });
  });
}
