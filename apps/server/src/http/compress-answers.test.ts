import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { acceptedEncoding, compressAnswers } from './compress-answers.ts';

const page = `<!doctype html><p>${'spare change '.repeat(200)}</p>`;

function anApp() {
  const app = fastify();
  compressAnswers(app, (route) => route !== '/secret');
  app.get('/page', (_request, reply) => reply.type('text/html').send(page));
  app.get('/secret', (_request, reply) => reply.type('text/html').send(page));
  app.get('/short', (_request, reply) => reply.type('text/html').send('<p>short</p>'));
  app.get('/json', async () => ({ words: page }));
  app.get('/logo', (_request, reply) => reply.type('image/svg+xml').send(Readable.from([Buffer.from(page)])));
  app.get('/photo', (_request, reply) => reply.type('image/png').send(Buffer.alloc(5_000)));
  return app;
}

const get = (url: string, encoding?: string) =>
  anApp().inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['deflate', undefined],
  ['', undefined],
  [undefined, undefined],
])('of "%s" we take %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});

test.each(['/page', '/json', '/logo'])(
  '%s travels compressed, and tells caches by which header it varies',
  async (url) => {
    const plain = await get(url);
    const brotli = await get(url, 'gzip, br');
    const gzipped = await get(url, 'gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    for (const answer of [plain, brotli, gzipped]) expect(answer.headers.vary).toBe('accept-encoding');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(plain.body);
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  },
);

test.each(['/short', '/photo', '/secret'])('%s travels as it is', async (url) => {
  expect((await get(url, 'br')).headers['content-encoding']).toBeUndefined();
});

test('a question for the headers alone gets no body', async () => {
  const answer = await anApp().inject({ method: 'HEAD', url: '/page', headers: { 'accept-encoding': 'br' } });
  expect(answer.rawPayload).toHaveLength(0);
  expect(answer.headers.vary).toBe('accept-encoding');
});
