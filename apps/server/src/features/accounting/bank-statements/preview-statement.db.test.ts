import type { ColumnMapping } from '@sparechange/contract/console';
import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeTrustStatement } from '#testing/fake-trust-statement.ts';
import { aClock, testEncryption } from '#testing/makers.ts';
import { aReconciledPayout } from '#testing/reconciled-payout.ts';
import { importStatement } from './import-statement.ts';
import { previewOrAsk, previewStatement } from './preview-statement.ts';

const database = emptiedDatabase();
const someDeps = () => ({ db: database.pool, clock: aClock('2026-11-24T00:00:00Z'), encryption: testEncryption });

const countRows = async () => {
  const [counts] = await database.rows`
    select (select count(*) from bank_statement_lines) as lines, (select count(*) from bank_statements) as statements,
      (select count(*) from bank_statement_imports) as imports, (select count(*) from platform_entries) as entries,
      (select count(*) from bank_statement_lines where matched_kind is not null) as matched`;
  return counts;
};

const head = 'date,amount,description,balance';
const csv = (...rows: string[]) => [head, ...rows].join('\n');

test('a preview foretells lines and matches of the import to the line, and writes nothing', async () => {
  const { deps, directDebit } = await aReconciledPayout(database.pool, [30, 41]);
  const statement = `${fakeTrustStatement(directDebit.taken)}2026-11-26,-12.00,ACCOUNT FEE,FEE\n`;
  const before = await countRows();
  const previewed = await previewStatement(deps, statement);
  expect(await countRows()).toEqual(before);
  const { lines, added, matched } = await importStatement(deps, statement);
  expect(matched).toBeGreaterThan(1); // the payout and a settlement
  expect(previewed).toMatchObject({ lines, added, known: 0, matching: matched, question: null, odd: [] });
  expect(previewed.first.filter(({ matches }) => matches)).toHaveLength(matched);
  expect(await previewStatement(deps, statement)).toMatchObject({ added: 0, known: lines, matching: 0 });
});

test('a preview names format, bank, account, days and balances, and the lines’ states', async () => {
  const deps = someDeps();
  const westpac = `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial
"032000123456",18/11/2026,"FEE",12.50,,1987.50,PAYMENT,
"032000123456",17/11/2026,"DEPOSIT",,2000.00,2000.00,DEP,
`;
  expect(await previewStatement(deps, westpac)).toMatchObject({
    format: 'CSV',
    bank: 'Westpac',
    isNewAccount: true,
    lines: 2,
    added: 2,
    firstDay: isoDate('2026-11-17'),
    lastDay: isoDate('2026-11-18'),
    openingCents: 0,
    closingCents: 198_750,
    first: [
      { cents: -1250, description: 'FEE', state: 'new', matches: false },
      { cents: 200_000, state: 'new' },
    ],
  });
  await importStatement(deps, westpac);
  const { isNewAccount, account, first } = await previewStatement(deps, westpac);
  expect([isNewAccount, first.map(({ state }) => state)]).toEqual([false, ['known', 'known']]);
  expect(account).not.toContain('032000');
});

test('known lines of the file’s days that the file lacks are said before anything is booked', async () => {
  const deps = someDeps();
  const one = '2026-11-10,1.00,FIRST,1.00';
  await importStatement(deps, csv(one, '2026-11-11,2.00,SECOND,3.00', '2026-11-12,4.00,THIRD,7.00'));
  const { odd, added, known } = await previewStatement(
    deps,
    ['date,amount,description', '2026-11-10,1.00,FIRST', '2026-11-12,4.00,THIRD', '2026-11-12,8.00,FOURTH'].join('\n'),
  );
  expect({ added, known }).toEqual({ added: 1, known: 2 });
  expect(odd).toEqual(['1 known line of these days is not in the file: $2.00 of 2026-11-11, "SECOND".']);
});

test('a question comes with the preview, and its answer changes the counts', async () => {
  const deps = someDeps();
  await importStatement(deps, 'date,amount,description\n2026-11-10,1.00,COFFEE AT');
  const reworded = 'date,amount,description\n2026-11-10,1.00,COFFEE AT NOON\n2026-11-10,2.00,TEA';
  expect(await previewStatement(deps, reworded)).toMatchObject({
    added: 1,
    known: 0,
    doubtful: 1,
    question: { question: 'changedLines', message: expect.stringContaining('COFFEE AT NOON') },
    first: [{ state: 'in_doubt' }, { state: 'new' }],
  });
  const known = { added: 1, known: 1, doubtful: 0, question: null };
  expect(await previewStatement(deps, reworded, { changedLines: 'same' })).toMatchObject(known);
  expect(await previewStatement(deps, reworded, { changedLines: 'new' })).toMatchObject({ added: 2, known: 0 });
});

test('a difference is named with the amount to accept', async () => {
  const deps = someDeps();
  await importStatement(deps, csv('2026-11-10,1.00,FIRST,1.00'));
  const later = csv('2026-11-12,4.00,THIRD,7.00');
  const previewed = await previewStatement(deps, later);
  expect(previewed.question).toMatchObject({ question: 'acceptedCents', askedCents: 200 });
  expect(previewed.odd).toEqual([expect.stringContaining('a statement may be missing')]);
  const { question } = await previewStatement(deps, later, { acceptedCents: previewed.question?.askedCents });
  expect(question).toBeNull();
});

test('a file that cannot be imported is refused in the words of the import', async () => {
  await expect(previewStatement(someDeps(), 'date,amount,description\n2026-11-10,1,50,X')).rejects.toThrow('line 2');
});

test('a mapping chosen once reads the next file of the account with the same heading', async () => {
  const deps = someDeps();
  const file = (day: string, words: string) => `Buchung,Wert,Text\n${day},1.00,${words}\n`;
  await expect(previewStatement(deps, file('03/04/2026', 'ONE'))).rejects.toThrow('The first line must name');
  const mapping = { columns: ['day', 'amount', 'words'], days: 'day_first' } satisfies ColumnMapping;
  expect(await previewStatement(deps, file('03/04/2026', 'ONE'), { mapping })).toMatchObject({
    isMapped: true,
    firstDay: isoDate('2026-04-03'),
  });
  await expect(previewStatement(deps, file('03/04/2026', 'ONE'))).rejects.toThrow('The first line must name'); // kept with the import alone
  await importStatement(deps, file('03/04/2026', 'ONE'), { mapping });
  expect(await previewStatement(deps, file('04/04/2026', 'TWO'))).toMatchObject({ isMapped: true, added: 1 });
  await expect(previewStatement(deps, file('04/04/2026', 'TWO'), { asksColumns: true })).rejects.toThrow('first line');
  await importStatement(deps, file('04/04/2026', 'TWO'), { mapping: { ...mapping, days: 'month_first' } });
  expect(await importStatement(deps, file('05/04/2026', 'THREE'))).toMatchObject({ added: 1 });
  const [kept] =
    await database.rows`select count(*) as mappings, min(mapping->>'days') as days from bank_statement_mappings`;
  expect(kept).toEqual({ mappings: 1, days: 'month_first' });
});

const ofx = (number: string, words: string) => `<STMTTRNRS><STMTRS><CURDEF>AUD
<BANKACCTFROM><BANKID>062000<ACCTID>${number}<ACCTTYPE>SAVINGS</BANKACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261120<TRNAMT>1.00<FITID>${words}<NAME>${words}</STMTTRN></BANKTRANLIST>
</STMTRS></STMTTRNRS>`;
const bothAccounts = `OFXHEADER:100\n<OFX><BANKMSGSRSV1>${ofx('11112222', 'OURS')}${ofx('33334444', 'THEIRS')}</BANKMSGSRSV1></OFX>`;

test('of a file of several accounts ours is chosen by its place, its number, or by the statements before', async () => {
  const deps = someDeps();
  await expect(previewStatement(deps, bothAccounts)).rejects.toThrow(/several accounts: \S+2222 \(1 line\), \S+4444/);
  expect(await previewOrAsk(deps, bothAccounts)).toMatchObject({
    accounts: [{ lines: 1, firstDay: '2026-11-20' }, { account: expect.stringMatching(/^X+4444$/) }],
  });
  for (const given of [{ accountInFile: 1 }, { account: '062000 11112222' }])
    expect(await previewStatement(deps, bothAccounts, given)).toMatchObject({
      lines: 1,
      first: [{ description: 'OURS' }],
    });
  await expect(previewStatement(deps, bothAccounts, { accountInFile: 3 })).rejects.toThrow('several accounts');
  await importStatement(deps, bothAccounts, { accountInFile: 1 });
  expect(await importStatement(deps, bothAccounts)).toMatchObject({ lines: 1, added: 0 });
  expect(await previewStatement(deps, bothAccounts)).toMatchObject({ known: 1, first: [{ description: 'OURS' }] });
});
