import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mayBeScreen } from './screen-paths.ts';

test('every route of the web app is a screen', () => {
  const source = readFileSync(new URL('../../../web/src/routes.tsx', import.meta.url), 'utf8');
  const paths = [...source.matchAll(/paths: \[(.*?)\]/gs)].flatMap(([, list = '']) =>
    [...list.matchAll(/'(\/[^']*)'/g)].map(([, path = '']) => path),
  );
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) expect([path, mayBeScreen(path.replaceAll(/:\w+/g, 'robin'))]).toEqual([path, true]);
});

test.each([
  '/',
  '/dashboard',
  '/dashboard/',
  '/wattle-creek-fc',
  '/extend-consent/robin@example.com',
  '/skip-debit/eyJh.b1-c_2.d3',
])('%s is a screen', (path) => expect(mayBeScreen(path)).toBe(true));

test.each([
  '/manifest.webmanifest',
  '/robots.txt',
  '/sw.js',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/nope/foo',
  '/a/b/c',
])('%s is none', (path) => expect(mayBeScreen(path)).toBe(false));
