import { sydneyDay, unnamedAccount } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { readPlatformBooks } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeTrustStatement } from '#testing/fake-trust-statement.ts';
import { aClock, testEncryption } from '#testing/makers.ts';
import { aReconciledPayout } from '#testing/reconciled-payout.ts';
import { importStatement } from './import-statement.ts';
import { matchByHand } from './match-by-hand.ts';
import { listLines } from './statement-line-repository.ts';
import { takeBackStatement } from './take-back.ts';

const database = emptiedDatabase();
const by = { kind: 'operating_system', id: 'robin' } as const;
const someDeps = () => ({ db: database.pool, clock: aClock('2026-11-24T00:00:00Z'), encryption: testEncryption, by });

const balances = async () => (await readPlatformBooks(database.pool)).balances;
const kept = async () =>
  (await listLines(database.pool, false, 50)).map(({ lineId, cents, matchedKind, matchedWith }) => [
    lineId,
    cents,
    matchedKind,
    matchedWith,
  ]);
const violations = async () => (await auditBooks(database.pool)).violations;

const csv = (...rows: string[]) => ['date,amount,description', ...rows].join('\n');
const [one, two, three] = ['2026-11-10,1.00,ONE', '2026-11-11,2.00,TWO', '2026-11-12,4.00,THREE'];

test('an import taken back and imported again leaves the same books to the cent, matches included', async () => {
  const { deps: paid, clock, directDebit } = await aReconciledPayout(database.pool, [41]);
  const deps = { ...paid, by };
  await closeAndRollUp(database.pool, sydneyDay(clock.now()));
  const empty = await balances();
  const statement = `${fakeTrustStatement(directDebit.taken)}2026-11-26,-12.00,ACCOUNT FEE,FEE\n`;
  const { statementId, matched } = await importStatement(deps, statement);
  expect(matched).toBe(2);
  const [books, lines] = [await balances(), await kept()];
  for (let id = statementId, times = 0; times < 3; times += 1) {
    expect(await takeBackStatement(deps, id)).toMatchObject({ lines: 3, cents: -1200 });
    expect(await balances()).toEqual(empty);
    expect(await kept()).toEqual([]);
    expect(await violations()).toEqual([]);
    ({ statementId: id } = await importStatement(deps, statement));
    expect([await balances(), await kept()]).toEqual([books, lines]);
    expect(await violations()).toEqual([]);
  }
  expect((await reconcilePayments(deps)).different).toBe(0);
  const hand = { account: unnamedAccount, lineId: 'FEE', to: 'fees', reason: 'fee' } as const;
  expect(await matchByHand(deps, hand)).toBe('matched'); // a line that was booked before
  expect(await violations()).toEqual([]);
});

test('lines that another import has too stay, whichever of the two is taken back', async () => {
  const deps = someDeps();
  const { statementId: base } = await importStatement(deps, csv('2026-11-01,9.00,BASE'));
  const first = await importStatement(deps, csv(one, two));
  const second = await importStatement(deps, csv(two, three));
  expect(second).toMatchObject({ added: 1 });
  const ofLines = async () => (await listLines(database.pool, false, 9)).map(({ description }) => description);
  expect(await takeBackStatement(deps, first.statementId)).toMatchObject({ lines: 1, cents: 100 });
  expect(await ofLines()).toEqual(['THREE', 'TWO', 'BASE']);
  const again = await importStatement(deps, csv(one, two));
  expect(again).toMatchObject({ added: 1 });
  expect(await takeBackStatement(deps, second.statementId)).toMatchObject({ lines: 1, cents: 400 });
  expect(await ofLines()).toEqual(['TWO', 'ONE', 'BASE']);
  expect(await takeBackStatement(deps, again.statementId)).toMatchObject({ lines: 2 });
  expect(await takeBackStatement(deps, base)).toMatchObject({ lines: 1 });
  expect(await ofLines()).toEqual([]);
  expect(await balances()).toMatchObject({ trust_bank: 0, suspense: 0 });
  expect(await violations()).toEqual([]);
});

test('an import of which a line was matched by hand stays', async () => {
  const deps = someDeps();
  const { statementId } = await importStatement(deps, csv(one, two));
  const [line] = await listLines(database.pool, true, 1);
  const hand = { account: unnamedAccount, lineId: line?.lineId ?? '', to: 'fees', reason: 'fee' } as const;
  await matchByHand(deps, hand);
  await expect(takeBackStatement(deps, statementId)).rejects.toThrow(
    '1 line of it was matched by hand, so the import stays. Correct the ledger instead.',
  );
  expect(await kept()).toHaveLength(2);
});

test('an account’s first statement stays while later ones count from its balance', async () => {
  const deps = someDeps();
  const { statementId } = await importStatement(deps, csv(one));
  const later = await importStatement(deps, csv(two));
  await expect(takeBackStatement(deps, statementId)).rejects.toThrow('Take those back first.');
  await takeBackStatement(deps, later.statementId);
  await takeBackStatement(deps, statementId);
  await expect(takeBackStatement(deps, statementId)).rejects.toThrow('The import');
  expect(await kept()).toEqual([]);
});

test('what an earlier version imported stays', async () => {
  const deps = someDeps();
  const { statementId } = await importStatement(deps, csv(one));
  await database.rows`update bank_statements set added = null`;
  await database.rows`update bank_statement_lines set statements = null`;
  await expect(takeBackStatement(deps, statementId)).rejects.toThrow('by an earlier version');
  const later = await importStatement(deps, csv(one, two));
  expect(await takeBackStatement(deps, later.statementId)).toMatchObject({ lines: 1, cents: 200 });
  expect(await kept()).toHaveLength(1);
});

test('the act is in the audit log, with the person', async () => {
  const deps = someDeps();
  const { statementId } = await importStatement(deps, csv(one));
  await takeBackStatement(deps, statementId);
  const entries = await database.rows<{ details: object }[]>`
    select details from audit_log where action = 'took back a bank statement'`;
  expect(entries.map(({ details }) => details)).toEqual([
    expect.objectContaining({ statement: statementId, lines: 1, cents: 100, by: expect.stringContaining('robin') }),
  ]);
});
