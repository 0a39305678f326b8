import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.resetModules()); // a page registers its worker once
afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock('./new-version.ts');
  vi.unstubAllGlobals();
});

test('a registration that failed is tried again by the next shell, and one that succeeded is kept', async () => {
  const register = vi.fn(async () => ({
    waiting: null,
    addEventListener: () => undefined,
    update: async () => undefined,
  }));
  register.mockRejectedValueOnce(new TypeError('the network is gone'));
  vi.stubGlobal('navigator', { serviceWorker: { register } });
  const { watchForNewVersion } = await import('./service-worker.ts');
  await expect(watchForNewVersion()).rejects.toThrow('the network is gone');
  await watchForNewVersion();
  await watchForNewVersion();
  expect(register).toHaveBeenCalledTimes(2);
});

test('an accepted version is loaded although the browser keeps the old worker waiting', async () => {
  const postMessage = vi.fn((_message: unknown, ports?: MessagePort[]) => ports?.[0]?.postMessage(false));
  const waiting = { state: 'installed', postMessage };
  const registration = { waiting, addEventListener: () => undefined, update: async () => undefined };
  const serviceWorker = { controller: {}, register: async () => registration, addEventListener: () => undefined };
  vi.stubGlobal('navigator', { serviceWorker });
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  const { promise: offered, resolve: offerNewVersion } = Promise.withResolvers<() => void>();
  vi.doMock('./new-version.ts', () => ({ filesOfPage: () => [], offerNewVersion }));
  const { watchForNewVersion } = await import('./service-worker.ts');
  await watchForNewVersion();
  const accept = await offered;
  vi.useFakeTimers();
  accept();
  expect(postMessage).toHaveBeenLastCalledWith('use the new version');
  vi.advanceTimersByTime(2_999);
  expect(reload).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reload).toHaveBeenCalledOnce();
});
