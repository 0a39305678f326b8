import { beforeEach, expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import {
  aClock,
  aClub,
  aSupporter,
  aTenant,
  type SupporterOverrides,
  someTenants,
  type TestClock,
  type TestSupporter,
  uidsInEachBucket,
} from '#testing/makers.ts';
import { remindUnfinished } from './remind-unfinished.ts';

const database = ownDatabase(4, { isJoined: false });
const registeredAt = '2026-11-24T22:00:00Z';
let clock: TestClock;
let number = 0;
beforeEach(() => {
  clock = aClock();
});

const tenants = someTenants(aTenant(), aTenant({ key: 'winter-appeal', endsOn: '2026-11-26' }));
const run = () => remindUnfinished({ db: database.pool, clock, tenants });

/** Creates a supporter who registered and stopped before the bank. */
async function unfinished(overrides: SupporterOverrides = {}): Promise<TestSupporter> {
  number += 1;
  const uid = overrides.uid ?? `newcomer-${number}`;
  const supporter = await aSupporter(database.pool, {
    uid,
    roundsFrom: null,
    consentActive: false,
    account: false,
    ...overrides,
  });
  await change(supporter, {});
  return supporter;
}

interface Changes {
  registeredAt?: string;
  closedOn?: string;
  withdrawnOn?: string;
  wantsMails?: boolean;
}

const change = ({ supporterId }: TestSupporter, changes: Changes) =>
  database.pool.of(supporterId)`
    update supporters set registered_at = ${changes.registeredAt ?? registeredAt}, closed_on = ${changes.closedOn ?? null},
      consent_end = ${changes.withdrawnOn ? 'withdrawn' : null}, consent_ended_on = ${changes.withdrawnOn ?? null},
      debit_notices_enabled = ${changes.wantsMails ?? true}
    where supporter_id = ${supporterId}`;

const mailsTo = async ({ supporterId }: TestSupporter) => [
  ...(await database.pool.of(supporterId)`select facts from mails where supporter_id = ${supporterId}`),
];

test('a supporter who stopped is reminded a day after registering, once, in every bucket', async () => {
  const everybody = [];
  for (const uid of uidsInEachBucket(4, 1)) everybody.push(await unfinished({ uid }));
  clock.setTo('2026-11-25T21:59:59Z');
  expect(await run()).toEqual({ remindedUnfinished: 0 });
  clock.setTo('2026-11-25T22:00:00Z');
  expect(await run()).toEqual({ remindedUnfinished: 4 });
  for (const supporter of everybody)
    expect(await mailsTo(supporter)).toEqual([
      { facts: { kind: 'onboarding_reminder', clubName: 'Riverside Rovers' } },
    ]);
  clock.setTo('2026-11-27T22:00:00Z');
  expect(await run()).toEqual({ remindedUnfinished: 0 });
});

test.each<[string, SupporterOverrides, Changes]>([
  ['who finished', { roundsFrom: '2026-11-25' }, {}],
  ['who closed the account', {}, { closedOn: '2026-11-25' }],
  ['who withdrew the consent', {}, { withdrawnOn: '2026-11-25' }],
  ['who stopped our emails', {}, { wantsMails: false }],
  ['who registered a week ago', {}, { registeredAt: '2026-11-18T22:00:00Z' }],
  ['for whose brand the campaign has ended', { tenantKey: 'winter-appeal' }, {}],
])('a supporter %s is not reminded', async (_, overrides, changes) => {
  const supporter = await unfinished(overrides);
  await change(supporter, changes);
  clock.setTo('2026-11-25T22:00:00Z');
  await run();
  expect(await mailsTo(supporter)).toEqual([]);
});

test('more people than a page holds are all reminded', async () => {
  const clubId = await aClub(database.pool);
  for (let count = 0; count < 5; count += 1) await unfinished({ clubId });
  clock.setTo('2026-11-25T22:00:00Z');
  expect(await remindUnfinished({ db: database.pool, clock, tenants }, 2)).toEqual({ remindedUnfinished: 5 });
});
