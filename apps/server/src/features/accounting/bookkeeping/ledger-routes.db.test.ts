import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract/console';
import { beforeEach, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub, forgetEverything } from '#testing/makers.ts';

const api = ownApp();

beforeEach(() => forgetEverything(api.db));

async function finance() {
  const person = await anOperator(api.db, { roles: ['finance'] });
  return <Op extends contract.ConsoleOperation>(operation: Op, input: object = {}) =>
    callConsole(api.app, operation, input, person);
}

const aCorrection = (given: object = {}) => ({
  id: randomUUID(),
  debit: 'operator_funds',
  credit: 'owed_to_clubs',
  cents: 20_00,
  reason: 'paid to another club',
  ...given,
});

test('a correction is booked once, a larger one waits for a second person, and both pages list it', async () => {
  const call = await finance();
  const clubId = await aClub(api.db, { name: 'Bay Rovers' });
  const first = aCorrection({ clubId });
  for (let sent = 0; sent < 2; sent += 1)
    expect((await call(contract.correctLedger, first)).body).toEqual({ asked: null });
  const again = await call(contract.correctLedger, { ...first, cents: 21_00 });
  expect([again.status, again.body.error.message]).toEqual([409, 'This id belongs to another correction.']);
  expect((await call(contract.correctLedger, aCorrection({ clubId, cents: 31_00 }))).body.asked).not.toBeNull();
  const [asked] = await api.rows`select summary from approvals`;
  expect(asked?.summary).toBe(
    "Correction for Bay Rovers: debit “Operator's money” $31.00, credit “Owed to clubs” $31.00",
  );
  const fee = aCorrection({ debit: 'fees', credit: 'suspense', cents: 2_50 });
  expect((await call(contract.correctLedger, fee)).body).toEqual({ asked: null });

  const listed = { ...first, bookedOn: expect.any(String), club: 'Bay Rovers' };
  expect((await call(contract.listCorrections, { clubId })).body.rows).toEqual([listed]);
  const page = (await call(contract.listCorrections, { limit: '1' })).body;
  const rest = (await call(contract.listCorrections, { after: String(page.next) })).body;
  const all = [...page.rows, ...rest.rows];
  expect(all).toHaveLength(2);
  expect(all).toContainEqual(listed);
  expect(all).toContainEqual({ ...fee, bookedOn: listed.bookedOn, club: null, clubId: null });
});

test('no more is taken from a club than its balance, and no more written off than its debt', async () => {
  const call = await finance();
  const clubId = await aClub(api.db, { name: 'Bay Rovers' });
  const taken = await call(contract.correctLedger, aCorrection({ clubId, debit: 'owed_to_clubs', credit: 'fees' }));
  expect([taken.status, taken.body.error.message]).toEqual([409, 'At most $0.00 can be taken from the club.']);
  const balance = async () => (await call(contract.retrieveClubBalance, { clubId })).body;
  expect(await balance()).toEqual({ owesCents: 0, reservedCents: 0, reserveCents: 0 });
  expect((await call(contract.setClubReserve, { clubId, cents: -1 })).status).toBe(400);
  expect((await call(contract.setClubReserve, { clubId, cents: 100_00 })).status).toBe(200);
  expect(await balance()).toMatchObject({ reserveCents: 100_00 });
  const writeOff = { id: randomUUID(), clubId, cents: 10_00, reason: 'given up' };
  const { status, body } = await call(contract.writeOffClub, writeOff);
  expect([status, body.error.message]).toEqual([409, 'Bay Rovers owes $0.00; no more can be written off.']);
  const unknown = await call(contract.writeOffClub, { ...writeOff, clubId: randomUUID() });
  expect([unknown.status, unknown.body.error.message]).toEqual([404, 'The club was not found.']);
  expect((await call(contract.setClubReserve, { clubId: randomUUID(), cents: 0 })).status).toBe(404);
});

test("every account has a line, and clubs' debts are totalled and listed page by page", async () => {
  const call = await finance();
  const owing: [string, number][] = [
    ['Bay Rovers', 5_00],
    ['Harbour Divers', 20_00],
    ['Riverside Rovers', 5_00],
  ];
  for (const [name, cents] of owing) {
    const clubId = await aClub(api.db, { name });
    await api.rows`insert into club_balances (club_id, account, cents) values (${clubId}, 'payable', ${-cents})`;
  }
  const receivable = { clubs: 3, cents: 30_00 };
  expect((await call(contract.retrieveTrustBalance)).body).toMatchObject({ receivable });
  const first = (await call(contract.listReceivables, { limit: '2' })).body;
  const rest = (await call(contract.listReceivables, { after: String(first.next) })).body;
  const listed = [...first.rows, ...rest.rows];
  expect(listed.map(({ cents }) => cents)).toEqual([20_00, 5_00, 5_00]);
  expect(listed.map(({ club }) => club).toSorted()).toEqual(owing.map(([name]) => name));

  const { rows, next } = (await call(contract.listLedgerAccounts)).body;
  expect(next).toBeNull();
  expect(rows).toHaveLength(12);
  expect(rows).toContainEqual({
    id: 'trust_bank',
    account: 'trust_bank',
    side: 'asset',
    cents: 0,
    closedUntil: null,
  });
  expect(rows.filter(({ side }) => side === 'liability').map(({ id }) => id)).toContain('owed_to_clubs');
});

test.each([
  [{ credit: 'operator_funds', clubId: undefined }, 'two accounts'],
  [{ clubId: undefined }, 'A club goes with'],
  [{ debit: 'owed_to_savers' }, 'debit'],
])('the correction %j is refused', async (given, because) => {
  const call = await finance();
  const { status, body } = await call(contract.correctLedger, aCorrection({ clubId: randomUUID(), ...given }));
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(because)]);
});

test('every account of the ledgers has a name', async () => {
  const accounts = await api.rows`
    select unnest(enum_range(null::platform_account))::text as account
    union select unnest(enum_range(null::ledger_account))::text
    union select unnest(enum_range(null::club_account))::text`;
  const unnamed = accounts.filter(({ account }) => !contract.accountNames[String(account)]);
  expect(unnamed).toEqual([]);
});
