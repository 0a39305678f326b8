import { checkTenant, uploadTenantPicture } from '@sparechange/contract/console';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anOperator, callConsole } from '#testing/console.ts';
import { aTenant } from '#testing/makers.ts';
import { aWholeApp, type WholeApp } from '#testing/whole-app.ts';

let api: WholeApp;
beforeAll(async () => {
  api = await aWholeApp();
});
afterAll(() => api.close());

const get = (url: string, host = 'console.sparechange.example') => api.app.inject({ url, headers: { host } });

async function aPreview(changes: object = {}): Promise<string> {
  const { key, ...content } = aTenant({ key: 'riverside-rovers', name: 'Rovers & <b>friends</b>', ...changes });
  const { body } = await callConsole(api.app, checkTenant, { key, content }, await anOperator(api.db));
  return String(body.previewId);
}

test('a draft is drawn by day and by night, with nothing that runs, for the console alone to frame', async () => {
  const id = await aPreview();
  const { statusCode, headers, body } = await get(`/console/preview/${id}/light?path=/`);
  expect(statusCode).toBe(200);
  expect(body).toContain('<title>Rovers &#38; &#60;b&#62;friends&#60;/b&#62;</title>');
  expect(body).toContain('<h1>Login</h1>');
  expect(body).not.toContain('<script');
  expect(body).toContain('@media not all{');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'.*frame-ancestors 'self'.*sandbox allow-same-origin$/,
  );
  expect(headers['x-frame-options']).toBe('SAMEORIGIN');
  expect((await get(`/console/preview/${id}/dark?path=/clubs`)).body).toContain('@media all{');
  expect((await get('/console/preview-style/dark')).headers['content-type']).toBe('text/css; charset=utf-8');
});

test('an unknown or former draft, another page and another host are not found', async () => {
  const id = await aPreview();
  for (const path of [
    `${id}/light?path=/dashboard`,
    `${id}/light`,
    `${id}/sepia?path=/`,
    'x/light?path=/',
    '%00/light?path=/',
  ])
    expect([path, (await get(`/console/preview/${path}`)).statusCode]).toEqual([path, 404]);
  expect((await get('/console/preview-style/sepia')).statusCode).toBe(404);
  expect((await get(`/console/preview/${id}/light?path=/`, 'sparechange.example')).statusCode).toBe(404);
  await api.db`update tenant_drafts set kept_at = now() - interval '61 minutes'`;
  expect((await get(`/console/preview/${id}/light?path=/`)).statusCode).toBe(404);
  await aPreview();
  expect(await api.db`select 1 from tenant_drafts`).toHaveLength(1);
});

test('a draft takes the place of the one before of the same person and brand', async () => {
  const person = await anOperator(api.db);
  const { key, ...content } = aTenant({ key: 'riverside-rovers' });
  const keep = async () => (await callConsole(api.app, checkTenant, { key, content }, person)).body.previewId;
  const [first, second] = [await keep(), await keep()];
  expect(first).not.toBe(second);
  expect((await get(`/console/preview/${first}/light?path=/`)).statusCode).toBe(404);
});

test('an uploaded logo is served as an SVG that runs and loads nothing', async () => {
  const person = await anOperator(api.db);
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="9"/></svg>';
  const input = { key: 'demo', place: 'logoURLDashboard', content: Buffer.from(logo).toString('base64') };
  const { body } = await callConsole(api.app, uploadTenantPicture, input, person);
  for (const host of ['sparechange.example', 'console.sparechange.example']) {
    const { headers, body: served } = await get(body.value, host);
    expect(served).toBe(logo);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  }
  const shipped = await get('/tenants/logos/default.svg', 'sparechange.example');
  expect(shipped.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  for (const name of ['gone.svg', '%00.svg', '..%2fdefault.json', '%2e%2e%2fdefault.json'])
    expect([name, (await get(`/tenants/logos/${name}`, 'sparechange.example')).statusCode]).toEqual([name, 404]);
});

test('an uploaded picture is read from the database once, and a browser that has it gets no body', async () => {
  const person = await anOperator(api.db);
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="5"/></svg>';
  const input = { key: 'demo', place: 'logoURLDashboard', content: Buffer.from(logo).toString('base64') };
  const { body } = await callConsole(api.app, uploadTenantPicture, input, person);
  const first = await get(body.value, 'sparechange.example');
  expect(first.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  await api.db`delete from tenant_pictures where name = ${body.value.split('/').at(-1) ?? ''}`;
  expect((await get(body.value, 'sparechange.example')).body).toBe(logo);
  const headers = { host: 'sparechange.example', 'if-none-match': String(first.headers.etag) };
  const again = await api.app.inject({ url: body.value, headers });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});
