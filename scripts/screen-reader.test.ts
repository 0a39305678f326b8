import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { facts, poster, receipt } from '@sparechange/server/documents/testing/sample-documents.ts';
import { afterAll, expect, test } from 'vitest';
import { debianPrograms } from './debian-programs.ts';

const found = await debianPrograms({ pdfinfo: 'poppler-utils' });
const folder = mkdtempSync(join(tmpdir(), 'tagged-pdf-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a document's tree as a screen reader has it: roles, the scope of heads, and words, in the order of the tree. */
async function readAloud(pdf: Uint8Array): Promise<string[]> {
  const file = join(folder, 'read.pdf');
  writeFileSync(file, pdf);
  const pdfinfo = found.whyNot === undefined ? found.paths.pdfinfo : '';
  const { stdout } = await promisify(execFile)(pdfinfo, ['-struct-text', file]);
  const lines = stdout.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => {
    const [, role] = /^([A-Z]\w*)[ :]/.exec(`${line} `) ?? [];
    const [, words] = /^"(.+)"$/.exec(line) ?? [];
    const kept = words ?? (line === '/Scope /Column' ? 'Scope Column' : role);
    return kept === undefined || ['Document', 'Div', 'Span'].includes(kept) ? [] : [kept];
  });
}

test.skipIf(found.whyNot)(
  `a receipt is read in order, with headings and the heads of its table ${found.whyNot ?? ''}`,
  async () => {
    const heads = ['Cleared', 'What', 'Amount'].flatMap((head) => ['TH', 'Scope Column', head]);
    const pairs = [
      ['Receipt number', facts.number],
      ['Received from', 'Ava Nguyễn'],
      ['Issued on', '2 November 2026'],
      ['Issued by', 'Sparechange Pty Ltd'],
    ].flatMap(([label = '', value = '']) => ['LI', 'Lbl', label, 'LBody', value]);
    const order = [
      'Figure',
      ...['H1', 'Donation receipt', 'P', 'Cleared in October 2026', 'P', 'Total received', 'P', '$4.30'],
      ...['L', ...pairs, 'H2', 'Night Kitchen'],
      ...['Table', 'THead', 'TR', ...heads, 'TBody', 'TR', 'TD', 'P', '5-Oct-26', 'TD', 'Round-ups', 'TD', '$4.30'],
      ...['TFoot', 'TR', 'TD', 'P', 'Total', 'TD', 'TD', '$4.30'],
      ...['P', 'Not tax deductible. Night Kitchen is not a deductible gift recipient.', 'P'],
    ];
    expect((await readAloud(receipt())).slice(0, order.length)).toEqual(order);
  },
);

test.skipIf(found.whyNot)(`a poster is read from the club to its address ${found.whyNot ?? ''}`, async () => {
  const read = await readAloud(poster());
  expect(read.filter((each) => /^(H1|H2|L|LI|Figure)$/.test(each))).toEqual([
    'Figure',
    'H1',
    'H2',
    'L',
    'LI',
    'LI',
    'LI',
    'Figure',
  ]);
  const order = ['Wattle Creek', 'Football Club', 'Scan, and round up', 'give.example/wattle-creek-fc'];
  expect(read.filter((each) => order.includes(each))).toEqual(['Wattle Creek', ...order]);
});

test.skipIf(found.whyNot)(`the heads of a long table are read once ${found.whyNot ?? ''}`, async () => {
  const [club] = facts.clubs;
  const lines = Array.from({ length: 90 }, () => club?.lines ?? []).flat();
  const pdf = receipt({ clubs: facts.clubs.map((each) => ({ ...each, lines })) });
  const read = await readAloud(pdf);
  expect(read.filter((each) => each === 'TH')).toHaveLength(3);
  expect(read.filter((each) => each === 'TR')).toHaveLength(92);
});
