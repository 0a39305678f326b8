import * as contract from '@sparechange/contract';
import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase, aPurchaseRefund, forgetEverything, returned, type TestSupporter } from '#testing/makers.ts';
import { timeOf } from '#testing/timetable.ts';

const api = ownApp();
let supporter: TestSupporter;

const tuesdayNoon = '2026-11-24T01:00:00Z';
const wednesday = isoDate('2026-11-25');
const friday = isoDate('2026-11-27');
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo(tuesdayNoon);
  supporter = await api.supporter();
});

const buy = (cents: number, description = 'COFFEE', day = '2026-11-23') =>
  recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [
    aPurchase(supporter, { cents, description, day }),
  ]);
const findNext = async () => {
  const { supporterId: cdrid, uid } = supporter;
  return (await api.call(contract.retrieveNextDebit, { cdrid }, { uid })).body.nextDebit;
};
const ask = async () => {
  const next = await findNext();
  if (!next) throw new Error('There is no next debit.');
  return next;
};
const skip = (date: string, isSkipped = true) => {
  const { supporterId: cdrid, uid } = supporter;
  return api.call(contract.setDebitSkipped, { cdrid, date, isSkipped }, { uid });
};
const run = async (date: typeof wednesday) => {
  api.clock.setTo(timeOf('debit-run', date));
  return runDebits(api, date);
};
const onWednesday = () => run(wednesday);
const onFriday = () => run(friday);
const actions = async () => {
  const rows = await api.rows`
    select actor, action, details from audit_log where supporter_id = ${supporter.supporterId} order by id`;
  return rows.map(({ actor, action, details }) => [actor, action, details]);
};

test.each(['0000-01-01', '1999-12-31', '2200-01-01', '2026-02-30'])('the day %s cannot be skipped', async (day) => {
  expect((await skip(day)).status).toBe(400);
});

test('it states when, how much, of which purchases and from where, before there is a debit', async () => {
  await buy(430, 'COFFEE', '2026-11-22');
  await buy(125, 'BAKERY');
  await buy(400, 'EXACT');
  expect(await ask()).toEqual({
    run: '2026-11-25',
    isSkipped: false,
    date: '2026-11-25',
    amountCents: 145,
    account: { name: 'Everyday', accountNumber: 'XXXX5678' },
    statementTexts: [expect.stringMatching(/^SPARECHANGE RU[0-9A-F]{7}$/)],
    purchases: [
      { date: '2026-11-23', description: 'BAKERY', amount: '1.25', roundUpCents: 75 },
      { date: '2026-11-22', description: 'COFFEE', amount: '4.30', roundUpCents: 70 },
    ],
    waited: null,
    balanceFloorCents: 0,
    debitNotices: 'each_debit',
  });
});

test('the text in the notice is the text given to the provider', async () => {
  await buy(430);
  const { statementTexts, amountCents } = await ask();
  await onWednesday();
  const [taken] = api.directDebit.taken;
  expect(taken?.amount).toBe(amountCents);
  expect(statementTexts).toEqual([
    `${taken && 'remitter' in taken ? taken.remitter : ''} ${taken?.reference.slice(0, 9)}`,
  ]);
});

test('a returned amount is part of it again, under its own reference', async () => {
  await buy(430);
  const before = await ask();
  await onWednesday();
  expect((await ask()).purchases).toEqual([]);
  await applyOutcome(api, returned(api.directDebit.taken.at(-1)?.providerRef ?? '', 6));
  const after = await ask();
  expect(after).toMatchObject({ date: '2026-11-27', amountCents: 70, purchases: before.purchases });
  expect(after.statementTexts).not.toEqual(before.statementTexts);
});

test('a debit already planned has its own text beside that of later round-ups', async () => {
  await buy(430);
  const [text] = (await ask()).statementTexts;
  await planDebits(api.db, api.clock, api.tenants, wednesday);
  api.clock.setTo('2026-11-25T01:00:00Z');
  expect((await ask()).statementTexts).toEqual([text]);
  await buy(125, 'BAKERY');
  const both = await ask();
  expect(both).toMatchObject({ amountCents: 145, statementTexts: [text, expect.stringMatching(/^SPARECHANGE RU/)] });
  expect(both.purchases).toHaveLength(2);
});

test('a skipped debit goes with the following run, with all later round-ups', async () => {
  await buy(430);
  const answer = await skip('2026-11-25');
  expect(answer.body.nextDebit).toMatchObject({
    run: '2026-11-25',
    isSkipped: true,
    date: '2026-11-27',
    amountCents: 70,
  });
  expect(await onWednesday()).toMatchObject({ planned: 0, submitted: 0, skipped: { skipped: 1 } });
  await buy(125);
  const [text] = (await ask()).statementTexts;
  expect(await onFriday()).toMatchObject({ planned: 1, submitted: 1, totalCents: 145 });
  expect(text).toBe(`SPARECHANGE ${api.directDebit.taken.at(-1)?.reference.slice(0, 9)}`);
  expect(await actions()).toContainEqual(['supporter', 'skipped a debit', { run: '2026-11-25' }]);
});

test('a purchase that was paid back is listed with its refund, and they add up to nothing', async () => {
  await buy(125);
  const purchase = aPurchase(supporter, { cents: 430, day: '2026-11-20', description: 'KIOSK' });
  await recordRoundUps(api.db.of(purchase.supporterId), api.clock.now(), [purchase]);
  await recordPurchaseRefunds(api.db.of(supporter.supporterId), api.clock.now(), supporter.supporterId, [
    aPurchaseRefund(purchase),
  ]);
  const { amountCents, purchases } = await ask();
  expect(amountCents).toBe(75);
  expect(purchases.slice(1)).toEqual([
    { date: '2026-11-21', description: 'KIOSK', amount: '-4.30', roundUpCents: -70 },
    { date: '2026-11-20', description: 'KIOSK', amount: '4.30', roundUpCents: 70 },
  ]);
});

test('a skip can be taken back, and repeating either is recorded once', async () => {
  await buy(430);
  for (const isSkipped of [true, true, false, false]) expect((await skip('2026-11-25', isSkipped)).status).toBe(200);
  expect(await ask()).toMatchObject({ isSkipped: false, date: '2026-11-25' });
  expect(await onWednesday()).toMatchObject({ submitted: 1 });
  expect((await actions()).map(([, action]) => action)).toEqual(['skipped a debit', 'no longer skips a debit']);
});

test('only the next run can be skipped, and only until it begins', async () => {
  await buy(430);
  for (const date of ['2026-11-23', '2026-11-24', '2026-11-27']) expect((await skip(date)).status).toBe(409);
  api.clock.setTo(timeOf('debit-run', wednesday));
  expect((await skip('2026-11-25')).status).toBe(409);
  api.clock.setTo(tuesdayNoon);
  await planDebits(api.db, api.clock, api.tenants, wednesday);
  expect((await skip('2026-11-25')).status).toBe(409);
  expect(await actions()).toEqual([]);
});

test('a debit planned earlier and waiting is not submitted on a skipped day either', async () => {
  await buy(430);
  await api.rows`update supporters set consent_active = true`;
  await planDebits(api.db, api.clock, api.tenants, isoDate('2026-11-23'));
  await skip('2026-11-25');
  expect(await onWednesday()).toMatchObject({ planned: 0, submitted: 0 });
  expect(await onFriday()).toMatchObject({ planned: 0, submitted: 1, totalCents: 70 });
});

test('a gift is not skipped with the round-ups', async () => {
  await buy(430);
  await skip('2026-11-25');
  api.clock.setTo('2026-11-24T19:00:00Z');
  const { supporterId: cdrid, uid } = supporter;
  await api.call(contract.donateNow, { values: { amount: 5, cdrid } }, { uid });
  api.clock.setTo('2026-11-24T19:10:00Z');
  await submitDebits(api);
  expect(api.directDebit.taken.at(-1)).toMatchObject({ amount: 500 });
});

test('a debit waiting for the balance shows it, and the floor is saved and recorded', async () => {
  const { supporterId: cdrid, uid } = supporter;
  for (const balanceFloorCents of [50_00, 200_00, 100_00] as const) {
    const answer = await api.call(contract.setBalanceFloor, { cdrid, balanceFloorCents }, { uid });
    expect(answer.body.nextDebit).toMatchObject({ balanceFloorCents, waited: null });
  }
  await buy(430);
  api.bankLink.setBalance(supporter.bankCustomerId, cents(99_99));
  await onWednesday();
  expect(await ask()).toMatchObject({
    date: '2026-11-27',
    amountCents: 70,
    waited: { date: '2026-11-25', because: 'below floor' },
  });
  api.bankLink.setBalance(supporter.bankCustomerId, cents(100_00));
  await onFriday();
  expect(await ask()).toMatchObject({ amountCents: 0, waited: null });
  expect((await actions()).map(([, action, details]) => [action, details])).toContainEqual([
    'changed balance floor',
    { floor: 100_00 },
  ]);
});

test('a supporter who cannot be debited has none', async () => {
  await buy(430);
  const { supporterId: cdrid, uid } = supporter;
  await api.call(contract.setPaused, { cdrid, isUserPausedRoundUp: true }, { uid });
  expect(await findNext()).toBeNull();
});
