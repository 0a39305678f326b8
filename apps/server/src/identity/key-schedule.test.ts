import { expect, test } from 'vitest';
import { afterlifeSeconds, leadSeconds, publishedKeysAt, signingKeyAt } from './key-files.ts';

const key = (kid: string, madeAt: number) => ({ madeAt, key: { kty: 'RSA' as const, n: 'n', e: 'e', kid } });
const keys = [key('first', 50_000), key('second', 100_000)];
const takeover = 100_000 + leadSeconds;
const published = (now: number) => publishedKeysAt(keys, now).map(({ kid }) => kid);

test('the first key signs immediately', () => {
  expect(signingKeyAt([key('first', 50_000)], 50_000)?.kid).toBe('first');
  expect(signingKeyAt([], 50_000)).toBeUndefined();
});

test('a new key is published for an hour and more before it signs', () => {
  expect(published(100_000)).toEqual(['first', 'second']);
  expect(signingKeyAt(keys, takeover - 1)?.kid).toBe('first');
  expect(signingKeyAt(keys, takeover)?.kid).toBe('second');
});

test('a retired key stays published until its last token has ended', () => {
  expect(afterlifeSeconds).toBeGreaterThan(3600);
  expect(published(takeover + afterlifeSeconds - 1)).toEqual(['first', 'second']);
  expect(published(takeover + afterlifeSeconds)).toEqual(['second']);
});

test('at every moment the key that signs is published', () => {
  const many = [key('a', 0), key('b', 0), key('c', 5_000), key('d', 100_000)];
  for (let now = 0; now < 200_000; now += 997) {
    expect(publishedKeysAt(many, now)).toContainEqual(signingKeyAt(many, now));
  }
});
