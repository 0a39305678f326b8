import fc from 'fast-check';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { receiptDocument } from '#features/supporters/receipts/receipt-document.ts';
import { printDocument } from './print.ts';
import { brand, facts, poster, receipt } from './testing/sample-documents.ts';

const open = (pdf: Uint8Array) => getDocumentProxy(new Uint8Array(pdf));
const textOf = async (pdf: Uint8Array) => (await extractText(await open(pdf), { mergePages: true })).text;
const claims = (pdf: Uint8Array) => Buffer.from(pdf).includes('<pdfuaid:part>1</pdfuaid:part>');

interface Node {
  role?: string;
  alt?: string;
  children?: Node[];
}
const below = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(below)];

test.each([
  ['receipt', receipt(), 'Donation receipt', ['Rovers']],
  [
    'poster',
    poster(),
    'Round up for Wattle Creek Football Club',
    ['Rovers', 'QR code of give.example/wattle-creek-fc'],
  ],
])('a %s claims PDF/UA-1, has a title and language, and words for its pictures', async (_what, pdf, title, words) => {
  const pages = await open(pdf);
  const { info } = await pages.getMetadata();
  expect(info).toMatchObject({ Title: title, Language: 'en-AU' });
  expect(claims(pdf)).toBe(true);
  const nodes = below((await (await pages.getPage(1)).getStructTree()) as Node);
  expect(nodes.filter(({ role }) => role === 'Figure').map(({ alt }) => alt)).toEqual(words);
});

test('names are printed as they are written, and nothing in them is a command', async () => {
  const name = 'A#panic() *b* _c_ $x$ <l> @ref \\ "q" `d` // -- ~ = h [e] #(1+1) https://a.example';
  const bare = (text: string) => text.replaceAll(/\s/g, '');
  for (const pdf of [receipt({ supporter: name }), poster(name)]) expect(bare(await textOf(pdf))).toContain(bare(name));
});

test.each(['Zoë Ďurović', 'Ελένη', 'Олена', 'Nguyễn Thị Hạnh', 'שרה', 'ليلى'])(
  '%s has letters of a font, and a document that claims so',
  (name) => {
    expect(claims(receipt({ supporter: name }))).toBe(true);
  },
);

test('a name in letters of none of our fonts has a tagged document that claims nothing', async () => {
  const pdf = receipt({ supporter: '李小龙' });
  expect(claims(pdf)).toBe(false);
  expect((await (await open(pdf)).getMarkInfo())?.Marked).toBe(true);
});

test('every name can be printed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (supporter) => {
      expect(receipt({ supporter }).length).toBeGreaterThan(1_000);
    }),
    { numRuns: 20 },
  );
  for (const name of ['\0', '\ud800', '\ufffe', '\ue000', '\ufeff', '\u202e', 'a\nb', ''])
    expect(receipt({ supporter: name }).length).toBeGreaterThan(1_000);
});

test('a document that lacks a part is refused', () => {
  const broken = { ...receiptDocument(facts, brand, new Date(0)), figure: undefined as never };
  expect(() => printDocument(broken)).toThrow('does not contain key "figure"');
});
