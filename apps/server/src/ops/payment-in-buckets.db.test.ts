import { sydneyDay, sydneyTime } from '@sparechange/domain';
import { nextBankingDay } from '@sparechange/domain/banking-calendar';
import { beforeAll, expect, test, vi } from 'vitest';
import { productClock } from '#db/product-clock.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, aPurchase, testKey } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { opsOn } from './testing/run-ops.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets, { isJoined: false });
const ops = opsOn(() => api.database);
beforeAll(() => {
  vi.stubEnv('DATA_KEY', testKey.toString('hex'));
  vi.stubEnv('PAYMENTS', 'direct-entry');
});

/** A day on which banks pay: an advice is emailed on the day of payment. */
const day = nextBankingDay(sydneyDay(new Date()));

/** Makes a remittance of that day that got no answer, and its advice; returns its id. */
async function anUnansweredRemittance(clubId: string): Promise<string> {
  const [remittance] = await api.db<{ id: string }[]>`
    insert into remittances (club_id, run_date, attempt, amount_cents, reference, state, planned_at, submitting_at)
    values (${clubId}, ${day}, 1, 500, 'CLUNANSWERED', 'submitting', now(), now()) returning id`;
  await api.db`
    insert into remittance_advices (remittance_id, club_id, facts, made_at, email)
    values (${remittance?.id ?? ''}, ${clubId}, '{}', now(), 'treasurer@rovers.example')`;
  return remittance?.id ?? '';
}

test('the retry of a debit in a bucket queues the advice of a remittance sent with it in control', async () => {
  const clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
  await api.db`update clubs set contact_email = 'treasurer@rovers.example' where id = ${clubId}`;
  const supporter = await api.supporter({ clubId });
  const bucket = api.db.of(supporter.supporterId);
  await recordRoundUps(bucket, api.clock.now(), [aPurchase(supporter)]);
  api.clock.setTo('2026-11-24T22:00:00Z');
  api.directDebit.setUnreachable(true);
  await runDebits(api);
  const [debit] = await bucket<{ reference: string }[]>`select reference from debits`;
  const remittance = await anUnansweredRemittance(clubId);

  const clock = await productClock(api.db);
  await clock.setTo(sydneyTime(day, '12:00'));
  await clock.close();
  for (const command of ['retry', 'show'])
    expect(await ops('payment', command, debit?.reference ?? '')).toMatchObject({ code: 0 });
  const mails = await Promise.all(
    [api.db, bucket].map((db) => db`select key from mails where key like 'remittance_advice %'`),
  );
  expect(mails).toEqual([[{ key: `remittance_advice ${remittance}` }], []]);
});
