import { createHash } from 'node:crypto';
import { operations } from '@sparechange/contract';
import { openApi } from '@sparechange/contract/openapi';
import { programOperations } from '@sparechange/contract/programs';
import type { FastifyInstance } from 'fastify';
import { withoutDatabase } from './database-watch.ts';
import { docsPage, docsStyle } from './docs-page.ts';
import { documentHeaders } from './security-headers.ts';

/** Publishes the API's descriptions: /api/openapi.json and /api/v1/openapi.json for programs, /api/docs for people. */
export function describeApi(app: FastifyInstance): void {
  const documents = {
    '/api/openapi.json': operations,
    '/api/v1/openapi.json': Object.values(programOperations),
  };
  let page: string | undefined;
  const style = createHash('sha256').update(docsStyle).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

  for (const [path, described] of Object.entries(documents)) {
    let document: ReturnType<typeof openApi> | undefined;
    app.get(path, withoutDatabase, async (_request, reply) => {
      document ??= openApi(described);
      return reply.header('cache-control', 'no-cache').send(document);
    });
  }
  app.get('/api/docs', withoutDatabase, async (_request, reply) => {
    page ??= docsPage(operations);
    return reply
      .type('text/html; charset=utf-8')
      .headers({ ...documentHeaders, 'cache-control': 'no-cache', 'content-security-policy': policy })
      .send(page);
  });
}
