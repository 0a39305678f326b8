import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { type Poster, printPoster } from './poster.ts';
import { qrCodeSvg } from './qr-code.ts';

const poster = (changes: Partial<Poster> = {}): Poster => ({
  theme: { primary: '#000000', background: '#47b3b5', switch: '#47b3b5', body: '#ffffff', secondary: '#47b3b5' },
  logo: undefined,
  mark: undefined,
  club: 'Wattle Creek Football Club',
  place: 'Wattle Creek · Football',
  address: new URL('https://give.example/wattle-creek-fc?efg=1&u=poster'),
  provider: 'Sparechange',
  ...changes,
});
const read = async (changes: Partial<Poster> = {}) =>
  extractText(await getDocumentProxy(new Uint8Array(await printPoster(poster(changes)))), { mergePages: true });

test('a poster is one page with the club, the steps and its address as people type it', async () => {
  const { totalPages, text } = await read();
  expect(totalPages).toBe(1);
  for (const words of ['Wattle Creek', 'Scan, and round up', 'gives $0.65', 'give.example/wattle-creek-fc'])
    expect(text).toContain(words);
  expect(text).not.toContain('efg');
});

test('a logo that tenants may not have is left out, and the longest names fit', async () => {
  expect((await read({ logo: '<svg><image href="/etc/hostname"/></svg>', club: 'Long '.repeat(24) })).totalPages).toBe(
    1,
  );
});

test('a code has the three corners that cameras look for', () => {
  const svg = qrCodeSvg('https://give.example/wattle-creek-fc?efg=1&u=poster');
  const [, size = 0] = (/viewBox="-4 -4 (\d+)/.exec(svg) ?? []).map(Number);
  const dark = new Set([...svg.matchAll(/M(\d+) (\d+)h1/g)].map(([, x, y]) => `${x} ${y}`));
  const corner = (left: number, top: number) =>
    [0, 1, 2, 3, 4, 5, 6].map((y) => [0, 1, 2, 3, 4, 5, 6].map((x) => +dark.has(`${left + x} ${top + y}`)).join(''));
  const eye = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
  const last = size - 8 - 7;
  expect([corner(0, 0), corner(last, 0), corner(0, last)]).toEqual([eye, eye, eye]);
});
