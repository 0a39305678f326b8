import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { aClub, aSupporter, aTenant, cleared, returned, someTenants, type TestSupporter } from '#testing/makers.ts';
import { aClearedDebit, reverse, setBankDetails } from '#testing/money-day.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { clubStatement, startOfStatement } from './club-statement.ts';
import { remitToClubs } from './remit-to-clubs.ts';

const { database, clock, directDebit, deps } = ownPayments({ isAudited: false });
let club: string;
const [november, december] = [isoDate('2026-11-01'), isoDate('2026-12-01')];
beforeEach(async () => {
  on('2026-11-24');
  club = await aClub(database.pool);
  await setBankDetails(database.pool, club, '12345678');
});

const on = (day: string) => clock.setTo(`${day}T00:00:00Z`);
const statement = (month = november) => clubStatement(database.pool, club, month);
const lastRef = () => directDebit.taken.at(-1)?.providerRef ?? '';

async function named(firstName: string, lastName: string, savings = false): Promise<TestSupporter> {
  const supporter = await aSupporter(database.pool, { clubId: club, directDebit, savings });
  await database.rows`
    update supporters set first_name = ${firstName}, last_name = ${lastName} where supporter_id = ${supporter.supporterId}`;
  return supporter;
}

async function donates({ supporterId }: TestSupporter, amount: number): Promise<void> {
  const gift = { amount: cents(amount), requestId: crypto.randomUUID() };
  await requestDonation(database.pool.of(supporterId), clock, someTenants(aTenant()), supporterId, gift);
  await submitDebits(deps());
  await applyOutcome(deps(), cleared(lastRef()));
}

const summary = async (month = november) => {
  const { remittances, supporters, totalCents } = await statement(month);
  return {
    paid: remittances.map(({ cents }) => cents),
    lines: supporters.map((line) => [line.supporter, line.totalCents]),
    totalCents,
  };
};

test('a month lists the amounts remitted in it, supporter by supporter, the club part alone', async () => {
  const [zoe, ann] = [await named('Zoe', 'Young'), await named('Ann', 'Abbot', true)];
  await aClearedDebit(deps(), zoe, 50);
  await aClearedDebit(deps(), ann, 91);
  on('2026-11-25');
  await remitToClubs(deps());
  await donates(zoe, 25_00);
  on('2026-11-26');
  await remitToClubs(deps());
  expect(await summary()).toEqual({
    paid: [96, 25_00],
    lines: [
      ['Ann Abbot', 46],
      ['Zoe Young', 25_50],
    ],
    totalCents: 25_96,
  });
  const { supporters } = await statement();
  expect(supporters[1]).toMatchObject({ roundUpCents: 50, donationCents: 25_00, takenBackCents: 0 });
});

test('the first page of a statement has the first supporters, and the number and sum of all', async () => {
  const all = [];
  for (const name of ['Dee', 'Bo', 'Cy', 'Al', 'Ed']) all.push(await named(name, 'Young', name === 'Bo'));
  for (const supporter of all) {
    await aClearedDebit(deps(), supporter, 50);
    await donates(supporter, 5_00);
  }
  on('2026-11-25');
  await remitToClubs(deps());
  const { supporters, totalCents, remittances } = await statement();
  const ids = all.map(({ supporterId }) => supporterId).sort();
  for (const limit of [1, 3, 5, 100]) {
    const page = await startOfStatement(database.pool, club, november, limit);
    const shown = new Set(ids.slice(0, limit));
    expect(page.supporters).toEqual(supporters.filter(({ supporterId }) => shown.has(supporterId)));
    expect(page).toMatchObject({ supportersInAll: 5, totalCents, remittances });
  }
  const none = await startOfStatement(database.pool, club, december, 3);
  expect([none.supporters, none.supportersInAll]).toEqual([[], 0]);
});

test('amounts remitted in the next month are in its statement', async () => {
  const zoe = await named('Zoe', 'Young');
  await aClearedDebit(deps(), zoe, 50);
  on('2026-11-30');
  await aClearedDebit(deps(), zoe, 20);
  await remitToClubs(deps());
  on('2026-12-01');
  expect(await statement()).toMatchObject({ totalCents: 50, stillPayableCents: 20 });
  await remitToClubs(deps());
  expect(await statement(december)).toMatchObject({ totalCents: 20, stillPayableCents: 0 });
});

test('a reversed amount is shown with its supporter', async () => {
  const [zoe, ann] = [await named('Zoe', 'Young'), await named('Ann', 'Abbot')];
  const debit = await aClearedDebit(deps(), zoe, 50);
  on('2026-11-25');
  await remitToClubs(deps());
  await reverse(deps(), debit);
  await aClearedDebit(deps(), ann, 80);
  on('2026-12-02');
  await remitToClubs(deps());
  expect(await summary(december)).toEqual({
    paid: [30],
    lines: [
      ['Ann Abbot', 80],
      ['Zoe Young', -50],
    ],
    totalCents: 30,
  });
  expect((await statement(december)).supporters[1]).toMatchObject({ takenBackCents: -50 });
});

test('a returned remittance is listed and not counted, and its supporters are with its repetition', async () => {
  const zoe = await named('Zoe', 'Young');
  await aClearedDebit(deps(), zoe, 50);
  on('2026-11-25');
  await remitToClubs(deps());
  await applyOutcome(deps(), returned(lastRef(), 5));
  expect(await statement()).toMatchObject({
    totalCents: 0,
    supporters: [],
    failed: [{ cents: 50, state: 'returned' }],
  });
  await setBankDetails(database.pool, club, '99990000');
  await aClearedDebit(deps(), zoe, 7);
  on('2026-12-02');
  await remitToClubs(deps());
  expect(await summary(december)).toEqual({ paid: [57], lines: [['Zoe Young', 57]], totalCents: 57 });
});

test('two supporters of the same name have a line each', async () => {
  for (const amount of [50, 20]) await aClearedDebit(deps(), await named('Zoe', 'Young'), amount);
  on('2026-11-25');
  await remitToClubs(deps());
  expect((await statement()).supporters).toHaveLength(2);
});

test("another club's amounts are not shown, and an unknown club is named", async () => {
  await aClearedDebit(deps(), await named('Zoe', 'Young'), 50);
  on('2026-11-25');
  await remitToClubs(deps());
  const other = await aClub(database.pool);
  expect(await clubStatement(database.pool, other, november)).toMatchObject({ totalCents: 0, supporters: [] });
  await expect(clubStatement(database.pool, 'nobody', november)).rejects.toThrow('The club nobody was not found');
});

test('lines that do not add up to the remittances are refused', async () => {
  await aClearedDebit(deps(), await named('Zoe', 'Young'), 50);
  on('2026-11-25');
  await remitToClubs(deps());
  await database.rows`update remittances set amount_cents = 51`;
  await expect(statement()).rejects.toThrow('50 cents, the remittances to 51');
});

test('a name stored before names were checked reaches no statement with hidden characters', async () => {
  await aClearedDebit(deps(), await named('Ro\u202ebin', '\u2066You\u200bng'), 50);
  on('2026-11-25');
  await remitToClubs(deps());
  expect((await summary()).lines).toEqual([['Robin Young', 50]]);
});
