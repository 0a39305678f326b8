import { addDays, type Cents, cents, type IsoDate, isoDate, total } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareLines, type KnownLine } from './known-lines.ts';
import { identifyLines } from './line-identity.ts';
import { parseStatement } from './parse-statement.ts';
import type { StatementLine } from './statement-file.ts';
import { trustedId } from './trusted-id.ts';

const keep = (lines: readonly StatementLine[]): KnownLine[] =>
  identifyLines(lines).map(({ id, bookedOn, cents, description }) => ({ lineId: id, bookedOn, cents, description }));

const line = (day: string, amount: number, text: string, id?: string): StatementLine => {
  return { bookedOn: isoDate(day), cents: cents(amount), text, ...(id ? { id } : {}) };
};

function compare(known: readonly StatementLine[], file: readonly StatementLine[]) {
  const { fresh, uncertain } = compareLines(identifyLines(file), keep(known));
  return { fresh: fresh.map(({ text }) => text), uncertain: uncertain.map(({ why }) => why) };
}

const monday = line('2026-11-23', 100_00, 'DEPOSIT', 'NONREF');

test.each([
  ['NONREF'],
  ['NOTPROVIDED'],
  ['Not provided'],
  ['n/a'],
  ['#N/A'],
  ['-'],
  ['000000'],
  ['2.02611E+15'],
  ['2,02611E+15'],
  ['202611240000001000'],
])('%s is no identity: the same line on the next day is booked, on the same day it is known', (id) => {
  expect(trustedId(id)).toBeUndefined();
  const [first, second] = [
    { ...monday, id },
    { ...monday, id, bookedOn: isoDate('2026-11-24') },
  ];
  expect(compare([first], [first, second])).toEqual({ fresh: ['DEPOSIT'], uncertain: [] });
  expect(compare([{ ...first, id: 'A1' }], [first])).toEqual({ fresh: [], uncertain: [] });
});

test.each([
  ['000123', '123'],
  ['123.0', '123'],
  [' A1 ', 'A1'],
])("the id %s is recognised after a spreadsheet's rewriting", (written, spoilt) => {
  expect(trustedId(written)).toBe(trustedId(spoilt));
});

test('blanks between words and the encoding of a letter do not distinguish lines', () => {
  const [known] = [line('2027-01-03', 10_00, 'TRANSFER                FROM  CAFÉ')];
  expect(compare([known as StatementLine], [line('2027-01-03', 10_00, 'TRANSFER FROM\u00A0CAFE\u0301 ')])).toEqual({
    fresh: [],
    uncertain: [],
  });
});

test('a known line that is missing beside a new one of its day and amount is in doubt', () => {
  const known = [line('2027-01-03', 10_00, 'OSKO DEPOSIT')];
  const more = line('2027-01-03', 10_00, 'OSKO DEPOSIT ALPHA CLUB RECEIPT 4711');
  expect(compare(known, [more])).toEqual({ fresh: [], uncertain: ['other words'] });
  expect(compare(known, [...known, more])).toEqual({ fresh: [more.text], uncertain: [] });
  expect(compare(known, [{ ...more, bookedOn: isoDate('2027-01-04') }])).toEqual({ fresh: [more.text], uncertain: [] });
});

test('an id repeated with another day or amount is in doubt', () => {
  const known = [line('2026-11-23', 100_00, 'DEPOSIT', '1')];
  expect(compare(known, [line('2026-11-24', 100_00, 'DEPOSIT', '1')]).uncertain).toEqual(['id of another']);
  expect(compare(known, [line('2026-11-24', 50_00, 'FEE', '1')]).uncertain).toEqual(['id of another']);
  const twice = line('2026-11-25', 3_00, 'FEE', '9');
  expect(compare([], [twice, twice])).toEqual({ fresh: ['FEE'], uncertain: ['repeated'] });
});

test('the id of a known line of that day and amount is in doubt if the words differ', () => {
  const [alpha, beta] = [line('2026-11-23', 100_00, 'FROM ALPHA', '1'), line('2026-11-23', 100_00, 'FROM BETA', '1')];
  expect(compare([alpha], [beta])).toEqual({ fresh: [], uncertain: ['id with other words'] });
  expect(compare([alpha], [{ ...alpha, text: 'FROM' }]).uncertain).toEqual(['id with other words']);
  expect(compare([alpha], [{ ...alpha, text: 'FROM  ALPHA ' }])).toEqual({ fresh: [], uncertain: [] });
  expect(compare([alpha, { ...beta, id: '2' }], [beta, { ...alpha, id: '2' }])).toEqual({ fresh: [], uncertain: [] });
});

test('a file with a known line and another one with the same id has the other as a new line', () => {
  const [alpha, beta] = [line('2026-11-23', 100_00, 'FROM ALPHA', '1'), line('2026-11-23', 100_00, 'FROM BETA', '1')];
  for (const id of ['1', '2', undefined]) {
    const { id: _, ...unnamed } = alpha;
    const shown = id ? { ...alpha, id } : unnamed;
    expect(compare([alpha], [beta, shown])).toEqual({ fresh: ['FROM BETA'], uncertain: [] });
    expect(compare([alpha], [shown, beta])).toEqual({ fresh: ['FROM BETA'], uncertain: [] });
  }
});

test('one known line puts one line in doubt, the line with its id', () => {
  const [alpha, beta] = [line('2026-11-23', 100_00, 'FROM ALPHA', '1'), line('2026-11-23', 100_00, 'FROM BETA', '1')];
  const other = line('2026-11-23', 100_00, 'FROM GAMMA', '7');
  expect(compare([alpha], [other, beta])).toEqual({ fresh: ['FROM GAMMA'], uncertain: ['id with other words'] });
});

test('a masked character of a known line matches only its own', () => {
  const [known] = keep([line('2026-11-23', 5_00, 'CARD 4111 1111 1111 1111', '1')]);
  const file = identifyLines([line('2026-11-23', 5_00, 'CARD 4111 1111 1111 1111', '1')]);
  for (const description of ['CARD 4111 1111 1111 1111', 'CARD XXXX XXXX XXXX 1111'])
    expect(compareLines(file, [{ ...(known as KnownLine), description }])).toMatchObject({
      fresh: [],
      uncertain: [],
      missing: [],
    });
});

test('a transfer and its fee under one id are two lines, in any order and in any file', () => {
  const [transfer, fee] = [line('2026-11-24', -100_00, 'TRANSFER', 'B7'), line('2026-11-24', -50, 'FEE', 'B7')];
  expect(compare([transfer], [fee, transfer])).toEqual({ fresh: ['FEE'], uncertain: [] });
  expect(compare([transfer, fee], [fee, transfer])).toEqual({ fresh: [], uncertain: [] });
});

const first = isoDate('2026-11-02');

/** Movements of some days, with few amounts and words, so that many are alike. */
const history = fc
  .array(
    fc.record({
      day: fc.nat({ max: 4 }),
      cents: fc.constantFrom(-50, 100_00, 250_00),
      text: fc.constantFrom('DEPOSIT', 'FEE  OF IT', 'CAFÉ  Ø'),
      id: fc.constantFrom(undefined, 'NONREF', 'own'),
    }),
    { maxLength: 14 },
  )
  .map((movements) =>
    movements.map(({ day, cents, text, id }, at): StatementLine & { bookedOn: IsoDate; cents: Cents } => {
      return line(addDays(first, day), cents, text, id === 'own' ? `20261102${String(at).padStart(8, '0')}1` : id);
    }),
  );

type Damage = (csv: string) => string | Buffer;
const cellsOf = (csv: string, change: (id: string) => string): string =>
  csv.replace(/[^,\n]*$/gm, (id) => (/^\d/.test(id) ? change(id) : id));
const damages: Record<string, Damage> = {
  none: (csv) => csv,
  'Windows-1252': (csv) => Buffer.from(csv, 'latin1'),
  'UTF-16': (csv) => Buffer.from(`\uFEFF${csv}`, 'utf16le'),
  tabs: (csv) => csv.replaceAll(',', '\t'),
  'single blanks': (csv) => csv.replace(/ {2}/g, ' '),
  'ids to a power of ten': (csv) => cellsOf(csv, (id) => `${id[0]}.${id.slice(1, 6)}E+16`),
  'fifteen digits of ids': (csv) => cellsOf(csv, (id) => `${id.slice(0, 15)}00`),
  'no ids': (csv) => cellsOf(csv, () => ''),
  'days as in Australia': (csv) => csv.replace(/^(\d{4})-(\d\d)-(\d\d)/gm, '$3/$2/$1'),
};

const csvOf = (lines: readonly StatementLine[]): string =>
  [
    'date,amount,description,transaction_id',
    ...lines.map(({ bookedOn, cents, text, id = '' }) => [bookedOn, (cents / 100).toFixed(2), text, id].join(',')),
  ].join('\n');

const files = fc.array(
  fc.record({
    from: fc.nat({ max: 4 }),
    days: fc.integer({ min: 1, max: 5 }),
    damage: fc.constantFrom(...Object.keys(damages)),
  }),
  { minLength: 1, maxLength: 6 },
);

test('the same days in any order, repeated, overlapping, in any encoding or altered by a spreadsheet are stored once', () => {
  fc.assert(
    fc.property(history, files, (movements, imports) => {
      const kept: KnownLine[] = [];
      const covered = new Set<string>();
      for (const { from, days, damage } of imports) {
        const [start, end] = [addDays(first, from), addDays(first, from + days - 1)];
        const inFile = movements.filter(({ bookedOn }) => bookedOn >= start && bookedOn <= end);
        const { lines } = parseStatement(damages[damage]?.(csvOf(inFile)) ?? '');
        const { fresh, uncertain } = compareLines(identifyLines(lines), kept);
        expect(uncertain).toEqual([]);
        for (const { id, bookedOn, cents, description } of fresh)
          kept.push({ lineId: `${id.replace(/#\d+$/, '')}#${kept.length + 2}`, bookedOn, cents, description });
        for (const { bookedOn } of inFile) covered.add(bookedOn);
      }
      const happened = movements.filter(({ bookedOn }) => covered.has(bookedOn));
      expect(kept).toHaveLength(happened.length);
      expect(total(kept.map(({ cents }) => cents))).toBe(total(happened.map(({ cents }) => cents)));
    }),
    { numRuns: 400 },
  );
});
