import * as contract from '@sparechange/contract';
import { beforeEach, expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { inEachBucket, sumsOf } from '#db/in-each-bucket.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aPurchase, type TestSupporter } from '#testing/makers.ts';
import { endPauses } from './end-pauses.ts';
import { recordRoundUps } from './record-round-ups.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  api.clock.setTo('2026-11-25T01:00:00Z');
  supporter = await api.supporter();
});

const pause = (until?: string) => {
  const { supporterId: cdrid, uid } = supporter;
  return api.call(contract.setPaused, { cdrid, isUserPausedRoundUp: true, ...(until ? { until } : {}) }, { uid });
};
const status = async () => {
  const { uid } = supporter;
  const { isUserPausedRoundUp, pausedUntil } = (await api.call(contract.getUser, { userId: uid }, { uid })).body
    .userRecord.document;
  return [isUserPausedRoundUp, pausedUntil];
};
const failures: string[] = [];
const end = async () => {
  const inBucket = (db: Pool) => endPauses({ ...api, db }, (supporterId) => failures.push(supporterId));
  return sumsOf(await inEachBucket(api.db, inBucket));
};
const notices = async () => {
  const mails = await api.rows<{ facts: { kind: string; until?: string; on?: string } }[]>`
    select facts from mails where supporter_id = ${supporter.supporterId} order by queued_at`;
  const noted = await api.rows`
    select actor, action, details from audit_log where supporter_id = ${supporter.supporterId} order by id`;
  return {
    mails: mails.map(({ facts: { kind, until, on } }) => [kind, until ?? on]),
    noted: noted.map(({ actor, action, details }) => [actor, action, details]),
  };
};

test('a pause until a day ends on that day automatically, once, is logged and emailed', async () => {
  expect((await pause('2026-12-04')).status).toBe(200);
  expect(await status()).toEqual([true, '2026-12-04']);
  api.clock.setTo('2026-12-03T12:59:00Z'); // one minute to midnight in Sydney
  expect(await end()).toEqual({ resumed: 0, failed: 0 });
  api.clock.setTo('2026-12-03T15:30:00Z');
  expect(await end()).toEqual({ resumed: 1, failed: 0 });
  expect(await end()).toEqual({ resumed: 0, failed: 0 });
  expect(await status()).toEqual([false, undefined]);
  expect(await notices()).toEqual({
    mails: [
      ['paused_by_you', '2026-12-04'],
      ['round_ups_resumed', '2026-12-04'],
    ],
    noted: [
      ['supporter', 'paused round-ups', { reason: 'supporter', until: '2026-12-04' }],
      ['timetable', 'resumed round-ups', { until: '2026-12-04' }],
    ],
  });
});

test.each([
  ['the process ran later', end],
  [
    'the supporter resumes before it has run',
    () => {
      const { supporterId: cdrid, uid } = supporter;
      return api.call(contract.setPaused, { cdrid, isUserPausedRoundUp: false }, { uid });
    },
  ],
])('purchases from that day on count, also where %s, and none of the pause', async (_where, resume) => {
  await pause('2026-12-04');
  api.clock.setTo('2026-12-07T01:00:00Z');
  await resume();
  const bought = ['2026-12-03', '2026-12-04', '2026-12-06'].map((day) => aPurchase(supporter, { day }));
  expect(await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), bought)).toMatchObject({
    roundUps: 2,
  });
});

test('pausing again with another day changes the day; without one it stays', async () => {
  await pause('2026-12-04');
  await pause();
  expect(await status()).toEqual([true, '2026-12-04']);
  await pause('2026-12-11');
  expect(await status()).toEqual([true, '2026-12-11']);
  expect((await notices()).noted).toEqual([
    ['supporter', 'paused round-ups', { reason: 'supporter', until: '2026-12-04' }],
    ['supporter', 'changed pause', { reason: 'supporter', until: '2026-12-11' }],
  ]);
});

test('an impossible day is refused and pauses nobody', async () => {
  for (const until of ['2026-11-25', '2026-11-24', '2027-11-27']) {
    expect((await pause(until)).status).toBe(400);
    expect(await status()).toEqual([false, undefined]);
  }
});

test('supporters who resumed earlier are left alone, and those who withdrew the consent get no email', async () => {
  const { supporterId: cdrid, uid } = supporter;
  await pause('2026-12-04');
  await api.call(contract.setPaused, { cdrid, isUserPausedRoundUp: false }, { uid });
  api.clock.setTo('2026-11-25T02:00:00Z');
  await pause('2026-12-05');
  await api.rows`update supporters set consent_active = false where supporter_id = ${cdrid}`;
  api.clock.setTo('2026-12-04T20:00:00Z');
  expect(await end()).toEqual({ resumed: 1, failed: 0 });
  expect((await notices()).mails).toEqual([
    ['paused_by_you', '2026-12-04'],
    ['paused_by_you', '2026-12-05'],
  ]);
});

test('a pause that cannot be ended does not prevent others from ending', async () => {
  const other = await api.supporter();
  const of = (paused: TestSupporter) =>
    [{ cdrid: paused.supporterId, isUserPausedRoundUp: true, until: '2026-12-04' }, { uid: paused.uid }] as const;
  for (const each of [supporter, other]) await api.call(contract.setPaused, ...of(each));
  const [broken = ''] = [supporter.supporterId, other.supporterId].toSorted();
  api.clock.setTo('2026-12-03T15:30:00Z');
  await whileRefused(api.db.of(broken), 'update on pauses', `new.supporter_id = '${broken}'`, async () => {
    expect(await end()).toEqual({ resumed: 1, failed: 1 });
  });
  expect(failures).toEqual([broken]);
  expect(await end()).toEqual({ resumed: 1, failed: 0 });
});
