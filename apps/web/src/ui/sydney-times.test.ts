import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

test.each(['America/New_York', 'Australia/Perth'])('a device in %s shows Sydney times, whole', async (timeZone) => {
  vi.stubEnv('TZ', timeZone);
  vi.resetModules();
  const { momentInWords, timeInWords } = await import('./sydney-times.ts');
  const instant = new Date('2026-11-27T13:08:00Z');
  expect(momentInWords(instant)).toBe('Sat 28 Nov 2026, 12:08\u00a0am');
  expect(timeInWords(instant)).toBe('12:08\u00a0am');
});
