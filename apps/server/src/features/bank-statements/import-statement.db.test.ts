import { isoDate, unnamedAccount } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { readPlatformBooks } from '#features/bookkeeping/platform-accounts.ts';
import { auditBooks } from '#features/ledger/audit-books.ts';
import { applyOutcome } from '#features/outcomes/apply-outcome.ts';
import { reconcilePayments } from '#features/reconciliation/reconcile-payments.ts';
import { closeAndRollUp } from '#features/remittances/close-and-roll-up.ts';
import { remitToClubs } from '#features/remittances/remit-to-clubs.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { fakeTrustStatement } from '#testing/fake-trust-statement.ts';
import { aClock, aClub, aSupporter, cleared } from '#testing/makers.ts';
import { aClearedDebit, reverse, setBankDetails } from '#testing/money-day.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { importStatement } from './import-statement.ts';
import { matchByHand } from './match-by-hand.ts';
import { matchOpenLines } from './match-lines.ts';
import { listLines } from './statement-line-repository.ts';

const database = emptiedDatabase();
const by = { kind: 'operating_system', id: 'robin' } as const;

async function aClubToPay() {
  const clock = aClock('2026-11-24T00:00:00Z');
  const directDebit = fakeDirectDebit({ now: () => clock.now() });
  const club = await aClub(database.pool);
  await setBankDetails(database.pool, club, '12345678');
  const deps = paymentDeps(database.pool, clock, directDebit);
  return { deps, clock, directDebit, club };
}

test('a statement is matched line by line, what is left stays in suspense until somebody explains it', async () => {
  const { deps, clock, directDebit, club } = await aClubToPay();
  const debits: string[] = [];
  for (const cents of [30, 41])
    debits.push(await aClearedDebit(deps, await aSupporter(database.pool, { clubId: club, directDebit }), cents));
  directDebit.clearAll();
  clock.setTo('2026-11-25T00:00:00Z');
  await remitToClubs(deps);
  for (const { kind, providerRef } of directDebit.taken)
    if (kind === 'payout') await applyOutcome(deps, cleared(providerRef));
  directDebit.clearAll();
  clock.setTo('2026-11-26T00:00:00Z');
  const [claimed] = directDebit.taken;
  directDebit.return(claimed?.id ?? '', 2);
  clock.setTo('2026-11-27T00:00:00Z');
  const statement = `${fakeTrustStatement(directDebit.taken)}2026-11-26,-12.00,ACCOUNT FEE,FEE\n`;
  // The provider's settlements are not read yet, nor is the claim known.
  expect(await importStatement(deps, statement)).toMatchObject({
    lines: 4,
    added: 4,
    matched: 1,
    open: 3,
    gapCents: 0,
  });
  await reverse(deps, debits[0] ?? '');
  await reconcilePayments(deps);
  expect(await importStatement(deps, statement)).toMatchObject({
    lines: 4,
    added: 0,
    matched: 2,
    open: 1,
    gapCents: 0,
  });
  await closeAndRollUp(database.pool, isoDate('2026-11-27'));
  expect(await readPlatformBooks(database.pool)).toMatchObject({
    heldCents: -1230,
    balances: { trust_bank: -1230, provider_float: 0, suspense: -1200, receivable_from_club: 30, owed_to_clubs: 0 },
  });
  const fee = { account: unnamedAccount, to: 'fees', reason: 'monthly fee' } as const;
  expect(await matchByHand({ ...deps, by }, { ...fee, lineId: 'FEE' })).toBe('matched');
  expect(await matchByHand({ ...deps, by }, { ...fee, lineId: 'FEE' })).toBe('matched before');
  expect(await matchByHand({ ...deps, by }, { ...fee, lineId: 'OTHER' })).toBe('unknown');
  expect((await readPlatformBooks(database.pool)).shortfalls).toEqual({ receivable_from_club: 30, fees: 1200 });
  expect((await listLines(database.pool, false, 9)).map(({ matchedKind }) => matchedKind).toSorted()).toEqual([
    'by_hand',
    'claim',
    'payout',
    'settlement',
  ]);
  expect((await auditBooks(database.pool)).violations).toEqual([]);
});

test('a payout whose answer was lost is matched with the line of the day on which the provider carried it out', async () => {
  const { deps, clock, directDebit, club } = await aClubToPay();
  await aClearedDebit(deps, await aSupporter(database.pool, { clubId: club, directDebit }), 30);
  directDebit.clearAll();
  clock.setTo('2026-11-25T00:00:00Z');
  directDebit.failNext('time-out after effect');
  await remitToClubs(deps);
  clock.setTo('2026-11-26T00:00:00Z');
  await remitToClubs(deps);
  await reconcilePayments(deps);
  const statement = fakeTrustStatement(directDebit.taken);
  expect(statement).toContain('2026-11-25,-0.30,"TRANSFER OUT');
  expect(await importStatement(deps, statement)).toMatchObject({
    lines: 2,
    added: 2,
    matched: 2,
    open: 0,
    gapCents: 0,
  });
});

test('one account is known however it is spelled; another has to be called one', async () => {
  const { deps } = await aClubToPay();
  const csv = 'date,amount,description\n2026-11-23,-5.00,FEE\n2026-11-23,7.00,INTEREST\n';
  const add = async (account?: string, isNew = false) => (await importStatement(deps, csv, { account, isNew })).added;
  expect(await add('123456789')).toBe(2);
  for (const spelled of ['12 345 6789', '062-000 123456789', 'XXXXX6789', '', undefined])
    expect(await add(spelled)).toBe(0);
  await expect(add('55554321')).rejects.toThrow('Only statements of XXXXX6789 were imported before');
  await expect(add('', true)).rejects.toThrow('Please give the number');
  expect(await add('5555 4321', true)).toBe(2);
  expect(await add('55554321')).toBe(0);
  await expect(add()).rejects.toThrow('Please say which account it is: XXXX4321, XXXXX6789.');
});

test('a file that names its account goes on from statements that named none, once a person says so', async () => {
  const { deps } = await aClubToPay();
  await importStatement(deps, 'date,amount,description,transaction_id\n2026-11-23,7.00,INTEREST,A1\n');
  const camt = `<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>062000123456789</Id></Othr></Id></Acct><Ntry>
    <Amt Ccy="AUD">7.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-23</Dt></BookgDt>
    <AcctSvcrRef>A1</AcctSvcrRef></Ntry></Stmt></BkToCstmrStmt></Document>`;
  await expect(importStatement(deps, camt)).rejects.toThrow('Only statements of trust account');
  expect((await importStatement(deps, camt, { account: 'trust account' })).added).toBe(0);
});

const camt = (content: string) =>
  `<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>062000123456789</Id></Othr></Id></Acct>${content}</Stmt></BkToCstmrStmt></Document>`;
const balance = (code: string, dollars: string) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>
  <Amt Ccy="AUD">${dollars}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const entry = (day: string, dollars: string) => `<Ntry><Amt Ccy="AUD">${dollars}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
  <Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><NtryRef>1</NtryRef></Ntry>`;

test('a statement says so where it does not begin with what the one before ended with', async () => {
  const { deps } = await aClubToPay();
  const gapOf = async (day: string, opening: string, closing: string) => {
    const statement = camt(`${balance('OPBD', opening)}${balance('CLBD', closing)}${entry(day, '1.00')}`);
    return (await importStatement(deps, statement)).gapCents;
  };
  expect(await gapOf('2026-11-20', '50.00', '51.00')).toBe(0);
  expect(await gapOf('2026-11-22', '52.00', '53.00')).toBe(100);
  expect(await gapOf('2026-11-21', '51.00', '52.00')).toBe(0);
  expect(await gapOf('2026-11-22', '52.00', '53.00')).toBe(0);
});

test('the balance that a first statement without movements begins with is booked with the first line', async () => {
  const { deps } = await aClubToPay();
  const statement = (entries: string, closing: string) =>
    camt(`${balance('OPBD', '50.00')}${balance('CLBD', closing)}${entries}`);
  expect(await importStatement(deps, statement('', '50.00'))).toMatchObject({ lines: 0, added: 0, open: 0 });
  const next = statement(entry('2026-11-22', '1.00'), '51.00');
  expect(await importStatement(deps, next)).toMatchObject({ added: 2, open: 2, gapCents: 0 });
  expect(await importStatement(deps, next)).toMatchObject({ added: 0, gapCents: 0 });
  expect((await readPlatformBooks(database.pool)).balances).toMatchObject({ trust_bank: 5100, suspense: 5100 });
});

test('lines of before the first statement began, which its opening balance holds, are refused', async () => {
  const { deps } = await aClubToPay();
  const statement = (opening: string, closing: string, ...entries: string[]) =>
    camt(`${balance('OPBD', opening)}${balance('CLBD', closing)}${entries.join('')}`);
  const first = statement('50.00', '52.00', entry('2026-11-22', '1.00'), entry('2026-11-20', '1.00'));
  expect(await importStatement(deps, first)).toMatchObject({ added: 3 });
  const earlier = statement('49.00', '50.00', entry('2026-11-19', '1.00'));
  await expect(importStatement(deps, earlier)).rejects.toThrow('before 2026-11-20');
  expect(await importStatement(deps, first)).toMatchObject({ added: 0, gapCents: 0 });
  expect((await readPlatformBooks(database.pool)).balances).toMatchObject({ trust_bank: 5200 });
});

const somebodyWaits = async () => {
  const waiting = await database.rows`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
};

test('a line that is matched by hand while payments are matched is explained once', async () => {
  const { deps, clock, directDebit, club } = await aClubToPay();
  const debit = await aClearedDebit(deps, await aSupporter(database.pool, { clubId: club, directDebit }), 30);
  directDebit.clearAll();
  directDebit.return(directDebit.taken[0]?.id ?? '', 2);
  clock.setTo('2026-11-27T00:00:00Z');
  await importStatement(deps, fakeTrustStatement(directDebit.taken));
  const [claim] = (await listLines(database.pool, true, 9)).filter(({ cents }) => cents < 0);
  await reverse(deps, debit);
  let matching: ReturnType<typeof matchOpenLines> | undefined;
  const recordEnd = async () => {
    matching = matchOpenLines(deps);
    await expect.poll(somebodyWaits).toBe(true);
  };
  const byHand = { account: unnamedAccount, lineId: claim?.lineId ?? '', to: 'operator_loss', reason: 'lost' } as const;
  expect(await matchByHand({ ...deps, by }, byHand, { recordEnd })).toBe('matched');
  await matching;
  expect(await listLines(database.pool, false, 9)).toContainEqual(
    expect.objectContaining({ lineId: claim?.lineId, matchedKind: 'by_hand' }),
  );
  await closeAndRollUp(database.pool, isoDate('2026-11-27'));
  expect((await auditBooks(database.pool)).violations).toEqual([]);
});

test('what the provider settled is found behind thousands of lines that nothing explains', async () => {
  const { deps, clock, directDebit, club } = await aClubToPay();
  await aClearedDebit(deps, await aSupporter(database.pool, { clubId: club, directDebit }), 30);
  directDebit.clearAll();
  clock.setTo('2026-11-26T00:00:00Z');
  await reconcilePayments(deps);
  const unexplained = Array.from({ length: 10_000 }, (_, place) => `2026-11-20,-1.00,CARD ${place}`);
  const head = 'date,amount,description';
  await importStatement(deps, [head, ...unexplained].join('\n'));
  const settled = [head, '2026-11-25,0.30,SETTLEMENT', '2026-11-25,0.30,SETTLEMENT'].join('\n');
  expect(await importStatement(deps, settled)).toMatchObject({ added: 2, matched: 1, open: 10_001 });
});

test('a file whose ids are those of other lines is refused, and nothing of it is imported', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,transaction_id';
  const first = [head, '2026-11-20,7.00,INTEREST,1', '2026-11-20,-2.50,FEE,2'].join('\n');
  expect(await importStatement(deps, first)).toMatchObject({ added: 2 });
  const numberedAnew = [head, '2026-11-21,9.00,DEPOSIT,3', '2026-11-21,5.00,DEPOSIT,1'].join('\n');
  await expect(importStatement(deps, numberedAnew)).rejects.toThrow('The id 1 of a line of 2026-11-21');
  const anotherWeek = [head, '2026-11-13,7.00,INTEREST,1'].join('\n');
  await expect(importStatement(deps, anotherWeek)).rejects.toThrow('$7.00 of 2026-11-20');
  const byAnotherDay = first.replaceAll('2026-11-20', '2026-11-22');
  for (const again of [first, byAnotherDay])
    expect(await importStatement(deps, again)).toMatchObject({ added: 0, open: 2 });
});

test('lines that share an id of the bank are known in any order', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,transaction_id';
  const [transfer, fee] = ['2026-11-20,-7.00,TRANSFER,A1', '2026-11-20,-0.50,FEE OF IT,A1'];
  expect(await importStatement(deps, [head, transfer, fee].join('\n'))).toMatchObject({ added: 2 });
  expect(await importStatement(deps, [head, fee, transfer].join('\n'))).toMatchObject({ added: 0, open: 2 });
});
