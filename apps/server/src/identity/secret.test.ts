import { expect, test } from 'vitest';
import { makeSecret } from './secret.ts';

test('no secret looks like an option of a command', () => {
  const secrets = Array.from({ length: 2_000 }, () => makeSecret(40));
  expect(secrets.filter((secret) => secret.startsWith('-'))).toEqual([]);
  expect(new Set(secrets).size).toBe(2_000);
});
