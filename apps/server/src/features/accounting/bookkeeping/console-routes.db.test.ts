import * as contract from '@sparechange/contract/console';
import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClearedDebit } from '#testing/money-day.ts';
import { recordBookCheck } from './book-check-repository.ts';

/** No answer is early on a busy machine. */
const api = ownApp({ edge: { patienceMs: 120_000 } });

async function somebody(role: contract.Role = 'finance') {
  const person = await anOperator(api.db, { roles: [role] });
  return <Op extends contract.ConsoleOperation>(operation: Op, input: object = {}) =>
    callConsole(api.app, operation, input, person);
}

const day = '2026-11-23';
const csv = `date,amount,description
${day},120.00,DEPOSIT 123456789
${day},-2.50,ACCOUNT FEE
${day},-2.50,ACCOUNT FEE
`;
const encoded = (text: string) => Buffer.from(text).toString('base64');

test('a preview says what an import would do, and books nothing', async () => {
  const call = await somebody();
  const input = { fileName: 'november.csv', content: encoded(csv), account: '062000 12345678' };
  expect((await call(contract.previewStatement, input)).body).toMatchObject({
    format: 'CSV',
    bank: null,
    lines: 3,
    added: 3,
    known: 0,
    matching: 0,
    first: [{ bookedOn: day, cents: 120_00, state: 'new', matches: false }, {}, {}],
  });
  expect((await call(contract.retrieveDay, { day })).body).toMatchObject({ bank: { lines: 0 } });
  expect((await call(contract.listStatementImports)).body.imports).toEqual([]);
});

test('a statement is imported once, its day compared, and an unmatched line matched by hand', async () => {
  const call = await somebody();
  const input = { fileName: 'november.csv', content: encoded(csv), account: '062000 12345678' };
  for (const added of [3, 0])
    expect((await call(contract.importStatement, input)).body).toEqual({
      statementId: expect.any(String),
      lines: 3,
      added,
      matched: 0,
      open: 3,
      gapCents: 0,
    });
  expect((await call(contract.retrieveDay, { day })).body).toMatchObject({
    bank: { lines: 3, inCents: 120_00, outCents: 5_00, open: 3, openCents: 115_00 },
    provider: null,
  });

  const first = (await call(contract.listStatementLines, { day, state: 'open', limit: '2' })).body;
  const rest = (await call(contract.listStatementLines, { day, state: 'open', after: String(first.next) })).body;
  const lines = [...first.rows, ...rest.rows];
  expect(new Set(lines.map(({ id }) => id)).size).toBe(3);
  expect(JSON.stringify(lines)).not.toMatch(/12345678/);
  const fee = lines.find(({ cents }) => cents < 0);
  const match = { account: fee?.account, lineId: fee?.lineId, to: 'fees', reason: 'the bank’s fee' };
  for (const isNew of [true, false])
    expect((await call(contract.matchStatementLine, match)).body).toEqual({ isNew, asked: null });
  expect((await call(contract.listStatementLines, { state: 'matched' })).body.rows).toMatchObject([
    { matchedKind: 'by_hand', matchedWith: 'fees' },
  ]);
  expect((await call(contract.retrieveTrustBalance)).body).toMatchObject({
    held: [{ account: 'trust_bank', cents: 115_00 }, {}],
    shortfalls: [{ account: 'fees', cents: 2_50 }],
  });
});

test.each([
  ['a,b\n1,2\n', 'The first line must name the columns'],
  ['date,amount,description\n2026-11-23,much,fee\n', '"much" is not an amount'],
  ['date,amount,description\n2026-11-23,1.00,fee\0\n', 'The file is not text'],
  [`date,amount,description\n${'2026-11-23,999999999999.99,x\n'.repeat(91)}`, 'come to more than'],
  ['date,amount,description\n0206-11-23,1.00,x\n', '"0206-11-23" is not a day'],
  ['<Document>', ''],
])('the file %j is refused with an explanation', async (content, because) => {
  const call = await somebody();
  const { status, body } = await call(contract.importStatement, { fileName: 'x', content: encoded(content) });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(because)]);
});

test('a statement of several megabytes is read', async () => {
  const call = await somebody();
  const lines = Array.from({ length: 3_000 }, (_, place) => `2026-11-22,1.00,LINE ${place} ${'x'.repeat(60)}`);
  const content = encoded(`date,amount,description\n${lines.join('\n')}\n`);
  const { body } = await call(contract.importStatement, { fileName: 'large.csv', content });
  expect(body).toMatchObject({ lines: 3_000, added: 3_000 });
});

test('a day is reconciled again with the provider; a day that the provider does not list is refused', async () => {
  const call = await somebody();
  expect((await call(contract.reconcileAgain, { day })).body).toMatchObject({
    matched: 0,
    differing: 0,
    differences: [],
  });
  for (const other of ['2020-01-01', '2030-01-01'])
    expect((await call(contract.reconcileAgain, { day: other })).status).toBe(400);
});

test('reconciliations and audits are listed page by page; a viewer sees only figures', async () => {
  const call = await somebody('viewer');
  for (const hour of [1, 2, 3])
    await recordBookCheck(api.db, {
      kind: 'reconciliation',
      startedAt: new Date(`2026-11-20T0${hour}:00:00Z`),
      tookMs: 5,
      found: hour === 3 ? 2 : 0,
    });
  const first = (await call(contract.listBookChecks, { limit: '2' })).body;
  expect(first.rows).toMatchObject([{ found: 2 }, { found: 0 }]);
  expect((await call(contract.listBookChecks, { after: String(first.next) })).body).toMatchObject({ next: null });
  expect((await call(contract.retrieveDay, { day })).status).toBe(200);
  expect((await call(contract.listStatementLines)).status).toBe(403);
});

test("a day shows the provider's settlements, once read, and the ledger's bookings", async () => {
  const call = await somebody();
  api.clock.setTo('2026-11-27T00:00:00Z');
  await aClearedDebit(api, await api.supporter(), 50);
  api.directDebit.clearAll();
  const settled = '2026-11-27';
  expect((await call(contract.retrieveDay, { day: settled })).body).toMatchObject({ provider: null });
  api.clock.setTo('2026-11-28T00:00:00Z');
  expect((await call(contract.reconcileAgain, { day: settled })).body).toMatchObject({ matched: 1, differing: 0 });
  await closeAndRollUp(api.db, isoDate(settled));
  const line = `date,amount,description\n${settled},0.50,SETTLEMENT\n`;
  const imported = { fileName: 'settled.csv', content: encoded(line), account: '062000 12345678' };
  expect((await call(contract.importStatement, imported)).body).toMatchObject({ added: 1, matched: 1 });
  const { body } = await call(contract.retrieveDay, { day: settled });
  expect(body).toMatchObject({
    bank: { lines: 1, inCents: 50, open: 0 },
    provider: { payments: 1, cents: 50, readAt: api.clock.now().toISOString() },
    ledger: [
      { account: 'owed_to_clubs', cents: 50 },
      { account: 'provider_float', cents: 50 },
    ],
    comparison: {
      state: 'agrees',
      differenceCents: 0,
      rows: [{ kind: 'settlement', bankCents: 50, providerCents: 50, ledgerCents: 50, differenceCents: 0 }],
    },
  });
  const { ledger } = (await call(contract.retrieveDay, { day: '2026-11-28' })).body;
  expect(ledger).toEqual([
    { account: 'provider_float', cents: -50 },
    { account: 'trust_bank', cents: 50 },
  ]);
});

test('an import is taken back by its id, once, until a line was matched by hand', async () => {
  const call = await somebody();
  const input = {
    fileName: 'december.csv',
    content: encoded(csv.replaceAll(day, '2026-11-22')),
    account: '062000 12345678',
  };
  const importIt = async () => {
    const { body } = await call(contract.importStatement, input);
    return 'statementId' in body ? body.statementId : undefined;
  };
  const statementId = await importIt();
  const latest = async () => (await call(contract.listStatementImports)).body.imports[0];
  expect(await latest()).toMatchObject({ fileName: 'december.csv', takeBack: 'possible', result: { statementId } });
  const taken = await call(contract.takeBackStatement, { statementId });
  expect(taken.body).toMatchObject({ lines: 3, cents: 115_00 });
  expect(await latest()).toMatchObject({ takeBack: 'done' });
  expect((await call(contract.takeBackStatement, { statementId })).status).toBe(404);
  const again = await importIt();
  await api.db`
    update bank_statement_lines set matched_kind = 'by_hand', matched_with = 'fees', matched_at = now()
    where booked_on = '2026-11-22' and cents = -250`;
  expect(await latest()).toMatchObject({ takeBack: 'matched_by_hand' });
  expect((await call(contract.takeBackStatement, { statementId: again })).status).toBe(409);
});

test('a bank line of $1 less than its settlement makes the day differ by $1.00, in one row', async () => {
  const [call, viewer] = [await somebody(), await somebody('viewer')];
  const settled = '2026-10-05';
  await api.db`
    insert into provider_settlements (settled_on, payments, cents, read_at) values (${settled}, 3, 4469, now())`;
  const line = `date,amount,description\n${settled},43.69,SETTLEMENT SHORT\n`;
  const imported = { fileName: 'short.csv', content: encoded(line), account: '062000 12345678' };
  expect((await call(contract.importStatement, imported)).body).toMatchObject({ added: 1, matched: 0 });
  const { comparison } = (await call(contract.retrieveDay, { day: settled })).body;
  expect(comparison).toMatchObject({ state: 'differs', differenceCents: 100, differing: 1 });
  expect(comparison.rows).toMatchObject([
    { description: 'SETTLEMENT SHORT', bankCents: 4369, providerCents: 4469, ledgerCents: null, differenceCents: 100 },
  ]);
  const seen = (await viewer(contract.retrieveDay, { day: settled })).body.comparison;
  expect(seen).toEqual({ ...comparison, rows: comparison.rows.map((row) => ({ ...row, description: null })) });
  expect((await call(contract.retrieveDay, { day: '2026-10-20' })).body.comparison.state).toBe('nothing');
});
