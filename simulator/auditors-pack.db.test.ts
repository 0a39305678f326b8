import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cents, isoDate, parseDollars, total } from '@sparechange/domain';
import { makeAuditKeys } from '@sparechange/server/audit/audit-keys.ts';
import { readCsv } from '@sparechange/server/csv.ts';
import { watchAuditLog } from '@sparechange/server/features/accounting/bookkeeping/watch-audit-log.ts';
import { clubPart } from '@sparechange/server/features/accounting/journal/journal-accounts.ts';
import { closeAndRollUp } from '@sparechange/server/features/disbursements/remittances/close-and-roll-up.ts';
import { opsOn } from '@sparechange/server/ops/testing/run-ops.ts';
import { ownDatabase } from '@sparechange/server/testing/database.ts';
import { fakeCheckpointFile } from '@sparechange/server/testing/fake-checkpoint-file.ts';
import { fillBooks } from '@sparechange/server/testing/fill-books.ts';
import { balancesBy, balancesOfBooks } from '@sparechange/server/testing/journal-balances.ts';
import { aClock, testKey } from '@sparechange/server/testing/makers.ts';
import { strFromU8, unzipSync } from 'fflate';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { debianPrograms } from '../scripts/debian-programs.ts';

const run = promisify(execFile);
const database = ownDatabase();
const ops = opsOn(() => database);
/** The year before, and the one under way, as their options say. */
const years = {
  '2025-26': { from: isoDate('2026-05-07'), to: isoDate('2026-06-30') },
  '2026': { from: isoDate('2026-07-01'), to: isoDate('2026-12-05') },
};
let parent: string;
const folderOf = (year: string) => join(parent, `pack-${year}`);

/** Fills books with a checkpoint of the audit log, packs both years, and unpacks them. */
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'auditors-pack-'));
  await fillBooks(database);
  await closeAndRollUp(database.pool, years['2026'].to);
  const [clock, auditKeys] = [aClock('2026-11-27T02:00:00Z'), makeAuditKeys([testKey])];
  const checkpointFile = fakeCheckpointFile();
  await watchAuditLog({ db: database.pool, clock, auditKeys, checkpointFile, log: pino({ level: 'silent' }) });
  for (const [year, days] of Object.entries(years)) {
    const file = `${folderOf(year)}.zip`;
    const { code, said } = await ops('auditors-pack', file, '--year', year, '--json');
    expect({ code, ...JSON.parse(said) }).toMatchObject({ code: 0, ...days, leftOut: [] });
    for (const [name, bytes] of Object.entries(unzipSync(await readFile(file)))) {
      await mkdir(dirname(join(parent, name)), { recursive: true });
      await writeFile(join(parent, name), bytes);
    }
  }
});
afterAll(() => rm(parent, { recursive: true }));

/** Reads sums of the page with their commands. */
async function figuresOfPage(folder: string) {
  const page = await readFile(join(folder, 'README.md'), 'utf8');
  const rows = page.matchAll(/^\| (.+) \| (-?\d+\.\d\d) \| `(.+)` \|$/gm);
  const figures = [...rows].map(([, name = '', dollars = '', command = '']) => ({
    name,
    cents: parseDollars(dollars) ?? Number.NaN,
    command,
  }));
  return { page, figures };
}

const found = await debianPrograms({ hledger: 'hledger' });
const whyNot = found.whyNot ? ` (skipped: ${found.whyNot})` : '';

describe.each(Object.entries(years))('the pack of %s', (year, days) => {
  /** Runs a command as an auditor does. */
  const asAuditor = async (command: string) => (await run('sh', ['-c', command], { cwd: folderOf(year) })).stdout;

  test.skipIf(whyNot)(`has a command for every sum, which finds it${whyNot}`, async () => {
    const { page, figures } = await figuresOfPage(folderOf(year));
    for (const { name, cents, command } of figures) {
      const [, amount = '0'] = /(-?[\d.]+)/.exec(await asAuditor(command)) ?? [];
      expect(parseDollars(amount), `${name}: ${command}`).toBe(cents);
    }
    const balancing = [...page.matchAll(/^- `(hledger .* ':.*:')`$/gm)];
    expect(balancing.length).toBe(3);
    for (const [, command = ''] of balancing) expect((await asAuditor(command)).trimEnd()).toMatch(/-\n +0$/);
  });

  test.skipIf(whyNot)(`has our balances of each month, which hledger finds${whyNot}`, async () => {
    const text = await readFile(join(folderOf(year), 'balances.csv'), 'utf8');
    const rows = readCsv(text).map(({ cells }) => cells);
    const listed = Object.fromEntries(
      rows.slice(1).map(([month, account, amount = '']) => [`${month} ${account}`, parseDollars(amount)]),
    );
    const path = found.whyNot === undefined ? found.paths.hledger : '';
    expect(await balancesBy.hledger(path, join(folderOf(year), 'books.journal'), days)).toEqual(listed);
    expect(await balancesOfBooks(database.rows, days)).toEqual(listed);
  });

  test('has statements that add up to the payouts sent, and the hash of each file', async () => {
    const { figures } = await figuresOfPage(folderOf(year));
    const sum = (of: RegExp) =>
      total(figures.filter(({ name, command }) => of.test(`${name} ${command}`)).map((each) => cents(each.cents)));
    expect(sum(/statements\//)).toBe(sum(/that are (?:cleared|submitted) today/));
    expect(await asAuditor('sha256sum -c SHA256SUMS')).not.toContain('FAILED');
  });

  test('names no supporter, and no account number', async () => {
    const people = await database.rows<{ last: string; email: string }[]>`
      select last_name as last, email from supporters limit 5`;
    const text = await asAuditor('cat *.journal *.csv *.jsonl *.md statements/* 2>/dev/null || true');
    for (const { last, email } of people) for (const word of [` ${last}`, email]) expect(text).not.toContain(word);
    expect(text).not.toContain('12345678');
  });
});

test('payouts, receipts and checkpoints are in the year to which they belong', async () => {
  const namesIn = async (year: string) =>
    (await figuresOfPage(folderOf(year))).figures.filter(({ cents }) => cents !== 0).map(({ name }) => name);
  expect((await namesIn('2025-26')).filter((name) => /^Receipts|^Payouts of/.test(name))).toEqual([
    'Receipts of the year from 2025-07-01: total',
    'Receipts of the month from 2026-05-01: total',
  ]);
  expect((await namesIn('2026')).filter((name) => /^Receipts/.test(name))).toEqual([]);
  expect((await namesIn('2026')).filter((name) => /^Payouts of/.test(name)).length).toBe(5);
  const checkpointsOf = (year: string) => readFile(join(folderOf(year), 'checkpoints.jsonl'), 'utf8');
  expect(await checkpointsOf('2026')).toMatch(/^\{.*"number":1,"madeAt":"2026-11-27T02:00:00.000Z".*\}\n$/);
  expect(await checkpointsOf('2025-26')).toBe('');
});

test('a statement that does not add up is left out, which the command and the page say', async () => {
  const [wrong] = await database.pool<{ name: string }[]>`
    insert into remittances (club_id, run_date, attempt, amount_cents, reference, planned_at, state, submitted_at, due_on)
    select club_id, run_date, 9, 1, 'CL0123456789ABCDEF', planned_at, state, submitted_at, due_on from remittances
    where state = 'submitted' limit 1
    returning (select slug from clubs where id = club_id) as name`;
  const file = join(parent, 'partly.zip');
  const { code, said } = await ops('auditors-pack', file, '--year', '2026-27');
  const name = `statements/${clubPart('', wrong?.name)}.csv`;
  expect(code).toBe(1);
  expect(said).toContain(`LEFT OUT: \`${name}\` could not be written: `);
  const files = unzipSync(await readFile(file));
  expect(Object.keys(files)).not.toContain(`partly/${name}`);
  expect(strFromU8(files['partly/README.md'] ?? new Uint8Array())).toContain(`## Left out\n\n- \`${name}\` could not`);
});
