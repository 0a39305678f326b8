import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { aConfig, aTenant } from '../testing/makers.ts';
import { server } from '../testing/server.ts';
import { setStart, tenantOfHost } from './current.ts';
import { findStart, loadSettings } from './start.ts';

const config = aConfig();

function pageWith(start: unknown): Document {
  const page = document.implementation.createHTMLDocument();
  const block = page.createElement('script');
  block.type = 'application/json';
  block.id = 'start';
  block.textContent = JSON.stringify(start);
  page.head.append(block);
  return page;
}

const emptyPage = document.implementation.createHTMLDocument();
const tenantFile = (key: string, respond: () => Response) => http.get(`*/tenants/${key}.json`, respond);

test('the block that the server wrote into the page is used without a request', async () => {
  const settings = aTenant({ tenant: 'aca' });
  const start = await findStart(pageWith({ config, tenantKey: 'aca', settings }), 'aca.sparechange.localhost');
  expect(start).toEqual({ config, tenantKey: 'aca', settings, isFallbackBrand: false });
});

test('a page without its block asks for the configuration and the settings of its host', async () => {
  server.use(
    http.get('*/config.json', () => HttpResponse.json(config)),
    tenantFile('aca', () => HttpResponse.json(aTenant({ tenant: 'aca' }))),
  );
  const start = await findStart(emptyPage, 'aca.sparechange.localhost');
  expect(start).toMatchObject({ tenantKey: 'aca', settings: { tenant: 'aca' }, isFallbackBrand: false });
});

test('an organisation that cannot be loaded gets the default brand, and the page knows it', async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  server.use(tenantFile('nobody', () => HttpResponse.json({}, { status: 404 })));
  const page = pageWith({ config, tenantKey: 'default', settings: aTenant() });
  const start = await findStart(page, 'nobody.sparechange.localhost');
  expect(start).toMatchObject({
    tenantKey: 'default',
    settings: { tenant: 'default' },
    isFallbackBrand: true,
  });
  setStart(start);
  expect(tenantOfHost('nobody.sparechange.localhost')).toBe('nobody'); // what is stored as host
  expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ message: 'Cannot find module' }));
  vi.mocked(console.error).mockClear();
});

test('an unknown key fails with MODULE_NOT_FOUND', async () => {
  server.use(tenantFile('nobody', () => HttpResponse.json({}, { status: 404 })));
  await expect(loadSettings('nobody')).rejects.toMatchObject({
    message: 'Cannot find module',
    code: 'MODULE_NOT_FOUND',
  });
});

test('a load that breaks off is missing', async () => {
  server.use(tenantFile('aca', () => HttpResponse.error()));
  await expect(loadSettings('aca')).rejects.toMatchObject({ message: 'Loading chunk aca failed. (missing)' });
});

test('a load that takes longer than 120 s is a timeout', async () => {
  const timeout = vi
    .spyOn(AbortSignal, 'timeout')
    .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));
  await expect(loadSettings('aca')).rejects.toMatchObject({
    message: 'Loading chunk aca failed. (timeout)',
    type: 'timeout',
  });
  expect(timeout).toHaveBeenCalledWith(120_000);
});
