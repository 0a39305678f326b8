import { isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, forgetEverything, testEncryption } from '#testing/makers.ts';
import { statementExports, type TrueLine, type TrueLines } from '#testing/statement-exports.ts';
import { importStatement } from './import-statement.ts';
import { StatementProblem } from './statement-file.ts';
import { openingId } from './statement-line-repository.ts';

const database = emptiedDatabase();
const clock = aClock('2027-01-20T00:00:00Z');

/** Histories of a run; a long one, as before a release, sets more. */
const histories = Number(process.env.STATEMENT_HISTORIES ?? 150);

const days = ['2026-12-30', '2026-12-31', '2027-01-04', '2027-01-05', '2027-01-06'].map(isoDate);

const truthOf = fc.record({
  openingCents: fc.integer({ min: 0, max: 90_000 }),
  lines: fc
    .array(
      fc.record({
        bookedOn: fc.constantFrom(...days),
        cents: fc.constantFrom(1250, 1250, -1250, 40_000, -40_000, 1),
        words: fc.constantFrom('CLUB PAYOUT', 'SETTLEMENT', 'CAFÉ FEE', 'OSKO DEPOSIT ALPHA'),
      }),
      { minLength: 1, maxLength: 10 },
    )
    .map((lines) => lines.toSorted((one, other) => one.bookedOn.localeCompare(other.bookedOn))),
});

const formats = Object.keys(statementExports);
/** Formats in which a lost line cannot hide: each line stands between balances. */
const provable = formats.filter((format) => !['ANZ', 'Bendigo', 'OFX 1', 'OFX 2'].includes(format));

/** Damage to a file between the bank and the import. */
const damages = {
  none: (file: string) => Buffer.from(file),
  'Windows letters': (file: string) => Buffer.from(file, 'latin1'),
  'more blanks': (file: string) => Buffer.from(file.replace(/(CLUB|OSKO|CAFÉ) /g, '$1      ')),
  'oldest first': (file: string) => Buffer.from(inReverse(file)),
  'cut off': (file: string) => Buffer.from(file.slice(0, (file.length * 2) / 3)),
} as const;

/** Reverses the rows of a CSV file, whose first line may name the columns; any other file is as it was. */
function inReverse(file: string): string {
  if (/^[<:]|^01,|^OFX/.test(file)) return file;
  const rows = file.split('\r\n').filter(Boolean);
  const head = /\d{2}/.test(rows[0] ?? '') ? [] : rows.splice(0, 1);
  return [...head, ...rows.toReversed(), ''].join('\r\n');
}

/** Lines after which an export has no balance, by their place among the others. */
const withoutBalance = {
  none: () => false,
  newest: (at: number, of: number) => at === of - 1,
  oldest: (at: number) => at === 0,
  some: (at: number) => at % 3 === 1,
  'but the last': (at: number, of: number) => at < of - 1,
} as const;

const exported = fc.record({
  format: fc.constantFrom(...formats),
  damage: fc.constantFrom<keyof typeof damages>(
    'none',
    'none',
    'Windows letters',
    'more blanks',
    'oldest first',
    'cut off',
  ),
  fromDay: fc.nat(days.length - 1),
  numberOfDays: fc.integer({ min: 1, max: days.length }),
  /** Lines without a balance after them, where a format has a balance after each. */
  without: fc.constantFrom<keyof typeof withoutBalance>('none', 'none', 'newest', 'oldest', 'some', 'but the last'),
  /** True if the last day's later movements were not booked yet. */
  isThatEvening: fc.boolean(),
});

type Exported = typeof exported extends fc.Arbitrary<infer Each> ? Each : never;

/** Cuts whole days out of the account, or all but the last movement of their last day. */
function windowOf({ openingCents, lines }: TrueLines, { fromDay, numberOfDays, isThatEvening, without }: Exported) {
  const chosen = days.slice(fromDay, fromDay + numberOfDays);
  const before = lines.filter(({ bookedOn }) => bookedOn < (chosen[0] ?? ''));
  const inside = lines.filter(({ bookedOn }) => chosen.includes(bookedOn));
  return {
    openingCents: before.reduce((sum, { cents }) => sum + cents, openingCents),
    lines: (isThatEvening ? inside.slice(0, -1) : inside).map((line, at, { length }) => ({
      ...line,
      hasNoBalance: withoutBalance[without](at, length),
    })),
  };
}

const inOrder = (lines: readonly Pick<TrueLine, 'bookedOn' | 'cents'>[]) =>
  lines.map(({ bookedOn, cents }) => `${bookedOn} ${cents}`).toSorted();

const bookedLines = async (): Promise<TrueLine[]> =>
  database.rows`
  select booked_on as "bookedOn", cents, description as words from bank_statement_lines where line_id <> ${openingId}`;

/** Expects the true opening balance of an import, unless the rows of a single day may be in either order. */
async function expectTrueOpening(id: string, { openingCents, lines }: TrueLines): Promise<void> {
  if (new Set(lines.map(({ bookedOn }) => bookedOn)).size === 1) return;
  const [kept] = await database.rows<{ cents: number | null }[]>`
    select opening_cents as cents from bank_statements where id = ${id}`;
  expect([null, openingCents]).toContain(kept?.cents);
}

/** Imports a file as a treasurer does who asks nobody; returns the import, undefined if it was refused. */
async function take(file: Buffer): Promise<string | undefined> {
  try {
    const deps = { db: database.pool, clock, encryption: testEncryption };
    return (await importStatement(deps, file, { account: '062000123456789' })).statementId;
  } catch (error) {
    if (error instanceof StatementProblem) return undefined;
    throw error;
  }
}

test('exports in any format, order and state never book a cent more than the account moved, nor less in the end', async () => {
  let [taken, refused, whole] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(
      truthOf,
      fc.array(exported, { maxLength: 5 }),
      fc.constantFrom(...provable),
      async (truth, files, last) => {
        await forgetEverything(database.pool);
        for (const each of files) {
          const part = windowOf(truth, each);
          if (part.lines.length === 0) continue;
          const id = await take(damages[each.damage](statementExports[each.format]?.(part) ?? ''));
          if (id) taken += 1;
          else refused += 1;
          if (id && each.damage !== 'cut off') await expectTrueOpening(id, part);
          const left = inOrder(truth.lines);
          for (const line of inOrder(await bookedLines())) {
            const place = left.indexOf(line);
            expect(place, `${line} is booked once too often`).not.toBe(-1);
            left.splice(place, 1);
          }
        }
        if (!(await take(Buffer.from(statementExports[last]?.(truth) ?? '')))) return;
        whole += 1;
        expect(inOrder(await bookedLines())).toEqual(inOrder(truth.lines));
      },
    ),
    { numRuns: histories },
  );
  // The property says nothing about files that are refused: most are taken.
  expect(taken).toBeGreaterThan(refused);
  expect(whole).toBeGreaterThan(histories / 2);
}, 3_600_000);
