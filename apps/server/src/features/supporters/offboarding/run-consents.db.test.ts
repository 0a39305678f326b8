import { addDays, isoDate, sydneyTime } from '@sparechange/domain';
import { breakerRule, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inEachBucket, sumsOf } from '#db/in-each-bucket.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { doDueWork, enqueuePass, type Work } from '#features/core/supporter-work/do-work.ts';
import { hasUntriedPolls, markDue } from '#features/core/supporter-work/work-repository.ts';
import { saveFundingAccount } from '#features/supporters/accounts/account-repository.ts';
import { refreshConsent } from '#features/supporters/consents/refresh-consent.ts';
import { aConsentLifecycle, type ConsentLifecycle } from '#features/supporters/consents/testing/consent-lifecycle.ts';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { inBucketOf } from '#testing/database.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aMandate, anAccount, cleared, clockSetter, type TestSupporter } from '#testing/makers.ts';
import { timeOf } from '#testing/timetable.ts';
import { type ConsentRun, consentPass, followUpConsents, runConsents } from './run-consents.ts';

let world: ConsentLifecycle;
let failures: string[];
beforeEach(async () => {
  failures = [];
  world = await aConsentLifecycle();
});
afterEach(() => world.database.drop());

const run = (): Promise<ConsentRun> => runConsents(world, (supporterId) => failures.push(supporterId));
const status = async ({ supporterId }: TestSupporter) => {
  const [row] = await world.rows`
    select consent_active as active, consent_end as "end", consent_ended_on as "on", rounds_from as "roundsFrom"
    from supporters where supporter_id = ${supporterId}`;
  return row;
};

/** Runs these days and returns the events of the supporter. */
async function play(days: number[]): Promise<string[]> {
  const done: string[] = [];
  for (const day of days) {
    world.goToDay(day);
    const { ended, reminded, deleted } = await run();
    if (reminded) done.push(`${day} reminded`);
    if (ended) done.push(`${day} ended`);
    if (deleted) done.push(`${day} deleted`);
  }
  return done;
}

const allDays = Array.from({ length: 401 }, (_, day) => day);

test('a year: reminders 30, 7 and 1 day before the end, the end, and deletion 30 days after it, each once', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  expect(await play(allDays)).toEqual(['335 reminded', '358 reminded', '364 reminded', '365 ended', '395 deleted']);
  expect(await world.kindsMailed(supporter)).toEqual([
    ...Array(3).fill('consent_reminder'),
    'consent_expired',
    'bank_data_deleted',
  ]);
  expect(await status(supporter)).toMatchObject({ active: false, end: 'expired', on: '2027-11-25' });
});

test('a prolonged consent must also be renewed at the bank: emailed 30, 7 and 1 day before its end there, and after it', async () => {
  const supporter = await world.supporter();
  const looks = async () =>
    syncPurchases(inBucketOf({ ...world, statementName: 'SPARECHANGE' }, supporter.supporterId), supporter.supporterId);
  await looks();
  expect(await play([340])).toEqual(['340 reminded']);
  world.bankLink.extend(supporter.bankCustomerId);
  expect(await play([341, 342, 358, 364])).toEqual(['341 reminded', '358 reminded', '364 reminded']);
  world.goToDay(366);
  world.bankLink.setConnection(supporter.bankCustomerId, { hasEnded: true });
  await looks();
  expect(await play([366, 370])).toEqual(['366 reminded']);
  expect(await world.kindsMailed(supporter)).toEqual([
    'consent_reminder',
    ...Array(3).fill('bank_reminder'),
    'bank_ended',
  ]);
  world.bankLink.setConnection(supporter.bankCustomerId, { hasEnded: false, endsAt: undefined });
  await looks();
  expect(await play([371, 400])).toEqual([]);
});

test('after an outage only the latest reminder is sent', async () => {
  const supporter = await world.supporter();
  expect(await play([0, 300, 360, 361, 365])).toEqual(['360 reminded', '365 ended']);
  expect(await world.kindsMailed(supporter)).toEqual(['consent_reminder', 'consent_expired']);
});

test('running many times a day, even concurrently, reminds once', async () => {
  const supporter = await world.supporter();
  world.goToDay(340);
  const runs = await Promise.all([run(), run(), run()]);
  expect(runs.reduce((sum, { reminded }) => sum + reminded, 0)).toBe(1);
  expect(await world.kindsMailed(supporter)).toEqual(['consent_reminder']);
});

test('a prolonged consent is reminded about again a year later', async () => {
  const supporter = await world.supporter();
  expect(await play([0, 340])).toEqual(['340 reminded']);
  world.bankLink.endConsent(supporter.bankCustomerId, 'revoked');
  world.bankLink.connect(supporter.bankCustomerId); // for a year from now
  expect(await play([341, 358, 364, 370, 675])).toEqual(['675 reminded']);
  expect(await world.kindsMailed(supporter)).toHaveLength(2);
});

test('an expired consent given again in its days of grace keeps everything, including purchases of the gap', async () => {
  const supporter = await world.supporter();
  await play([364, 365]);
  world.goToDay(380);
  world.bankLink.connect(supporter.bankCustomerId);
  expect(
    await refreshConsent(world.db.of(supporter.supporterId), world.clock, world.bankLink, supporter.supporterId),
  ).toBe(true);
  expect(await status(supporter)).toEqual({ active: true, end: null, on: null, roundsFrom: '2026-01-01' });
  expect(await play([395, 400])).toEqual([]);
  const [kept] =
    await world.rows`select count(*) as accounts from accounts where supporter_id = ${supporter.supporterId}`;
  expect(kept).toEqual({ accounts: 1 });
});

test('a withdrawn consent stops everything immediately and its data is deleted in the same run', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  world.bankLink.endConsent(supporter.bankCustomerId, 'revoked');
  expect(await play([1])).toEqual(['1 ended', '1 deleted']);
  expect(await status(supporter)).toMatchObject({ active: false, end: 'withdrawn', on: '2026-11-26' });
  expect(await world.kindsMailed(supporter)).toEqual(['bank_data_deleted', 'consent_withdrawn']);
});

test('a consent ends by the clock also while the provider does not answer', async () => {
  const supporter = await world.supporter();
  world.bankLink.setUnreachable(true, supporter.bankCustomerId);
  expect(await play([364, 365])).toEqual(['364 reminded', '365 ended']);
  expect(failures).toEqual([supporter.supporterId, supporter.supporterId]);
  world.bankLink.setUnreachable(false, supporter.bankCustomerId);
});

test('a provider that knows of no consent at all leaves the data its days of grace', async () => {
  const supporter = await world.supporter({ bankCustomerId: 'forgotten-by-the-provider' });
  expect(await play([1, 30, 31])).toEqual(['1 ended', '31 deleted']);
  expect(await status(supporter)).toMatchObject({ end: 'expired' });
});

test('nobody is reminded if their club takes no more gifts', async () => {
  const { clubId } = await world.supporter();
  await world.rows`update clubs set ends_on = '2027-01-01' where id = ${clubId}`;
  expect(await play([0, 340, 364])).toEqual([]);
});

test('nobody is reminded about a finished campaign, or without having finished joining', async () => {
  const supporters = [await world.supporter({ tenantKey: 'ended' }), await world.supporter({ roundsFrom: null })];
  expect(await play([0, 340, 359])).toEqual([]);
  for (const supporter of supporters) expect(await world.kindsMailed(supporter)).toEqual([]);
});

test('the mandate of an account no longer debited is withdrawn when its debits are over, and the new one stays', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  await world.debits(supporter);
  const other = await anAccount(world.db, supporter);
  const chosen = await aMandate(world.db, supporter, other, { directDebit: world.directDebit });
  await world.rows`update mandates set agreed_at = ${world.clock.now()} where id = ${chosen}`;
  await saveFundingAccount(world.db.of(supporter.supporterId), supporter.supporterId, other.id);
  const inEffect = async () => {
    const rows = await world.rows<{ id: string }[]>`select account_id as id from mandates where cancelled_at is null`;
    return rows.map(({ id }) => id);
  };
  await play([3]);
  expect(await inEffect()).toEqual(expect.arrayContaining([supporter.account.id, other.id]));
  const [order] = world.directDebit.taken;
  await applyOutcome(world, cleared(order?.providerRef ?? ''));
  world.directDebit.setUnreachable(true);
  await play([4]);
  expect(failures).toEqual([supporter.supporterId]);
  expect(await inEffect()).toHaveLength(2);
  world.directDebit.setUnreachable(false);
  await play([5, 6]);
  expect(await inEffect()).toEqual([other.id]);
});

test('nothing is rounded or debited without an active consent', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  await play([365]);
  await world.buys(supporter, 30);
  await world.debits(supporter);
  const [row] = await world.rows`
    select (select count(*) from round_ups where supporter_id = ${supporter.supporterId}) as recorded,
      (select count(*) from debits where supporter_id = ${supporter.supporterId}) as debits`;
  expect(row).toEqual({ recorded: 1, debits: 0 });
});

const ask: Work = async (supporterId) => {
  await refreshConsent(world.db.of(supporterId), world.clock, world.bankLink, supporterId);
  return 'asked';
};
/** The day on which supporters consent. */
const agreedOn = isoDate('2026-11-25');
const doPolls = () => doDueWork(world, { sync: ask, consent_poll: ask }, () => {});
/** The 45 minutes in which polls are waited for. */
const pollsWithinMs = 2_700_000;
/** Marks the polls of the timetable as due, however late. */
async function pollsOf(day: number): Promise<Date> {
  const dueAt = timeOf('consent-poll', addDays(agreedOn, day));
  await enqueuePass(world, { ...consentPass(world), dueAt });
  return new Date(dueAt.getTime() + pollsWithinMs);
}
const setClock = clockSetter({
  get clock() {
    return world.clock;
  },
});
const setTime = (day: number, time: Parameters<typeof setClock>[1]) => setClock(addDays(agreedOn, day), time);
const waits = async (dueBy: Date, startedAt = new Date(0)) => {
  const polls = { now: world.clock.now(), dueBy, startedAt, withinMs: pollsWithinMs };
  return (await inEachBucket(world.db, (db) => hasUntriedPolls(db, polls))).some(Boolean);
};
const followUp = async () => sumsOf(await inEachBucket(world.db, (db) => followUpConsents({ ...world, db }, () => {})));

test('a product that starts at eight polls before it follows up, and follows up on everybody', async () => {
  const supporter = await world.supporter();
  setTime(366, '08:00');
  const dueBy = await pollsOf(366);
  expect(await waits(dueBy)).toBe(true);
  expect(await followUp()).toMatchObject({ ended: 0 }); // not without having asked
  await doPolls();
  expect(await waits(dueBy)).toBe(false);
  expect(await status(supporter)).toMatchObject({ active: false, end: 'expired' });
});

test('polls without an answer are waited for no longer than 45 minutes', async () => {
  await world.supporter();
  setTime(366, '08:00');
  const dueBy = await pollsOf(366);
  setTime(366, '08:44');
  expect(await waits(dueBy)).toBe(true);
  setTime(366, '08:45');
  expect(await waits(dueBy)).toBe(false);
});

test('a supporter polled the day before is followed up though today’s poll waits', async () => {
  const supporter = await world.supporter();
  setTime(364, 'consent-poll');
  await pollsOf(364);
  await doPolls();
  await world.rows`update supporters set consent_expires_at = ${sydneyTime(addDays(isoDate('2026-11-25'), 364), '22:00')}`;
  setTime(365, 'consent-poll');
  await pollsOf(365);
  setTime(365, 'consent-run');
  expect(await followUp()).toMatchObject({ ended: 1 });
  expect(await status(supporter)).toMatchObject({ active: false });
});

test('the follow-up does not wait for a poll that a notification requests', async () => {
  const supporter = await world.supporter();
  setTime(366, '08:00');
  const dueBy = await pollsOf(366);
  await doPolls();
  await markDue(world.db.of(supporter.supporterId), 'consent_poll', supporter.supporterId, world.clock.now());
  expect(await waits(dueBy)).toBe(false);
});

test('polls left over from a downtime are made before anything is concluded, and awaited again', async () => {
  const supporter = await world.supporter();
  setTime(364, 'consent-poll');
  await pollsOf(364);
  setTime(365, '08:00'); // after 29 hours of downtime
  const startedAt = world.clock.now();
  world.bankLink.endConsent(supporter.bankCustomerId, 'revoked');
  world.bankLink.connect(supporter.bankCustomerId); // for a year from now
  const dueBy = await pollsOf(365);
  expect(await waits(dueBy, startedAt)).toBe(true);
  setTime(365, '08:45');
  expect(await waits(dueBy, startedAt)).toBe(false);
  await world.rows`update supporters set consent_expires_at = ${startedAt}`;
  expect(await followUp()).toMatchObject({ ended: 0, reminded: 0, deleted: 0 });
  await doPolls();
  expect(await followUp()).toMatchObject({ ended: 0 });
  expect(await status(supporter)).toMatchObject({ active: true });
});

test('an hour of downtime does not shorten the wait, nor do tries before it', async () => {
  await world.supporter();
  setTime(366, 'consent-poll');
  const dueBy = await pollsOf(366);
  world.bankLink.setUnreachable(true);
  await doPolls();
  setTime(366, '04:05');
  expect(await waits(dueBy)).toBe(false);
  expect(await waits(dueBy, world.clock.now())).toBe(true);
  const startedAt = world.clock.now();
  await doPolls();
  expect(await waits(dueBy, startedAt)).toBe(false);
});

test('a consent ends by the clock once the provider has not answered for a day', async () => {
  await world.supporter();
  setTime(366, '03:00');
  await pollsOf(366);
  setTime(367, '02:59');
  await world.rows`insert into provider_breakers values ('bank_link', ${sydneyTime(isoDate('2027-11-26'), '03:00')}, now(), 1)`;
  expect(await followUp()).toMatchObject({ ended: 0 });
  setTime(367, '03:01');
  expect(await followUp()).toMatchObject({ ended: 1 });
});

/** Creates this number of supporters whose grace days are over on day 396, with mandates still in effect. */
async function overdue(count: number): Promise<TestSupporter[]> {
  const supporters: TestSupporter[] = [];
  for (let made = 0; made < count; made += 1) supporters.push(await world.supporter());
  world.goToDay(365);
  await run();
  world.goToDay(396);
  return supporters;
}
const deleted = async (supporters: TestSupporter[]) =>
  supporters.length - (await world.rows`select distinct supporter_id from accounts`).length;

test('an unresponsive provider is asked about a few supporters, and about everybody the next day', async () => {
  const supporters = await overdue(12);
  let calls = 0;
  const silent = {
    ...world.directDebit,
    cancelMandate: async () => {
      calls += 1;
      throw new ProviderUnavailable('no answer');
    },
  };
  const follow = (directDebit: DirectDebit) =>
    Promise.all(world.db.inBuckets().map((db) => followUpConsents({ ...world, db, directDebit }, () => {})));
  const breaker = circuitBreaker();
  const runs = sumsOf(
    await inEachBucket(world.db, (db) => followUpConsents({ ...world, db, directDebit: silent }, () => {}, breaker)),
  );
  expect([calls, runs.failed, runs.faults]).toEqual([breakerRule.atFirst, breakerRule.atFirst, 0]);
  expect(runs.stopped).toBeGreaterThan(0);
  expect(await deleted(supporters)).toBe(breakerRule.atFirst);
  await follow(world.directDebit);
  expect(await deleted(supporters)).toBe(12);
  expect(await world.rows`select from mandates where cancelled_at is null`).toHaveLength(0);
});

test("a fault of ours about one supporter does not prevent the others' follow-up", async () => {
  const [broken] = await overdue(3);
  const supporterId = broken?.supporterId ?? '';
  await whileRefused(
    world.db.of(supporterId),
    'delete on accounts',
    `old.supporter_id = '${supporterId}'`,
    async () => {
      expect(await run()).toMatchObject({ deleted: 2, failed: 1, faults: 1, stopped: 0 });
    },
  );
  expect(failures).toEqual([supporterId]);
});

test('two hundred consents whose end cannot be recorded do not prevent another from ending', async () => {
  const supporter = await world.supporter();
  const bucket = world.db.of(supporter.supporterId);
  await bucket`
    insert into supporters (supporter_id, uid, registered_at, tenant_key, club_id, email, first_name, last_name, mobile,
      consent_active, consent_expires_at)
    select ('00000000-0000-4000-8000-' || lpad(place::text, 12, '0'))::uuid, 'uid ' || place::text, registered_at, tenant_key, club_id,
      email, 'Broken', last_name, mobile, consent_active, consent_expires_at
    from supporters, generate_series(1, 200) as place where supporter_id = ${supporter.supporterId}`;
  world.goToDay(366);
  await whileRefused(bucket, 'update on supporters', "new.first_name = 'Broken'", async () => {
    expect(await followUpConsents({ ...world, db: bucket }, () => {})).toMatchObject({ ended: 1, failed: 200 });
  });
});
