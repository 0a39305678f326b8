import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase, forgetEverything, uidsInEachBucket } from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';
import { holdRun } from './release-runs.ts';
import { submitDebits } from './submit-debits.ts';

const api = ownApp();
const wednesday = isoDate('2026-11-25');

beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  const inOneBucket = uidsInEachBucket(4, 6).slice(0, 6);
  for (const uid of inOneBucket) {
    const supporter = await api.supporter({ uid });
    await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  }
});

test.each([
  ['a first batch of five was sent', 0, 5],
  ['a bank was asked for balances', 50_00, 0],
])('no further debits are taken of a run whose release is withdrawn when %s', async (_when, floor, submitted) => {
  await api.database.rows`update supporters set balance_floor_cents = ${floor}`;
  await planDebits(api.db, api.clock, api.tenants, wednesday);
  const { submitDebits: send } = api.directDebit;
  const { balanceOf } = api.bankLink;
  const afterHold = <Answer>(ask: () => Promise<Answer>) => holdRun(api.db, wednesday).then(ask);
  const report = await submitDebits({
    ...api,
    directDebit: { ...api.directDebit, submitDebits: (orders) => afterHold(() => send(orders)) },
    bankLink: { balanceOf: (...of) => afterHold(() => balanceOf(...of)) },
  });
  expect(report).toMatchObject({ submitted });
});
