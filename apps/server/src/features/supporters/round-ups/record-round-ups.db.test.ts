import { cleanedText } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { anAccount, aPurchase, aSupporter, type TestSupporter } from '#testing/makers.ts';
import { type Purchase, recordRoundUps } from './record-round-ups.ts';

const database = ownDatabase();

const now = new Date('2026-11-24T22:00:00Z');
const record = (...purchases: Purchase[]) => recordRoundUps(database.bucket, now, purchases);

const counted = async ({ supporterId }: TestSupporter): Promise<number[]> =>
  (
    await database.bucket`select counted_cents as cents from round_ups where supporter_id = ${supporterId} order by seq`
  ).map((row) => row.cents as number);

test('a $4.30 coffee rounded to $1 is recorded with 70 cents', async () => {
  const supporter = await aSupporter(database.bucket);
  expect(await record(aPurchase(supporter, { cents: 430 }))).toEqual({ roundUps: 1, roundUpCents: 70 });
  const [row] = await database.bucket`
    select seq, purchase_cents, raw_cents, counted_cents, step_cents, occurrence, posted_on, account_id, recorded_at
    from round_ups where supporter_id = ${supporter.supporterId}`;
  expect(row).toEqual({
    seq: 1,
    purchase_cents: 430,
    raw_cents: 70,
    counted_cents: 70,
    step_cents: 100,
    occurrence: 1,
    posted_on: '2026-11-24',
    account_id: supporter.account.id,
    recorded_at: now,
  });
});

test('a purchase already on the step is recorded with nothing', async () => {
  const supporter = await aSupporter(database.bucket, { step: 200 });
  expect(await record(aPurchase(supporter, { cents: 400 }))).toEqual({ roundUps: 1, roundUpCents: 0 });
  expect(await counted(supporter)).toEqual([0]);
});

test('a recorded round-up is pledged in the ledger, once for the batch', async () => {
  const supporter = await aSupporter(database.bucket);
  await record(aPurchase(supporter, { cents: 430 }), aPurchase(supporter, { cents: 125 }));
  const entries = await database.bucket`
    select kind, account, cents, club_id, booked_on from ledger_entries
    where supporter_id = ${supporter.supporterId} order by account`;
  expect(entries).toEqual([
    { kind: 'recorded', account: 'pledged', cents: 145, club_id: supporter.clubId, booked_on: '2026-11-25' },
    { kind: 'recorded', account: 'promised', cents: -145, club_id: supporter.clubId, booked_on: '2026-11-25' },
  ]);
});

test('nothing is recorded twice, however often the bank shows it', async () => {
  const supporter = await aSupporter(database.bucket);
  const purchases = [aPurchase(supporter, { cents: 430 }), aPurchase(supporter, { cents: 125 })];
  await record(...purchases);
  expect(await record(...purchases)).toEqual({ roundUps: 0, roundUpCents: 0 });
  expect(await record(...purchases, aPurchase(supporter, { cents: 990 }))).toEqual({ roundUps: 1, roundUpCents: 10 });
  expect(await counted(supporter)).toHaveLength(3);
});

test('a purchase has the fingerprint that earlier versions gave it', async () => {
  const supporter = await aSupporter(database.bucket);
  const purchase = aPurchase(supporter, { cents: 430 });
  await record(purchase);
  const { supporterId, providerAccountId, day, purchaseCents, description } = purchase;
  const [known] = await database.bucket`
    select fingerprint = md5(concat_ws(E'\\n', supporter_id, ${providerAccountId}::text, to_char(${day}::date, 'YYYY-MM-DD'),
      ${purchaseCents}::bigint, ${cleanedText(description)}::text))::uuid as "isAsBefore"
    from round_ups where supporter_id = ${supporterId}`;
  expect(known).toEqual({ isAsBefore: true });
});

test('a transaction shown twice in one answer is one purchase', async () => {
  const supporter = await aSupporter(database.bucket);
  const purchase = aPurchase(supporter);
  expect(await record(purchase, { ...purchase })).toEqual({ roundUps: 1, roundUpCents: 70 });
});

test('an empty list of purchases changes nothing', async () => {
  expect(await record()).toEqual({ roundUps: 0, roundUpCents: 0 });
});

test('the step is the one in force when the round-up is recorded', async () => {
  const supporter = await aSupporter(database.bucket, { step: 100 });
  await record(aPurchase(supporter, { cents: 630 }));
  await database.bucket`update supporters set round_up_step = 500 where supporter_id = ${supporter.supporterId}`;
  await record(aPurchase(supporter, { cents: 630 }));
  expect(await counted(supporter)).toEqual([70, 370]);
});

test('a batch of many supporters is numbered separately for each of them', async () => {
  const supporters = await Promise.all(Array.from({ length: 6 }, () => aSupporter(database.bucket)));
  const batch = supporters.flatMap((supporter, index) =>
    Array.from({ length: index + 1 }, () => aPurchase(supporter, { cents: 100 * (index + 1) - 1 })),
  );
  expect(await record(...batch)).toEqual({ roundUps: 21, roundUpCents: 21 });
  for (const [index, { supporterId }] of supporters.entries()) {
    const rows = await database.bucket`select seq from round_ups where supporter_id = ${supporterId} order by seq`;
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: index + 1 }, (_, at) => at + 1));
    const [pledged] = await database.bucket`
      select cents from ledger_balances where supporter_id = ${supporterId} and account = 'pledged'`;
    expect(pledged?.cents).toBe(index + 1);
  }
});

test('several workers recording the same purchases concurrently record them once', async () => {
  const supporters = await Promise.all(
    Array.from({ length: 4 }, () => aSupporter(database.bucket, { weeklyLimit: 750 })),
  );
  const batch = supporters.flatMap((supporter) => Array.from({ length: 12 }, () => aPurchase(supporter, { cents: 1 })));
  const reports = await Promise.all(
    [batch, batch.toReversed(), batch, batch.toReversed()].map((all) => record(...all)),
  );
  expect(reports.reduce((sum, report) => sum + report.roundUps, 0)).toBe(48);
  for (const supporter of supporters) {
    const cents = await counted(supporter);
    expect(cents.toSorted((a, b) => b - a)).toEqual([...Array(7).fill(99), 57, 0, 0, 0, 0]);
  }
});

test('an account of another supporter counts for nobody', async () => {
  const [supporter, other] = [await aSupporter(database.bucket), await aSupporter(database.bucket)];
  const account = await anAccount(database.bucket, other);
  expect(await record(aPurchase(supporter, { account }))).toEqual({ roundUps: 0, roundUpCents: 0 });
});

test('a description may hold quotes, backslashes, commas and letters of any alphabet', async () => {
  const supporter = await aSupporter(database.bucket);
  const descriptions = ['JOE\'S "BAR", {NULL}', 'back\\slash \\" NULL', 'カフェ ☕ 山', 'null', ''];
  await record(...descriptions.map((description) => aPurchase(supporter, { description })));
  const rows = await database.bucket`select description from round_ups where supporter_id = ${supporter.supporterId}`;
  expect(rows.map((row) => row.description).sort()).toEqual(descriptions.toSorted());
});
