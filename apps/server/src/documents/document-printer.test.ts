import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import type { PrintedDocument } from './document.ts';
import { documentPrinter } from './document-printer.ts';
import { type OwnProcess, ProcessEnded } from './own-process.ts';

const noFiles = { readLogo: async () => undefined };
const { print } = documentPrinter(noFiles);

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
  const [first, refused, second] = await Promise.allSettled(
    [document(), broken, document()].map((each) => print(each)),
  );
  expect(refused).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('not contain key') },
  });
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toEqual(first);
});

test('documents beyond the limit of the queue are refused', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () => print(document())));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  await expect(print(document())).resolves.toBeInstanceOf(Uint8Array);
});

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 48">${inside}</svg>`;
const pagesOf = async (changes: Partial<PrintedDocument>) =>
  (await extractText(await getDocumentProxy(await print(document(changes))))).text;

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

/** Prints the title of a document as text, and ends at a drawing, as at one without bounds. */
function endsAtLogos(): OwnProcess & { asked: number } {
  const process = {
    asked: 0,
    run: async (_name: string, input: unknown) => {
      process.asked += 1;
      const { brand } = input as PrintedDocument;
      if (brand.logo !== undefined) throw new ProcessEnded('more than 10000 ms of processor time');
      return Buffer.from(brand.name);
    },
  };
  return process;
}

test('a logo that fails leaves its place to the name, and costs time once', async () => {
  const process = endsAtLogos();
  const warnings: string[] = [];
  const log = { warn: (_facts: unknown, line?: string) => void warnings.push(line ?? '') };
  const { print } = documentPrinter(noFiles, { process, log });
  const brand = { name: 'Rovers', accent: '#17696b', logo: '<svg/>' };
  for (const asked of [2, 3]) {
    expect(Buffer.from(await print(document({ brand }))).toString()).toBe('Rovers');
    expect(process.asked).toBe(asked);
  }
  expect(warnings).toEqual(['a document is printed without its logo, which failed']);
});

test('a document that fails without its logo, too, fails as it did, and its logo is not blamed', async () => {
  const brand = { name: 'Rovers', accent: '#17696b', logo: svg('<text y="30">Lovely</text>') };
  await expect(print(document({ brand, blocks: undefined as never }))).rejects.toThrow('not contain key');
  expect(await pagesOf({ brand })).toEqual([expect.stringMatching(/^Lovely/)]);
});
