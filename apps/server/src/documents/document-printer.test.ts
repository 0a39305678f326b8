import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import type { PrintedDocument } from './document.ts';
import { printBeside } from './document-printer.ts';

const document = (changes: Partial<PrintedDocument> = {}): PrintedDocument => ({
  title: 'Receipt',
  subtitle: 'October 2026',
  brand: { name: 'Rovers', logo: undefined, accent: '#17696b' },
  figure: { label: 'Total', value: '$4.30' },
  blocks: [{ kind: 'text', text: 'Thank you' }],
  foot: 'Rovers',
  madeAt: new Date(0),
  ...changes,
});

test('a document that cannot be printed fails alone, and equal ones give the same bytes', async () => {
  const broken = document({ blocks: undefined as never });
  const [first, refused, second] = await Promise.allSettled([document(), broken, document()].map(printBeside));
  expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } });
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toEqual(first);
});

test('documents beyond the limit of the queue are refused', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () => printBeside(document())));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  await expect(printBeside(document())).resolves.toBeInstanceOf(Uint8Array);
});

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 48">${inside}</svg>`;
const pagesOf = async (changes: Partial<PrintedDocument>) =>
  (await extractText(await getDocumentProxy(await printBeside(document(changes))))).text;

test('a logo of words and shades is drawn; one that tenants may not have is replaced by the name', async () => {
  const pageWith = async (logo: string) => (await pagesOf({ brand: { name: 'Rovers', accent: '#17696b', logo } }))[0];
  const shade = '<defs><linearGradient id="a"><stop stop-color="#fff"/></linearGradient></defs>';
  const drawn = await pageWith(svg(`${shade}<rect width="9" height="9" fill="url(#a)"/><text y="30">Lovely</text>`));
  expect(drawn).toMatch(/^Lovely\s+Receipt/);
  expect(await pageWith(svg('<image href="/etc/hostname"/>'))).toMatch(/^Rovers\s+Receipt/);
  expect(await pageWith('<svg')).toMatch(/^Rovers\s+Receipt/);
});

test('a heading stands over its table, whose columns are named on each page', async () => {
  const columns = [{ head: 'Cleared', width: 76 }, { head: 'What' }, { head: 'Amount' }];
  const rows = [['5-Oct-26', 'Round-ups', '$1.00']];
  const table = { kind: 'table' as const, columns, rows, total: ['Total', '', '$1.00'] };
  for (const lines of [35, 36, 37, 38, 39, 40]) {
    const before = Array.from({ length: lines }, () => ({ kind: 'text' as const, text: 'Thank you' }));
    const pages = await pagesOf({ blocks: [...before, { kind: 'heading', text: 'Night Kitchen' }, table] });
    expect(pages.find((page) => page.includes('Night Kitchen'))).toMatch(/Night Kitchen\s+Cleared/);
  }
  const long = await pagesOf({ blocks: [{ ...table, rows: Array.from({ length: 40 }, () => rows[0] ?? []) }] });
  expect(long.map((page) => page.includes('Cleared'))).toEqual([true, true]);
});
