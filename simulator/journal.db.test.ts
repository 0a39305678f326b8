import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isoDate, longDay, negate, total } from '@sparechange/domain';
import { parseStatement } from '@sparechange/server/features/accounting/bank-statements/parse-statement.ts';
import { platformAccounts } from '@sparechange/server/features/accounting/bookkeeping/platform-accounts.ts';
import { journalAccount } from '@sparechange/server/features/accounting/journal/journal-accounts.ts';
import { closeAndRollUp } from '@sparechange/server/features/disbursements/remittances/close-and-roll-up.ts';
import { opsOn } from '@sparechange/server/ops/testing/run-ops.ts';
import { ownDatabase } from '@sparechange/server/testing/database.ts';
import { fillBooks } from '@sparechange/server/testing/fill-books.ts';
import {
  balancesBy,
  balancesOfBooks,
  type JournalProgram,
  journalPrograms,
} from '@sparechange/server/testing/journal-balances.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debianPrograms } from '../scripts/debian-programs.ts';

const database = ownDatabase();
const ops = opsOn(() => database);
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
  file = join(folder, 'books.journal');
  await fillBooks(database);
  await closeAndRollUp(database.pool, isoDate('2026-12-05'));
});
afterAll(() => rm(folder, { recursive: true }));

const whole = { from: isoDate('2026-05-01'), to: isoDate('2026-12-05') };
const later = { from: isoDate('2026-11-25'), to: isoDate('2026-11-30') };

test('the whole books and those of some days are written, for their owner alone', async () => {
  expect(await ops('ledger', 'export', '--journal', file)).toMatchObject({ code: 0 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(/\n; end: \d+ transactions\n$/);
  expect(text).toContain('"Correction"\n  ; ref: correction\n  ; reason: paid to another club by mistake\n');
  const printed = await ops('ledger', 'export', '--journal', '--from', later.from, '--to', later.to);
  expect(printed.code).toBe(0);
  expect(printed.said).toContain('2026-11-24 * "Opening balances of supporters"\n');
  expect(printed.said).not.toMatch(/^2026-(?:12|11-2[0-3])/m);
});

/** The words of a fee of 25 November 2026 that was imported later. */
const fee = 'ACCOUNT FEE';

test("a bank's line is booked on the day of its import, with the bank's own day and words beside it", async () => {
  const [line] = await database.rows<{ bankDay: string; importedOn: string }[]>`
    select line.booked_on as "bankDay", entry.booked_on as "importedOn" from bank_statement_lines line
    join platform_entries entry on entry.source = line.account || ' ' || line.line_id and entry.account = 'trust_bank'
    where description = ${fee} and kind = 'statement_line'`;
  expect(await ops('ledger', 'export', '--journal', file)).toMatchObject({ code: 0 });
  const journal = await readFile(file, 'utf8');
  for (const title of ['Bank statement line', 'Bank statement line matched'])
    expect(journal).toMatch(
      new RegExp(`"${title}"\n  ; ref: [^\n]+\n  ; bank-day: ${line?.bankDay}\n  ; bank-words: ${fee}\n`),
    );
  expect(journal).toMatch(
    new RegExp(`^${line?.importedOn} \\* "Bank statement line"\n(?:  ;.*\n)*  ; bank-words: ${fee}$`, 'm'),
  );
  const words = `Bank's day ${longDay(isoDate(line?.bankDay ?? ''))}: ${fee} Bank statement line `;
  await ops('ledger', 'export', '--ofx', file, '--account', 'trust_bank');
  expect(await readFile(file, 'utf8')).toContain(`<NAME>${fee}</NAME><MEMO>${words}`);
  await ops('ledger', 'export', '--camt053', file, '--account', 'trust_bank');
  expect(await readFile(file, 'utf8')).toContain(`<AddtlNtryInf>${words}`);
});

test.each(['ofx', 'camt053'])('our own reader finds each account of the platform in a file as %s', async (format) => {
  const ours = await balancesOfBooks(database.rows, whole);
  for (const account of platformAccounts) {
    expect(await ops('ledger', 'export', `--${format}`, file, '--account', account)).toMatchObject({ code: 0 });
    const read = parseStatement(await readFile(file));
    const name = `2026-12 ${journalAccount('platform', account)}`;
    const ofAccount = Object.entries(ours).filter(([key]) => key === name || key.startsWith(`${name}:`));
    const sum = total(ofAccount.map(([, amount]) => amount));
    const closing = name.includes('Assets') ? sum : negate(sum);
    expect(read.closingCents, account).toBe(closing);
    expect(total(read.lines.map((line) => line.cents)), account).toBe(closing);
    expect(new Set(read.lines.map(({ id }) => id)).size).toBe(read.lines.length);
  }
});

test.each([
  [['--year', '2026-28'], '2026-28 is not a financial year written 2026-27, or 2026 by its first year.'],
  [['--to', '2027-01-01'], 'The books are closed until 2026-12-05; --to takes no later day.'],
  [['--year', '2027'], 'No such day is in the books, which are closed from 2026-05-07 until 2026-12-05.'],
])('days %j are refused in one sentence', async (words, said) => {
  expect(await ops('ledger', 'export', '--journal', file, ...words)).toEqual({ code: 1, said: `${said}\n` });
});

test('a financial year under way ends with the last closed day', async () => {
  const { said } = await ops('ledger', 'export', '--journal', file, '--year', '2026-27', '--json');
  expect(JSON.parse(said)).toMatchObject({ from: '2026-07-01', to: '2026-12-05', file });
});

const found = await debianPrograms(journalPrograms);
const whyNot = found.whyNot ? ` (skipped: ${found.whyNot})` : '';
const programs = Object.keys(journalPrograms) as JournalProgram[];

test.skipIf(whyNot).each(programs)(`%s finds the balances of the books, month by month${whyNot}`, async (name) => {
  const path = found.whyNot === undefined ? found.paths[name] : '';
  for (const days of [whole, later]) {
    expect((await ops('ledger', 'export', '--journal', file, '--from', days.from, '--to', days.to)).code).toBe(0);
    const ours = await balancesOfBooks(database.rows, days);
    expect(Object.keys(ours).length).toBeGreaterThan(20);
    expect(await balancesBy[name](path, file, days)).toEqual(ours);
  }
});
