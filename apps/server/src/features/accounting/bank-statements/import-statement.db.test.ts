import { type Cents, cents, isoDate, unnamedAccount } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { readPlatformBooks } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { fakeTrustStatement } from '#testing/fake-trust-statement.ts';
import { aClock, aClub, aSupporter, cleared } from '#testing/makers.ts';
import { aClearedDebit, reverse, setBankDetails } from '#testing/money-day.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { untilWaiting } from '#testing/waiting.ts';
import { importStatement } from './import-statement.ts';
import { matchByHand } from './match-by-hand.ts';
import { linesOfPage, matchOpenLines, selectExplained, selectLine } from './match-lines.ts';
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

test('a statement is matched line by line; the rest stays in suspense until somebody explains it', async () => {
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
  // The provider's settlements have not been read, nor is the claim known.
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

test('an account is recognised in any spelling; another one has to be declared new', async () => {
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

const camt = (content: string) =>
  `<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>062000123456789</Id></Othr></Id></Acct>${content}</Stmt></BkToCstmrStmt></Document>`;
const balance = (code: string, dollars: string) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>
  <Amt Ccy="AUD">${dollars}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const entry = (day: string, dollars: string) => `<Ntry><Amt Ccy="AUD">${dollars}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
  <Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><NtryRef>1</NtryRef></Ntry>`;
const numbered = (
  number: string,
  ...[day, dollars, before]: [string, string, string]
) => `<Document><BkToCstmrStmt><Stmt>
  <Acct><Id><Othr><Id>${number}</Id></Othr></Id></Acct>${balance('OPBD', before)}${balance('CLBD', (Number(before) + Number(dollars)).toFixed(2))}
  ${entry(day, dollars)}</Stmt></BkToCstmrStmt></Document>`;
const [one, other] = ['062000444400001', '111111111110001'];

test('an account whose number ends in the digits of another is asked about, and has its own balance', async () => {
  const { deps } = await aClubToPay();
  expect(await importStatement(deps, numbered(one, '2026-11-20', '5.00', '10.00'))).toMatchObject({ added: 2 });
  const ofOther = numbered(other, '2026-11-20', '5.00', '90.00');
  await expect(importStatement(deps, ofOther)).rejects.toThrow(
    'Only statements of XXXXXXXXXXX0001 were imported before. Please give one of them as the account, or say that 2-XXXXXXXXXXX0001 is another one.',
  );
  await expect(importStatement(deps, ofOther, { account: other })).rejects.toThrow('Only statements of');
  expect(await importStatement(deps, ofOther, { isNew: true })).toMatchObject({ added: 2, gapCents: 0 });
  for (const [number, before] of [
    [one, '15.00'],
    [other, '95.00'],
  ] as const) {
    const next = numbered(number, '2026-11-23', '2.00', before);
    expect(await importStatement(deps, next)).toMatchObject({ added: 1, gapCents: 0 });
    expect(await importStatement(deps, next, { isNew: true })).toMatchObject({ added: 0 });
  }
  const withoutNumber = 'date,amount,description\n2026-11-24,3.00,INTEREST\n';
  await expect(importStatement(deps, withoutNumber)).rejects.toThrow('which account it is: 2-XXXXXXXXXXX0001, XXX');
  await expect(importStatement(deps, withoutNumber, { account: '4440001' })).rejects.toThrow('Only statements of');
  expect(await importStatement(deps, withoutNumber, { account: `AU ${other}` })).toMatchObject({ added: 1 });
  expect(await importStatement(deps, withoutNumber, { account: '2-XXXXXXXXXXX0001' })).toMatchObject({ added: 0 });
  const withoutBsb = 'date,amount,description\n2026-11-25,3.00,INTEREST\n';
  await expect(importStatement(deps, withoutBsb, { account: '999900001' })).rejects.toThrow('Only statements of');
  expect(await importStatement(deps, withoutBsb, { account: '444400001' })).toMatchObject({ added: 1 });
  const kept =
    await database.rows`select account, count(*) from bank_statement_lines group by account order by account`;
  expect(kept).toEqual([
    { account: '2-XXXXXXXXXXX0001', count: 4 },
    { account: 'XXXXXXXXXXX0001', count: 4 },
  ]);
  const text = JSON.stringify(await database.rows`select bank_statements::text as row from bank_statements`);
  expect(text).not.toMatch(/44440|11111/);
});

test('an account stored without its whole number is known by its last digits until a file has it', async () => {
  const { deps } = await aClubToPay();
  await importStatement(deps, numbered(one, '2026-11-20', '5.00', '10.00'));
  await database.rows`update bank_statements set account_hashes = null`; // state that the previous version left
  const given = 'date,amount,description\n2026-11-20,5.00,INTEREST\n';
  expect(await importStatement(deps, given, { account: 'XXXXXXXXXXX0001', changedLines: 'same' })).toMatchObject({
    added: 0,
  });
  expect(await importStatement(deps, numbered(one, '2026-11-23', '2.00', '15.00'))).toMatchObject({ added: 1 });
  await expect(importStatement(deps, numbered(other, '2026-11-24', '2.00', '17.00'))).rejects.toThrow(
    'Only statements',
  );
});

test('with another key the last digits count again, and imported lines are known by the new key', async () => {
  const { deps } = await aClubToPay();
  const [former, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const under = (...keys: [Buffer, ...Buffer[]]) => ({ ...deps, encryption: makeFieldEncryption(keys) });
  await importStatement(under(former), numbered(one, '2026-11-20', '5.00', '10.00'));
  const ofOther = numbered(other, '2026-11-24', '2.00', '17.00');
  await expect(importStatement(under(current, former), ofOther)).rejects.toThrow('Only statements');
  expect(await importStatement(under(current), numbered(one, '2026-11-23', '2.00', '15.00'))).toMatchObject({
    added: 1,
  });
  await expect(importStatement(under(current), ofOther)).rejects.toThrow('Only statements');
});

test('a file that names its account continues statements that named none, once a person confirms it', async () => {
  const { deps } = await aClubToPay();
  await importStatement(deps, 'date,amount,description,transaction_id\n2026-11-23,7.00,INTEREST,A1\n');
  const camt = `<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>062000123456789</Id></Othr></Id></Acct><Ntry>
    <Amt Ccy="AUD">7.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-23</Dt></BookgDt>
    <AcctSvcrRef>A1</AcctSvcrRef><AddtlNtryInf>INTEREST</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>`;
  await expect(importStatement(deps, camt)).rejects.toThrow('Only statements of trust account');
  expect((await importStatement(deps, camt, { account: 'trust account' })).added).toBe(0);
});

test('a file of another account than the one given is refused', async () => {
  const { deps } = await aClubToPay();
  const of = (number: string) => `date,amount,description,acct\n2026-11-23,-5.00,FEE,${number}\n`;
  const add = async (file: string, account?: string, isNew = false) =>
    (await importStatement(deps, file, { account, isNew })).added;
  const refusal = 'The file is of the account XXXX4321, not of XXXXX6789.';
  await expect(add(of('87654321'), '123456789')).rejects.toThrow(refusal);
  await expect(add(camt(entry('2026-11-23', '1.00')), '87654321')).rejects.toThrow('not of XXXX4321');
  expect(await add(of('123456789'), '123456789')).toBe(1);
  await expect(add(of('87654321'), '123456789')).rejects.toThrow(
    `${refusal} Choose the file of that account, or delete`,
  );
  await expect(add(of('87654321'))).rejects.toThrow('Only statements of XXXXX6789 were imported before');
  await expect(add(of('87654321'), '123456789', true)).rejects.toThrow(refusal);
  expect(await add(of('87654321'), '87654321', true)).toBe(1);
  await expect(add(of('XXXX 4321'), 'XXXXX6789')).rejects.toThrow('not of XXXXX6789');
});

test('a statement that does not begin with the previous closing balance is reported', async () => {
  const { deps } = await aClubToPay();
  const gapOf = async (day: string, opening: string, closing: string, acceptedCents?: Cents) => {
    const statement = camt(`${balance('OPBD', opening)}${balance('CLBD', closing)}${entry(day, '1.00')}`);
    return (await importStatement(deps, statement, { acceptedCents })).gapCents;
  };
  expect(await gapOf('2026-11-20', '50.00', '51.00')).toBe(0);
  await expect(gapOf('2026-11-22', '52.00', '53.00')).rejects.toThrow('The opening balance is $1.00 more than');
  expect((await listLines(database.pool, false, 9)).map(({ bookedOn }) => bookedOn)).not.toContain('2026-11-22');
  expect(await gapOf('2026-11-22', '52.00', '53.00', cents(100))).toBe(100);
  expect(await gapOf('2026-11-21', '51.00', '52.00')).toBe(0);
  expect(await gapOf('2026-11-22', '52.00', '53.00')).toBe(0);
});

test('the opening balance of a first statement without movements is booked with the first line', async () => {
  const { deps } = await aClubToPay();
  const statement = (entries: string, closing: string) =>
    camt(`${balance('OPBD', '50.00')}${balance('CLBD', closing)}${entries}`);
  expect(await importStatement(deps, statement('', '50.00'))).toMatchObject({ lines: 0, added: 0, open: 0 });
  const next = statement(entry('2026-11-22', '1.00'), '51.00');
  expect(await importStatement(deps, next)).toMatchObject({ added: 2, open: 2, gapCents: 0 });
  expect(await importStatement(deps, next)).toMatchObject({ added: 0, gapCents: 0 });
  expect((await readPlatformBooks(database.pool)).balances).toMatchObject({ trust_bank: 5100, suspense: 5100 });
});

test('lines before the first statement, which its opening balance includes, are refused', async () => {
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

test('a line matched by hand during automatic matching is explained once', async () => {
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
    await untilWaiting(database.rows);
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

test("the provider's settlements are found behind thousands of unexplained lines", async () => {
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

test('a settlement and a payment find their lines by an index, however many lines are open', async () => {
  await database.rows`
    insert into bank_statement_lines (account, line_id, booked_on, cents, reference, description, imported_at)
    select 'XXXX1', n::text, '2026-01-01'::date + n % 300, n, case when n % 2 = 0 then 'CL' || n end, 'OPEN', '2026-11-24'
    from generate_series(1, 20000) as n`;
  await database.rows`
    insert into provider_settlements (settled_on, payments, cents, read_at)
    select '2026-01-01'::date + n, 1, n, '2026-11-24' from generate_series(1, 200) as n`;
  await database.rows`analyze bank_statement_lines`;
  await database.rows`analyze provider_settlements`;
  const settlement = { settledOn: isoDate('2026-02-01'), cents: cents(31) };
  const payment = {
    side: 'payout',
    reference: 'CL12',
    cents: cents(12),
    state: 'cleared',
    plannedAt: new Date(0),
  } as const;
  const line = linesOfPage(database.rows, { accounts: '{XXXX1}', ids: '{12}' });
  const plans = [
    [selectLine(database.rows, settlement), 'bank_statement_lines_open_amounts'],
    [selectExplained(database.rows, JSON.stringify([payment]), line), 'bank_statement_lines_pkey'],
  ] as const;
  for (const [select, index] of plans) {
    const rows = await database.rows<{ 'QUERY PLAN': string }[]>`explain ${select}`;
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan on bank_statement_lines line');
  }
  const { deps } = await aClubToPay();
  expect(await matchOpenLines(deps)).toEqual({ matched: 100, open: 19_900 });
});

test('a file with ids of other lines is refused, and none of it is imported', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,transaction_id';
  const first = [head, '2026-11-20,7.00,INTEREST,1', '2026-11-20,-2.50,FEE,2'].join('\n');
  expect(await importStatement(deps, first)).toMatchObject({ added: 2 });
  const numberedAnew = [head, '2026-11-21,9.00,DEPOSIT,3', '2026-11-21,5.00,DEPOSIT,1'].join('\n');
  await expect(importStatement(deps, numberedAnew)).rejects.toThrow('The id 1 of a line of 2026-11-21');
  const anotherWeek = [head, '2026-11-13,7.00,INTEREST,1'].join('\n');
  await expect(importStatement(deps, anotherWeek)).rejects.toThrow('$7.00 of 2026-11-20');
  expect(await importStatement(deps, first)).toMatchObject({ added: 0, open: 2 });
  const byAnotherDay = first.replaceAll('2026-11-20', '2026-11-22');
  await expect(importStatement(deps, byAnotherDay)).rejects.toMatchObject({
    fields: { changedLines: expect.stringContaining('Please say of the 2 lines in doubt') },
  });
  const asSame = await importStatement(deps, byAnotherDay, { changedLines: 'same' });
  expect(asSame).toMatchObject({ added: 0, open: 2 });
  expect(await importStatement(deps, byAnotherDay, { changedLines: 'new' })).toMatchObject({ added: 2, open: 4 });
});

test('lines that share a bank id are recognised in any order', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,transaction_id';
  const [transfer, fee] = ['2026-11-20,-7.00,TRANSFER,A1', '2026-11-20,-0.50,FEE OF IT,A1'];
  expect(await importStatement(deps, [head, transfer, fee].join('\n'))).toMatchObject({ added: 2 });
  expect(await importStatement(deps, [head, fee, transfer].join('\n'))).toMatchObject({ added: 0, open: 2 });
});

test('a line is recognised in another encoding of the file', async () => {
  const { deps } = await aClubToPay();
  const csv = 'date,amount,description\n2026-11-20,-5.00,CAFÉ SØRENSEN\n';
  const camt = (encoding: BufferEncoding, name: string) =>
    Buffer.from(
      `<?xml version="1.0" encoding="${name}"?><Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>062000123456789</Id></Othr></Id></Acct>
        <Ntry><Amt Ccy="AUD">7.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-23</Dt></BookgDt>
        <AddtlNtryInf>STRAßE</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>`,
      encoding,
    );
  const encoded = [Buffer.from(csv), Buffer.from(csv, 'latin1'), Buffer.from(`\uFEFF${csv}`, 'utf16le')];
  for (const [place, bytes] of encoded.entries())
    expect(await importStatement(deps, bytes)).toMatchObject({ lines: 1, added: place === 0 ? 1 : 0 });
  const account = { account: 'trust account' };
  expect(await importStatement(deps, camt('latin1', 'ISO-8859-1'), account)).toMatchObject({ added: 1 });
  expect(await importStatement(deps, camt('utf8', 'UTF-8'), account)).toMatchObject({ added: 0 });
  const descriptions = (await listLines(database.pool, true, 9)).map(({ description }) => description);
  expect(descriptions).toEqual(['STRAßE', 'CAFÉ SØRENSEN']);
});

const closingFile = (opening: string, closing: string, ...entries: string[]) =>
  camt(`${balance('OPBD', opening)}${balance('CLBD', closing)}${entries.join('')}`);
const named = (day: string, dollars: string, words: string, id = 'NONREF') =>
  entry(day, dollars).replace(
    '<NtryRef>1</NtryRef>',
    `<AcctSvcrRef>${id}</AcctSvcrRef><AddtlNtryInf>${words}</AddtlNtryInf>`,
  );

test('a placeholder instead of an id leaves no money out', async () => {
  const { deps } = await aClubToPay();
  const [monday, tuesday] = [named('2026-11-23', '100.00', 'DEPOSIT'), named('2026-11-24', '100.00', 'DEPOSIT')];
  expect(await importStatement(deps, closingFile('0.00', '100.00', monday))).toMatchObject({ added: 1 });
  expect(await importStatement(deps, closingFile('100.00', '200.00', tuesday))).toMatchObject({ added: 1 });
  expect(await importStatement(deps, closingFile('0.00', '200.00', monday, tuesday))).toMatchObject({ added: 0 });
  expect((await readPlatformBooks(database.pool)).balances).toMatchObject({ trust_bank: 20_000 });
});

test('a closing balance that differs from the lines is reported before anything is booked, and accepted once', async () => {
  const { deps } = await aClubToPay();
  await importStatement(deps, closingFile('0.00', '100.00', named('2026-11-23', '100.00', 'DEPOSIT')));
  const csv = 'date,amount,description\n2026-11-24,30.00,FROM A FILE OF ANOTHER KIND\n';
  await importStatement(deps, csv, { account: '123456789' });
  const next = closingFile('100.00', '150.00', named('2026-11-24', '50.00', 'DEPOSIT'));
  await expect(importStatement(deps, next)).rejects.toThrow(
    'The closing balance of $150.00 is $30.00 less than the lines known and those of the file come to.',
  );
  await expect(importStatement(deps, next, { acceptedCents: cents(2_900) })).rejects.toThrow('$30.00 less');
  expect((await listLines(database.pool, true, 9)).map((line) => line.cents)).toEqual([3_000, 10_000]);
  expect(await importStatement(deps, next, { acceptedCents: cents(3_000) })).toMatchObject({ added: 1 });
  const later = closingFile('150.00', '151.00', named('2026-11-24', '1.00', 'INTEREST'));
  expect(await importStatement(deps, later)).toMatchObject({ added: 1 });
});

test('the balances of a CSV file, in either order, are also compared, and are not booked as lines', async () => {
  const { deps } = await aClubToPay();
  const head = 'Date,Amount,Description,Balance';
  const older = [head, '2026-11-20,5.00,B,62.00', '2026-11-19,7.00,A,57.00'];
  expect(await importStatement(deps, older.join('\n'))).toMatchObject({ added: 2, gapCents: 0 });
  const later = [head, '2026-11-23,1.00,C,64.00', '2026-11-24,1.00,D,65.00'];
  await expect(importStatement(deps, later.join('\n'))).rejects.toThrow('The opening balance is $1.00 more than');
  const missing = [head, '2026-11-20,5.00,B,62.00', '2026-11-21,1.00,E,63.00'];
  expect(await importStatement(deps, missing.join('\n'))).toMatchObject({ added: 1 });
  expect(await importStatement(deps, later.join('\n'))).toMatchObject({ added: 2, gapCents: 0 });
});

test('a row missing from a CSV file with balances is asked about before anything is booked', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,balance';
  const missing = [head, '2026-11-19,7.00,A,57.00', '2026-11-20,1.00,B,65.00', '2026-11-20,1.00,C,66.00'].join('\n');
  const refusal = importStatement(deps, missing);
  await expect(refusal).rejects.toThrow('line 3: the balance of $65.00 is $7.00 more than that of line 2');
  await expect(refusal).rejects.toMatchObject({
    fields: { acceptedCents: expect.stringContaining('accept a difference of $7.00.') },
  });
  await expect(importStatement(deps, missing, { acceptedCents: cents(100) })).rejects.toThrow('line 3');
  expect(await listLines(database.pool, false, 9)).toEqual([]);
  expect(await importStatement(deps, missing, { acceptedCents: cents(700) })).toMatchObject({ added: 3 });
  expect(await importStatement(deps, missing)).toMatchObject({ added: 0 });
  const next = [head, '2026-11-23,1.00,D,67.00'].join('\n');
  expect(await importStatement(deps, next)).toMatchObject({ added: 1 });
});

test('one amount is accepted for some rows of a day and a closing balance that differs by more', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,balance';
  await importStatement(deps, [head, '2026-11-19,7.00,A,57.00'].join('\n'));
  const some = [head, '2026-11-23,1.00,B,68.00', '2026-11-23,2.00,C,75.00'].join('\n');
  await expect(importStatement(deps, some)).rejects.toThrow('line 3: the balance of $75.00 is $5.00 more');
  await expect(importStatement(deps, some)).rejects.toThrow('The closing balance of $75.00 is $15.00 more');
  await expect(importStatement(deps, some)).rejects.toThrow('accept a difference of $20.00.');
  expect(await importStatement(deps, some, { acceptedCents: cents(2_000) })).toMatchObject({ added: 2 });
});

test('a file of one row is compared by its balance', async () => {
  const { deps } = await aClubToPay();
  const row = (line: string) => importStatement(deps, `date,amount,description,balance\n${line}\n`);
  expect(await row('2026-11-19,7.00,A,57.00')).toMatchObject({ added: 1 });
  await expect(row('2026-11-23,1.00,C,63.00')).rejects.toThrow('The opening balance is $5.00 more than');
  expect(await row('2026-11-20,5.00,B,62.00')).toMatchObject({ added: 1 });
  expect(await row('2026-11-23,1.00,C,63.00')).toMatchObject({ added: 1, gapCents: 0 });
});

test('rows of one day whose balances fit either order are read in the order that follows the known lines', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,balance';
  await importStatement(deps, [head, '2026-11-19,10.00,A,10.00'].join('\n'));
  const reversal = [head, '2026-11-20,5.00,B,10.00', '2026-11-20,-5.00,C,5.00'].join('\n');
  expect(await importStatement(deps, reversal)).toMatchObject({ added: 2, gapCents: 0 });
});

test('a file imported for two accounts gives both its balance', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,balance';
  const monday = [head, '2026-11-20,7.00,INTEREST,57.00', '2026-11-20,5.00,INTEREST,62.00'].join('\n');
  const tuesday = [head, '2026-11-23,1.00,INTEREST,64.00', '2026-11-24,1.00,INTEREST,65.00'].join('\n');
  for (const [account, isNew] of [
    ['123456789', false],
    ['55554321', true],
  ] as const) {
    expect(await importStatement(deps, monday, { account, isNew })).toMatchObject({ added: 2 });
    expect(await importStatement(deps, monday, { account })).toMatchObject({ added: 0 });
    await expect(importStatement(deps, tuesday, { account })).rejects.toThrow('The opening balance is $1.00 more than');
  }
  const kept = await database.rows`select account from bank_statements order by account`;
  expect(kept).toEqual([{ account: 'XXXX4321' }, { account: 'XXXXX6789' }]);
});

test('a file imported for one known account is not booked for another unless a person confirms it', async () => {
  const { deps } = await aClubToPay();
  const add = async (file: string, account: string, isNew = false) =>
    (await importStatement(deps, file, { account, isNew })).added;
  const file = (cents: string) => `date,amount,description\n2026-11-23,${cents},INTEREST\n`;
  expect(await add(file('7.00'), '123456789')).toBe(1);
  expect(await add(file('8.00'), '55554321', true)).toBe(1);
  await expect(add(file('7.00'), '55554321')).rejects.toThrow(
    'This file was imported before, as a statement of XXXXX6789. Choose that account, or say that it is another account.',
  );
  expect(await add(file('7.00'), '123456789')).toBe(0);
  expect(await add(file('7.00'), '55554321', true)).toBe(1);
  expect(await add(file('7.00'), '55554321')).toBe(0);
});

test('a line with changed words is asked about, unless the closing balance identifies it', async () => {
  const { deps } = await aClubToPay();
  const [evening, morning] = ['OSKO DEPOSIT', 'OSKO DEPOSIT ALPHA CLUB RECEIPT 4711'].map(
    (words) => `date,amount,description\n2026-11-23,10.00,${words}\n`,
  );
  await importStatement(deps, evening ?? '');
  await expect(importStatement(deps, morning ?? '')).rejects.toThrow(
    '"OSKO DEPOSIT" of that day and amount, imported before, is not in this file',
  );
  expect(await importStatement(deps, morning ?? '', { changedLines: 'same' })).toMatchObject({ added: 0, open: 1 });
  expect(await importStatement(deps, morning ?? '', { changedLines: 'new' })).toMatchObject({ added: 1, open: 2 });
});

test('ids that restart during a day leave no money out: a person, the file or its balance decides', async () => {
  const { deps } = await aClubToPay();
  const head = 'date,amount,description,transaction_id';
  const [alpha, beta] = ['2026-11-23,100.00,FROM ALPHA,1', '2026-11-23,100.00,FROM BETA,1'];
  expect(await importStatement(deps, [head, alpha].join('\n'))).toMatchObject({ added: 1 });
  const afternoon = [head, beta].join('\n');
  await expect(importStatement(deps, afternoon)).rejects.toMatchObject({
    fields: { changedLines: expect.stringContaining('has the id "1" of "FROM ALPHA" of that day and amount') },
  });
  expect(await importStatement(deps, afternoon, { changedLines: 'new' })).toMatchObject({ added: 1, open: 2 });
  expect(await importStatement(deps, afternoon)).toMatchObject({ added: 0, open: 2 });
  expect(await importStatement(deps, [head, beta, alpha].join('\n'))).toMatchObject({ added: 0, open: 2 });
  const both = [head, alpha, beta, '2026-11-23,100.00,FROM GAMMA,1'].join('\n');
  expect(await importStatement(deps, both)).toMatchObject({ added: 1, open: 3 });
});

test('the closing balance decides whether an id with other words is that of a known line', async () => {
  const { deps } = await aClubToPay();
  const [alpha, beta] = ['ALPHA', 'BETA'].map((words) => named('2026-11-23', '10.00', words, 'N1')) as [string, string];
  expect(await importStatement(deps, closingFile('0.00', '10.00', alpha))).toMatchObject({ added: 1 });
  expect(await importStatement(deps, closingFile('0.00', '10.00', beta))).toMatchObject({ added: 0 });
  expect(await importStatement(deps, closingFile('10.00', '20.00', beta))).toMatchObject({ added: 1 });
});

test('the closing balance decides whether a line in other words is a known one', async () => {
  const { deps } = await aClubToPay();
  const file = (closing: string, ...words: string[]) =>
    closingFile('0.00', closing, ...words.map((each) => named('2026-11-23', '10.00', each)));
  expect(await importStatement(deps, file('10.00', 'OSKO DEPOSIT'))).toMatchObject({ added: 1 });
  expect(await importStatement(deps, file('10.00', 'OSKO DEPOSIT ALPHA'))).toMatchObject({ added: 0, open: 1 });
  expect(await importStatement(deps, file('20.00', 'OSKO DEPOSIT ALPHA', 'BETA'))).toMatchObject({ added: 1, open: 2 });
});

test('a transfer and its fee under one id are booked once each', async () => {
  const { deps } = await aClubToPay();
  const [transfer, fee] = [named('2026-11-24', '100.00', 'TRANSFER', 'B7'), named('2026-11-24', '0.50', 'FEE', 'B7')];
  expect(await importStatement(deps, closingFile('0.00', '100.00', transfer))).toMatchObject({ added: 1 });
  expect(await importStatement(deps, closingFile('0.00', '100.50', fee, transfer))).toMatchObject({ added: 1 });
  expect(await importStatement(deps, closingFile('0.00', '100.50', transfer, fee))).toMatchObject({ added: 0 });
});

test('lines stored before blanks were folded, or under a placeholder, are still recognised', async () => {
  const { deps } = await aClubToPay();
  await importStatement(deps, 'date,amount,description\n2026-11-20,1.00,FIRST\n');
  const raw = ['2026-11-23', 1_000, 'TRANSFER      FROM  ALPHA'].join('|');
  await database.rows`
    insert into bank_statement_lines (account, line_id, booked_on, cents, description, imported_at)
    select account, encode(sha256(convert_to(${raw}, 'UTF8')), 'hex')::varchar(32), '2026-11-23'::date, 1000, 'TRANSFER      FROM  ALPHA', imported_at
    from bank_statement_lines union all
    select account, 'NOTPROVIDED', '2026-11-23', 500, 'DEPOSIT', imported_at from bank_statement_lines`;
  const again = ['date,amount,description', '2026-11-23,10.00,TRANSFER FROM ALPHA', '2026-11-23,5.00,DEPOSIT'];
  expect(await importStatement(deps, again.join('\n'))).toMatchObject({ lines: 2, added: 0 });
});

test('a line dated the next banking day is booked, one after it refused', async () => {
  const { deps } = await aClubToPay();
  const of = (day: string) => importStatement(deps, `date,amount,description\n${day},1.00,DEPOSIT\n`);
  expect(await of('2026-11-25')).toMatchObject({ added: 1 });
  await expect(of('2026-11-26')).rejects.toThrow('The line of 2026-11-26 is of a day to come.');
});
