import { expect, test } from 'vitest';
import { listPaths, readSource } from './citations.ts';
import { patternsOf, slowTextOf, type WrittenPattern } from './regular-expressions.ts';

const isProduct = (path: string): boolean =>
  /^(apps|packages)\/.+\.(ts|tsx|js)$/.test(path) &&
  !/\.(test|spec|suite|model)\.tsx?$|\/testing\/|\/vite\.config\.ts$/.test(path);

const asText = ({ pattern }: WrittenPattern): string => String(pattern);

test('literals and built expressions are found, with the constants of their file', () => {
  const text = String.raw`const form = '[a-z]+';
    const whole = new RegExp(~^@{form}$~, 'i');
    const ofCall = (name: string) => RegExp(String.raw~\b@{name}~);
    export const rest = (path: string) => path.replace(/\/+$/, '');
    // a/b/c`
    .replaceAll('~', '`')
    .replaceAll('@', '$');
  const found = patternsOf({ path: 'x.ts', text });
  expect(found.map(({ place }) => place)).toEqual(['x.ts:2', 'x.ts:3', 'x.ts:4']);
  expect(found.map(asText)).toEqual(['/^[a-z]+$/i', '/\\bx/', '/\\/+$/']);
});

/** One of each kind: a repeated end, a repeated start, a repeated middle, and a repeat within a repeat. */
test.each([/\/+$/, /\S+@\S+/g, /<main\b[^>]*>/, /^(a+)+$/])('%s can take longer than its text is long', (pattern) => {
  expect(slowTextOf(pattern)).toBeDefined();
});

test.each([
  /^\/+$/,
  /<[^<>]*>/g,
  /[^a-z0-9]+/g,
  /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/,
  /(?:^|; )name=([\w-]{1,100})(?:;|$)/,
])('%s cannot', (pattern) => {
  expect(slowTextOf(pattern)).toBeUndefined();
});

/**
 * A caller may send thousands of characters, and one slow expression holds every other request. What is measured is not a
 * time but how it grows with the text, in processor time of this thread and by the least of three tries.
 */
test('no expression of the product takes longer than its text is long', () => {
  const patterns = listPaths().filter(isProduct).map(readSource).flatMap(patternsOf);
  expect(patterns.length).toBeGreaterThan(400);
  const places = new Map(patterns.map((each) => [asText(each), each]));
  const slow = [...places.values()].flatMap(({ place, pattern }) => {
    const part = slowTextOf(pattern);
    return part ? [`${place} ${pattern} on ${JSON.stringify(part)}`] : [];
  });
  expect(slow).toEqual([]);
});
