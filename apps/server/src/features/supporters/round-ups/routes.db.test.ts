import * as contract from '@sparechange/contract';
import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase } from '#testing/makers.ts';
import { recordRoundUps } from './record-round-ups.ts';

const api = ownApp();

const actions = async (supporterId: string) => {
  const rows =
    await api.rows`select action, details, actor from audit_log where supporter_id = ${supporterId} order by id`;
  return rows.map((row) => [row.actor, row.action, row.details]);
};

test("pausing and resuming return the server's new state, and are audited", async () => {
  const { supporterId: cdrid, uid } = await api.supporter();
  const paused = await api.call(contract.setPaused, { cdrid, isUserPausedRoundUp: true }, { uid });
  expect(paused.body.userRecord.document).toMatchObject({ isUserPausedRoundUp: true, nextDebit: null });
  const resumed = await api.call(contract.setPaused, { cdrid, isUserPausedRoundUp: false }, { uid });
  expect(resumed.body.userRecord.document).toMatchObject({ isUserPausedRoundUp: false });
  expect(await actions(cdrid)).toEqual([
    ['supporter', 'paused round-ups', { reason: 'supporter' }],
    ['supporter', 'resumed round-ups', {}],
  ]);
});

test.each([100, 200, 500] as const)('the step %i is saved and audited', async (roundupAmountCents) => {
  const { supporterId: cdrid, uid } = await api.supporter();
  const answer = await api.call(contract.setRoundUpAmount, { cdrid, roundupAmountCents }, { uid });
  expect(answer.body.userRecord.document).toMatchObject({ roundupAmountCents });
  expect(await actions(cdrid)).toEqual([['supporter', 'changed round-up step', { step: roundupAmountCents }]]);
});

test.each([0, 750, 1000, 1250] as const)('the weekly limit %i is saved and audited', async (weeklyMaximumLimit) => {
  const { supporterId: cdrid, uid } = await api.supporter();
  const answer = await api.call(contract.setWeeklyLimit, { cdrid, weeklyMaximumLimit }, { uid });
  expect(answer.body.userRecord.document).toMatchObject({ weeklyMaximumLimit });
  expect(await actions(cdrid)).toEqual([['supporter', 'changed weekly limit', { limit: weeklyMaximumLimit }]]);
});

test("one supporter's setting does not affect others", async () => {
  const [one, other] = [await api.supporter(), await api.supporter()];
  await api.call(contract.setWeeklyLimit, { cdrid: one.supporterId, weeklyMaximumLimit: 750 }, { uid: one.uid });
  const answer = await api.call(contract.getUser, { userId: other.uid }, { uid: other.uid });
  expect(answer.body.userRecord.document.weeklyMaximumLimit).toBe(0);
});

test('the next debit shows its day and its amount so far', async () => {
  const supporter = await api.supporter();
  const nextDebit = async () => {
    const { uid } = supporter;
    return (await api.call(contract.getUser, { userId: uid }, { uid })).body.userRecord.document.nextDebit;
  };
  expect(await nextDebit()).toEqual({ date: '2026-11-27', amountCents: 0 });
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [
    aPurchase(supporter),
    aPurchase(supporter, { cents: 125 }),
  ]);
  expect(await nextDebit()).toEqual({ date: '2026-11-27', amountCents: 145 });
  const gift = { amount: cents(25_00), requestId: 'gift' };
  await requestDonation(api.db.of(supporter.supporterId), api.clock, api.tenants, supporter.supporterId, gift);
  expect(await nextDebit()).toEqual({ date: '2026-11-27', amountCents: 145 });
  await api.rows`update accounts set unusable_since = '2026-11-20' where supporter_id = ${supporter.supporterId}`;
  expect(await nextDebit()).toBeNull();
});

test('a campaign that will have ended by then has no next debit', async () => {
  const { uid } = await api.supporter({ tenantKey: 'ended' });
  const answer = await api.call(contract.getUser, { userId: uid }, { uid });
  expect(answer.body.userRecord.document.nextDebit).toBeNull();
});

test('signed in under another tenant a supporter still sees their own data', async () => {
  const { uid, clubId } = await api.supporter();
  const answer = await api.call(contract.getUser, { userId: uid }, { uid, tenant: 'riverside-rovers' });
  expect(answer.body.userRecord.document.supportingClubId).toBe(clubId);
});
