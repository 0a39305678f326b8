import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { compressAnswers } from './compress-answers.ts';
import { serveWithoutDatabase } from './database-watch.ts';
import { asPartOfPage } from './page-policy.ts';
import { documentHeaders } from './security-headers.ts';

/** Lets the console's pages load their own files and call their own server, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'", // previews of brands
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Serves the built console below /console, the same page at every path: the console's router knows them. */
export async function serveConsolePages(server: FastifyInstance, folder: string): Promise<void> {
  const indexFile = join(folder, 'index.html');
  if (!existsSync(indexFile)) throw new Error(`The console is not built: ${indexFile} is missing.`);
  const index = await readFile(indexFile, 'utf8');
  await server.register(async (app) => {
    compressAnswers(app, () => true);
    serveWithoutDatabase(app);
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/console/assets/',
      wildcard: false,
      globIgnore: ['**/*.{br,gz}'],
      preCompressed: true, // after the build
      decorateReply: false,
      setHeaders: asPartOfPage,
    });
    for (const path of ['/console', '/console/*'])
      app.get(path, async (request, reply) => {
        if (/^\/console\/(api|assets)(\/|$)/.test(request.url)) return reply.callNotFound();
        return reply
          .headers({ ...documentHeaders, 'content-security-policy': policy, 'cache-control': 'no-cache' })
          .type('text/html; charset=utf-8')
          .send(index);
      });
  });
}
