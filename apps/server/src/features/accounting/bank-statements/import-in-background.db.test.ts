import { expect, test } from 'vitest';
import { planOf, statementsOf } from '#db/explain.ts';
import { readPlatformBooks } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, testEncryption } from '#testing/makers.ts';
import { beginImport, listImports } from './import-in-background.ts';
import { type ImportProgress, importStatement } from './import-statement.ts';
import { listLines } from './statement-line-repository.ts';

const database = emptiedDatabase();
const someDeps = () => ({ db: database.pool, clock: aClock('2026-11-24T00:00:00Z'), encryption: testEncryption });

const row = (place: number) =>
  `2026-11-${10 + (place % 10)},${((place + 1) / 100).toFixed(2)},LINE ${place},,N${place}`;
const csv = (from: number, until: number): string =>
  [
    'date,amount,description,reference,transaction_id',
    ...Array.from({ length: until - from }, (_, at) => row(from + at)),
  ].join('\n');

const booksOf = async () => (await readPlatformBooks(database.pool)).balances;
const countKept = async () => {
  const [kept] = await database.rows<{ lines: number; files: number }[]>`
    select (select count(*) from bank_statement_lines) as lines, (select count(*) from bank_statements) as files`;
  return kept;
};

test('lines of many pages are stored once by files that overlap, in any order', async () => {
  const deps = someDeps();
  expect(await importStatement(deps, csv(0, 2_500))).toMatchObject({ lines: 2_500, added: 2_500 });
  expect(await importStatement(deps, csv(1_500, 4_600))).toMatchObject({ lines: 3_100, added: 2_100 });
  const [head, ...rows] = csv(0, 4_600).split('\n');
  expect(await importStatement(deps, [head, ...rows.toReversed()].join('\n'))).toMatchObject({ added: 0 });
  expect(await countKept()).toEqual({ lines: 4_600, files: 3 });
  expect(await booksOf()).toMatchObject({ trust_bank: 10_582_300, suspense: 10_582_300 });
  expect((await auditBooks(database.pool)).violations).toEqual([]);
});

test('an import that breaks off after some pages books nothing, and the same file is imported whole after it', async () => {
  const deps = someDeps();
  const seen: ImportProgress[] = [];
  const noteProgress = async (progress: ImportProgress) => {
    seen.push(progress);
    if (progress.done === 2_000) throw new Error('the process is gone');
  };
  await expect(importStatement(deps, csv(0, 2_500), {}, { noteProgress })).rejects.toThrow('the process is gone');
  expect(seen).toEqual([1_000, 2_000].map((done) => ({ stage: 'booking', done, of: 2_500 })));
  expect(await countKept()).toEqual({ lines: 0, files: 0 });
  expect(await booksOf()).toMatchObject({ trust_bank: 0, suspense: 0 });
  expect(await importStatement(deps, csv(0, 2_500))).toMatchObject({ added: 2_500 });
});

test('the session of an import that is ended in the middle leaves no line', async () => {
  const deps = someDeps();
  const noteProgress = async ({ done }: ImportProgress) => {
    if (done < 2_000) return;
    await database.rows`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid()`;
  };
  await expect(importStatement(deps, csv(0, 2_500), {}, { noteProgress })).rejects.toThrow();
  expect(await countKept()).toEqual({ lines: 0, files: 0 });
  expect(await importStatement(deps, csv(0, 2_500))).toMatchObject({ added: 2_500 });
});

test('an import is listed with its result, or the refusal and the question that it ended with', async () => {
  const deps = someDeps();
  const good = await beginImport(deps, 'good.csv', csv(0, 3), {}, {});
  const result = await good.work;
  const changed = 'date,amount,description\n2026-11-10,0.01,OTHER WORDS\n';
  const asked = await beginImport(deps, 'asked.csv', changed, {}, {});
  await expect(asked.work).rejects.toThrow('imported before, is not in this file');
  expect(await listImports(database.pool, deps.clock, 3)).toMatchObject([
    { id: asked.id, fileName: 'asked.csv', state: 'refused', result: null, questions: ['changedLines'] },
    { id: good.id, fileName: 'good.csv', state: 'done', problem: null, result, done: 3, total: 3 },
  ]);
});

test('an import of many lines shows its progress; one whose process has ended is cut off, and later forgotten', async () => {
  const deps = someDeps();
  const { id, work } = await beginImport(deps, 'large.csv', csv(0, 5_000), {}, {});
  await work;
  const [{ done, total } = { done: 0, total: 0 }] = await listImports(database.pool, deps.clock, 1);
  expect([done, total]).toEqual([5_000, 5_000]);
  await database.rows`update bank_statement_imports set state = 'booking' where id = ${id}`; // as a crash leaves it
  const stateOf = async () => (await listImports(database.pool, deps.clock, 1))[0]?.state;
  expect(await stateOf()).toBe('booking');
  deps.clock.setTo('2026-11-24T00:06:00Z');
  expect(await stateOf()).toBe('cut_off');
  deps.clock.setTo('2026-12-30T00:00:00Z');
  const next = await beginImport(deps, 'next.csv', csv(0, 1), {}, {});
  await next.work;
  expect((await listImports(database.pool, deps.clock, 3)).map(({ fileName }) => fileName)).toEqual(['next.csv']);
});

test('a file that cannot be read is listed as refused, and nothing is booked', async () => {
  const deps = someDeps();
  const { work } = await beginImport(deps, 'a.xml', '<Document>'.repeat(90), {}, {});
  await expect(work).rejects.toMatchObject({ code: 'invalid-input' });
  expect(await listImports(database.pool, deps.clock, 1)).toMatchObject([{ state: 'refused' }]);
  expect(await listLines(database.pool, false, 9)).toEqual([]);
});

test('the list of imports costs the same however many lines they have', async () => {
  const { db, clock } = someDeps();
  const { statementId } = await importStatement(someDeps(), csv(0, 10));
  await database.rows`
    insert into bank_statement_lines (account, line_id, booked_on, cents, description, imported_at, statements)
    select account, 'more ' || n, '2026-11-10', 1, 'MORE', '2026-11-24', array[${statementId}::uuid]
    from generate_series(1, 20000) as n, (select account from bank_statements) as statement`;
  await database.rows`analyze bank_statement_lines`;
  const [sent] = await statementsOf(db, (noted) => listImports(noted, clock, 5));
  expect(sent && (await planOf(db, sent))).toContain('bank_statement_lines_by_hand');
});
