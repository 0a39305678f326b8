import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppUnderTest } from '#testing/app-under-test.ts';
import { aClub } from '#testing/makers.ts';
import { aWholeApp, identityKey } from '#testing/whole-app.ts';

let api: AppUnderTest;
beforeAll(async () => {
  api = await aWholeApp({ edge: { hsts: true } });
});
afterAll(() => api.close());
beforeAll(() => aClub(api.db, { slug: 'river-rovers', name: 'River Rovers' }));

/** Gets an address from the host that serves it. */
const get = (url: string) =>
  api.app.inject({ url, headers: url.startsWith('/console') ? { host: 'console.sparechange.example' } : {} });

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-resource-policy': expect.stringMatching(/^(same|cross)-origin$/),
  'x-frame-options': expect.any(String),
};

test.each([
  '/api/clubs/retrieve',
  '/api/nowhere',
  '/api/docs',
  '/api/%E0%A4%A',
  '/healthz',
  '/readyz',
  '/config.json',
  '/tenants/default.json',
  '/tenants/nobody.json',
  '/tenants/logos/default.svg',
  '/assets/gone.js',
  '/pages/support.html',
  '/',
  '/dashboard',
  '/.well-known/jwks.json',
  '/console',
  '/console/people',
  '/console/api/session',
  `/identitytoolkit.googleapis.com/v1/nothing?key=${identityKey}`,
  '/securetoken.googleapis.com/v1/token',
])('of %s are all there', async (url) => {
  const { headers } = await get(url);
  expect(headers).toMatchObject(always);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|\*(?!\.)|http:/);
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('set-cookie');
});

test.each(['/assets/main-0a1b2c.js', '/console/assets/main-0a1b2c.js'])(
  'of %s, no document, are those that say how it is loaded, kept and read',
  async (url) => {
    const { headers } = await get(url);
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('javascript'),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    for (const name of [
      'content-security-policy',
      'x-frame-options',
      'permissions-policy',
      'x-powered-by',
      'set-cookie',
    ])
      expect(headers).not.toHaveProperty(name);
  },
);

test('a logo has none of the headers that are about scripts of a document', async () => {
  const { headers } = await get('/tenants/logos/default.svg');
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  for (const name of ['permissions-policy', 'cross-origin-opener-policy', 'origin-agent-cluster'])
    expect(headers).not.toHaveProperty(name);
});

test('a page may be framed by us alone and an answer by nobody', async () => {
  const framedBy = async (url: string) => {
    const { headers } = await get(url);
    return [
      headers['x-frame-options'],
      /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1],
    ];
  };
  expect(await framedBy('/support')).toEqual(['SAMEORIGIN', "'self'"]);
  expect(await framedBy('/pages/support.html')).toEqual(['SAMEORIGIN', "'self'"]);
  expect(await framedBy('/console')).toEqual(['DENY', "'none'"]);
  expect(await framedBy('/api/clubs/retrieve')).toEqual(['DENY', "'none'"]);
});

test.each(['/', '/pages/support.html', '/api/docs', '/console'])(
  'of the document %s keep it to itself',
  async (url) => {
    expect((await get(url)).headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  },
);

test('a page of the console runs its own files alone and talks to its own server alone', async () => {
  const { headers } = await get('/console/people');
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
  ]);
});

test('a page allows its own style by a nonce that is never the same', async () => {
  const nonces = await Promise.all(
    ['/', '/'].map(async (url) => {
      const { headers, body } = await api.app.inject(url);
      const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
      expect(body).toContain(`<style nonce="${nonce}">`);
      return nonce;
    }),
  );
  expect(new Set(nonces).size).toBe(2);
});

test.each(['br', 'gzip', undefined])('a script that was built with %s is sent so', async (encoding) => {
  const { headers, rawPayload } = await api.app.inject({
    url: '/assets/main-0a1b2c.js',
    headers: encoding ? { 'accept-encoding': encoding } : {},
  });
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers).toMatchObject({ 'content-type': expect.stringContaining('javascript'), vary: 'accept-encoding' });
  expect(Number(headers['content-length'])).toBe(rawPayload.length);
  const again = { 'accept-encoding': encoding ?? 'identity', 'if-none-match': String(headers.etag) };
  expect((await api.app.inject({ url: '/assets/main-0a1b2c.js', headers: again })).statusCode).toBe(304);
  expect((await api.app.inject('/assets/main-0a1b2c.js.br')).statusCode).toBe(404);
});

test.each([
  ['/', 200],
  ['/dashboard', 200],
  ['/extend-consent/robin%40example.com', 200],
  ['/river-rovers', 200],
  ['/River-Rovers/', 200],
  ['/some-club', 404],
  ['/nope/foo', 404],
  ['/robots.txt', 200],
  ['/sitemap.xml', 200],
  ['/favicon.ico', 404],
  ['/sw.js', 404],
  ['/manifest.webmanifest', 200],
  ['/apple-touch-icon.png', 404],
  ['/.well-known/nothing', 404],
  ['/.well-known/change-password', 302],
])('of %s the status is honest: %i', async (url, status) => {
  expect((await api.app.inject(url)).statusCode).toBe(status);
});

test("a club's page is in the document before any script runs, with its facts for the scripts", async () => {
  const { body, headers } = await api.app.inject('/river-rovers');
  expect(body).toContain('<div id="root"><h1>River Rovers</h1></div>');
  expect(body).toContain('"club":{"slug":"river-rovers","landing":{"clubId"');
  expect(body).not.toContain('treasurer@');
  expect(headers['content-security-policy']).not.toContain('unsafe');
});

test('security.txt says where to report a vulnerability', async () => {
  const { body, headers } = await api.app.inject('/.well-known/security.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body).toMatch(/^Contact: mailto:support@sparechange\.example\nExpires: \d{4}-\d\d-\d\dT/);
});

test('a request id from outside is not taken on', async () => {
  const answer = await api.app.inject({
    url: '/api/nowhere',
    headers: { 'request-id': 'mine', 'x-request-id': 'mine' },
  });
  expect(answer.json().error.requestId).not.toBe('mine');
});
