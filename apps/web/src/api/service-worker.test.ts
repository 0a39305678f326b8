import { afterEach, expect, test, vi } from 'vitest';
import { watchForNewVersion } from './service-worker.ts';

afterEach(() => vi.unstubAllGlobals());

test('a registration that failed is tried again by the next shell, and one that succeeded is kept', async () => {
  const register = vi.fn(async () => ({
    waiting: null,
    addEventListener: () => undefined,
    update: async () => undefined,
  }));
  register.mockRejectedValueOnce(new TypeError('the network is gone'));
  vi.stubGlobal('navigator', { serviceWorker: { register } });
  await expect(watchForNewVersion()).rejects.toThrow('the network is gone');
  await watchForNewVersion();
  await watchForNewVersion();
  expect(register).toHaveBeenCalledTimes(2);
});
