import { afterAll, beforeAll, expect, test } from 'vitest';
import { aWholeApp, type WholeApp } from '#testing/whole-app.ts';

let api: WholeApp;
beforeAll(async () => {
  api = await aWholeApp();
});
afterAll(() => api.close());

const at = (url: string, host: string) => api.app.inject({ url, headers: { host } });

test.each([
  ['sparechange.example', 'default'],
  ['riverside-rovers.sparechange.example', 'riverside-rovers'],
])('an app installed from %s has the name and the icons of %s', async (host, key) => {
  const page = await at('/', host);
  expect(page.body).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  expect(page.headers['content-security-policy']).toContain("manifest-src 'self'; worker-src 'self'");
  const answer = await at('/manifest.webmanifest', host);
  expect(answer.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  const { name, start_url, icons } = answer.json();
  expect([name, start_url]).toEqual([api.tenants.byKey(key)?.name, '/dashboard']);
  expect(icons.map(({ src, purpose }: Record<string, string>) => `${src} ${purpose}`)).toEqual([
    `/share/${key}/icon-192.png any`,
    `/share/${key}/icon-512.png any`,
    `/share/${key}/icon-maskable-192.png maskable`,
    `/share/${key}/icon-maskable-512.png maskable`,
  ]);
});

test.each(['icon-maskable-9.png', 'icon-maskable-.png', 'icon-1922.png'])('there is no icon %s', async (name) => {
  expect((await at(`/share/default/${name}`, 'sparechange.example')).statusCode).toBe(404);
});
