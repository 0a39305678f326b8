import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ColourScheme } from '@sparechange/domain/tenant-colours';
import { tenantStyle } from '@sparechange/domain/tenant-colours';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { NotFound } from '#errors.ts';
import { escapeHtml } from '#html.ts';
import type { Tenant } from '#tenants/load-tenants.ts';
import { documentHeaders } from './security-headers.ts';

interface PreviewDeps {
  webFolder: string;
  /** The page of the built web app. */
  index: string;
  draftOf: (id: string) => Promise<Tenant | undefined>;
  drawScreen: (request: FastifyRequest, tenant: Tenant, path: string) => Promise<string>;
}

/** Nothing on the page runs, sends or links; the console's own host may frame it. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-same-origin',
  ].join('; ');

/** Rewrites a style sheet for day or night, regardless of the browser's preference. */
const inScheme = (css: string, scheme: ColourScheme): string =>
  css
    .replaceAll(/screen and \(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? 'all' : 'not all')
    .replaceAll(/color-scheme: ?light dark/g, `color-scheme:${scheme}`);

const schemes = ['light', 'dark'] as const;
const schemeOf = (name: string): ColourScheme => {
  const scheme = schemes.find((each) => each === name);
  if (!scheme) throw new NotFound('The preview');
  return scheme;
};

/** The screens that the server draws for everybody. */
const paths = ['/', '/clubs'];

/** Serves the supporters' pages in the look of a draft, without their scripts, to be framed by the console. */
export function brandPreviewRoutes(app: FastifyInstance, { webFolder, index, draftOf, drawScreen }: PreviewDeps): void {
  const styles = [...index.matchAll(/\/assets\/([\w-]+\.css)/g)].map(([, name = '']) => name);

  app.get<{ Params: { scheme: string } }>('/console/preview-style/:scheme', async ({ params }, reply) => {
    const scheme = schemeOf(params.scheme);
    const sheets = await Promise.all(styles.map((name) => readFile(join(webFolder, 'assets', name), 'utf8')));
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(inScheme(sheets.join('\n'), scheme));
  });

  app.get<{ Params: { id: string; scheme: string }; Querystring: { path?: string } }>(
    '/console/preview/:id/:scheme',
    { config: { needsNoDatabase: false } },
    async (request, reply) => {
      const scheme = schemeOf(request.params.scheme);
      const id = z.uuid().safeParse(request.params.id).data;
      const tenant = id && (await draftOf(id));
      const path = paths.find((each) => each === request.query.path);
      if (!tenant || !path) throw new NotFound('The preview');
      const screen =
        (await drawScreen(request, tenant, path)) || '<p>Supporters of this brand do not choose a club.</p>';
      const nonce = randomBytes(16).toString('base64');
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          ...documentHeaders,
          'content-security-policy': policy(nonce),
          'x-frame-options': 'SAMEORIGIN',
          'cache-control': 'no-store',
        })
        .send(`<!doctype html>
<html lang="en-AU">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(tenant.name)}</title>
    <link rel="stylesheet" href="/console/preview-style/${scheme}">
    <style nonce="${nonce}">${inScheme(tenantStyle(tenant), scheme)} #root > p { padding: 24px }</style>
  </head>
  <body><div id="root">${screen}</div></body>
</html>`);
    },
  );
}
