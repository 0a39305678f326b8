import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { type Poster, printPoster } from './poster.ts';
import { qrCode } from './qr-code.ts';

const poster = (changes: Partial<Poster> = {}): Poster => ({
  theme: { primary: '#000000', background: '#47b3b5', switch: '#47b3b5', body: '#ffffff', secondary: '#47b3b5' },
  brand: 'Sparechange',
  logo: undefined,
  mark: undefined,
  club: 'Wattle Creek Football Club',
  place: 'Wattle Creek · Football',
  address: 'https://give.example/wattle-creek-fc?efg=1&u=poster',
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

const repeated = (count: number) => 'Wirrawirragundamurra '.repeat(9).slice(0, count).trim();

test.each([
  ['long names', repeated(120), `${repeated(60)} · ${repeated(60)}`, `wirrawirra-${'gundamurra-'.repeat(6)}club`],
  ['a short name and a long address', 'Rovers', 'Bay', 'wirrawirra-gundamurra-memorial-football-club'],
  ['one long word', 'Wirrawirragundamurradambah', '', 'wirra'],
  ['wide letters', 'W'.repeat(120), `${'W'.repeat(60)} · ${'M'.repeat(60)}`, 'w'.repeat(80)],
])('a poster of %s has all its words on the paper', async (_, club, place, slug) => {
  const address = new URL(`https://coral-coast-rangers.sparechange.example/${slug}?efg=1`);
  const pages = await getDocumentProxy(
    new Uint8Array(await printPoster(poster({ club, place, address: address.href }))),
  );
  const { items } = await (await pages.getPage(1)).getTextContent();
  const texts = items.filter((item) => 'str' in item);
  const all = texts.map(({ str }) => str).join('');
  const bare = (words: string) => words.replaceAll(/\s/g, '');
  for (const words of [club, place, `${address.host}${address.pathname}`]) expect(bare(all)).toContain(bare(words));
  for (const { transform, width, str } of texts) expect(transform[4] + width, str).toBeLessThanOrEqual(595.28 - 30);
});

test('a logo that tenants may not have is left out, and the longest names fit', async () => {
  expect((await read({ logo: '<svg><image href="/etc/hostname"/></svg>', club: 'Long '.repeat(24) })).totalPages).toBe(
    1,
  );
});

test('a code has the three corners that cameras look for', () => {
  const { size, path } = qrCode('https://give.example/wattle-creek-fc?efg=1&u=poster');
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1/g)].map(([, x, y]) => `${Number(x) - 4} ${Number(y) - 4}`));
  const corner = (left: number, top: number) =>
    [0, 1, 2, 3, 4, 5, 6].map((y) => [0, 1, 2, 3, 4, 5, 6].map((x) => +dark.has(`${left + x} ${top + y}`)).join(''));
  const eye = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
  const last = size - 8 - 7;
  expect([corner(0, 0), corner(last, 0), corner(0, last)]).toEqual([eye, eye, eye]);
});
