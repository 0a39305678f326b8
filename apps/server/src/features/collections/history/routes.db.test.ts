import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { beforeAll, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase, type TestSupporter } from '#testing/makers.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeAll(async () => {
  supporter = await api.supporter();
  for (const [day, amount] of [
    ['2025-12-30', 430],
    ['2026-11-24', 1204_65],
  ] as const) {
    const purchase = aPurchase(supporter, {
      day: '2026-11-24',
      cents: amount,
      description: `CARD 24/11 SHOP ${amount}`,
    });
    await recordRoundUps(api.db.of(purchase.supporterId), api.clock.now(), [purchase]);
    await planDebits(api.db, api.clock, api.tenants, isoDate(day));
  }
  await submitDebits(api);
});

const read = async <Op extends contract.Operation>(operation: Op) =>
  (await api.call(operation, { cdrid: supporter.supporterId } as contract.InputOf<Op>, { uid: supporter.uid })).body;

test('this year and all time are given in cents, with the part not confirmed yet', async () => {
  expect(await read(contract.debitsYTD)).toEqual({ debitYTD: 35, inFlightCents: 35, allTimeCents: 105 });
  expect(await read(contract.debitsAllTime)).toEqual({ debitAllTime: 105, inFlightCents: 105 });
});

test('months are named as in "Nov-26", newest first', async () => {
  expect(await read(contract.retrieveTotalDebits)).toEqual({
    debitHistory: {
      documents: [
        { monthYear: 'Nov-26', totalDebitAmount: 35 },
        { monthYear: 'Dec-25', totalDebitAmount: 70 },
      ],
    },
  });
});

test('purchases are listed with their day, their text as the bank sent it, dollars and the counted cents', async () => {
  const { roundUphistory } = await read(contract.retrieveHistory);
  expect(roundUphistory[0]).toEqual({
    lineId: expect.any(String),
    createdDate: '2026-11-24',
    description: 'CARD 24/11 SHOP 120465',
    amount: '1204.65',
    debitAmountCents: 35,
    why: null,
    state: 'submitted',
    given: { on: '2026-11-24', clubCents: 35 },
  });
});
