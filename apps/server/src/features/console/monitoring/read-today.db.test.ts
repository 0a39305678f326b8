import { addDays, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { resubmitPayments } from '#features/accounting/payments/decide-payment.ts';
import { saveRequest } from '#features/beneficiaries/club-requests/request-repository.ts';
import { holdSupporter, releaseSupporter } from '#features/collections/debits/hold-supporter.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordMailOutage } from '#features/core/breakers/provider-breakers.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { decideReviews, refuseUnlessApproved } from '#features/supporters/accounts/holder-review.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, aPurchase, forgetEverything, returned } from '#testing/makers.ts';
import { aClearedDebit, setBankDetails } from '#testing/money-day.ts';
import { type TodayDeps, todayReader } from './read-today.ts';

const api = ownApp();
beforeEach(async () => {
  await forgetEverything(api.db);
  api.directDebit.neverAnswer(() => false);
  api.clock.setTo('2026-11-24T22:00:00Z'); // Wednesday, nine in the morning
});

const read = (changes: Partial<TodayDeps> = {}) =>
  todayReader({ ...api, countFailedJobs: async () => 2, ...changes })();
const hoursAgo = (hours: number) => new Date(api.clock.now().getTime() - hours * 3_600_000);

test('on an uneventful day nothing is counted and no run is missed', async () => {
  expect(await read()).toMatchObject({
    day: '2026-11-25',
    lastRun: null,
    cameBack: [],
    suspension: null,
    missedRun: null,
    suspendedTenants: [],
    unanswered: [],
    failedPayouts: { payouts: 0, cents: 0 },
    holds: 0,
    namesToReview: 0,
    clubRequests: 0,
    statementLines: 0,
    failedJobs: 2,
    bankFiles: null,
    approvals: 0,
    alarms: [],
    silentServers: [],
    providers: [],
    queues: {
      workDue: 0,
      workLateSince: null,
      mailsWaiting: 0,
      mailsUndelivered: 0,
      notifications: 0,
      webhooksParked: 0,
    },
  });
});

test.each([
  ['before the run of a Wednesday', '2026-11-24T18:59:00Z', '2026-11-24T19:00:00Z'],
  ['after it', '2026-11-24T22:00:00Z', '2026-11-26T19:00:00Z'],
  ['at the weekend', '2026-11-28T00:00:00Z', '2026-11-29T19:00:00Z'],
])('the next run is at six in Sydney: %s', async (_when, now, next) => {
  api.clock.setTo(now);
  expect((await read()).nextRunAt).toEqual(new Date(next));
});

test('services show who listens at their addresses, and since when they have not answered', async () => {
  const [mailSince, bankSince, paymentsSince] = [hoursAgo(2), hoursAgo(1), hoursAgo(3)];
  await recordMailOutage(api.db, { since: mailSince, askAgainAt: api.clock.now(), failure: 'no answer' });
  await api.db`
    insert into provider_breakers (provider, opened_at, open_until, times)
    values ('bank_link', ${bankSince}, ${api.clock.now()}, 1), ('direct_debit', ${paymentsSince}, ${api.clock.now()}, 1)`;
  const needs = async () => ({ bankLink: 'ready', payments: 'not ready', mail: 'ready' }) as const;
  expect((await read({ needs })).providers).toEqual([
    { name: 'bankLink', isReady: true, unavailableSince: bankSince },
    { name: 'payments', isReady: false, unavailableSince: paymentsSince },
    { name: 'mail', isReady: true, unavailableSince: mailSince },
  ]);
});

test('a run that was due and did not happen is missed until it is made', async () => {
  await api.rows`
    insert into timetable_runs (task, due_at, finished_at) values ('sync', '2026-11-23T17:00:00Z', now())`;
  expect((await read()).missedRun).toBe('2026-11-25');
  await runDebits(api);
  expect(await read()).toMatchObject({ missedRun: null, lastRun: { date: '2026-11-25', state: 'complete' } });
});

test('queues count waiting jobs, and those given up or parked within seven days', async () => {
  const { supporterId } = await api.supporter();
  const [late, soon] = [hoursAgo(3), hoursAgo(-1)];
  const bucket = api.db.of(supporterId);
  await bucket`delete from supporter_work`;
  await bucket`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at) values
      (${supporterId}, 'sync', ${late}, ${late}), (${supporterId}, 'consent_poll', ${soon}, ${soon})`;
  for (const key of ['waits', 'waits too', 'was given up', 'was given up long ago', 'was sent']) {
    const facts = { kind: 'password_changed' } as const;
    const mail = { recipient: 'supporter', supporterId, key, facts, at: late, isUrgent: false } as const;
    await queueMail(bucket, mail);
  }
  await bucket`update mails set sent_at = ${late}, attempts = 1 where key = 'was sent'`;
  for (const [key, at] of [
    ['was given up', hoursAgo(167)],
    ['was given up long ago', hoursAgo(169)],
  ] as const)
    await bucket`update mails set given_up_at = ${at}, attempts = 1, failure = 'no such host' where key = ${key}`;
  await api.db`
    insert into notifications (provider, id, body, received_at, handled_at) values
      ('zepto', 'a', '{}', ${late}, null), ('zepto', 'b', '{}', ${late}, ${late}), ('basiq', 'c', '{}', ${late}, null)`;
  await api.db`
    insert into webhook_endpoints (id, url, types, secret_encrypted, created_at)
    values (gen_random_uuid(), 'https://club.example/hook', '{club.changed}', '', ${late})`;
  for (const [about, at] of [
    ['new', hoursAgo(167)],
    ['old', hoursAgo(169)],
  ] as const)
    await api.db`
      with event as (
        insert into webhook_events (type, about, data, at) values ('club.changed', ${about}, '{}', ${at}) returning id
      )
      insert into webhook_deliveries (endpoint_id, event_id, since, parked_at)
      select webhook_endpoints.id, event.id, ${at}, ${at} from webhook_endpoints, event`;
  expect((await read()).queues).toEqual({
    workDue: 1,
    workLateSince: late,
    mailsWaiting: 2,
    mailsUndelivered: 1,
    notifications: 2,
    webhooksParked: 1,
  });
});

test('a debit without a clear answer is retried, and parked after a day', async () => {
  const supporter = await api.supporter();
  const day = isoDate('2026-11-25');
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [
    aPurchase(supporter, { day: addDays(day, -1) }),
  ]);
  await planDebits(api.db, api.clock, api.tenants, day);
  api.directDebit.neverAnswer(() => true);
  await submitDebits(api);
  expect((await read()).unanswered).toEqual([{ kind: 'debit', unknown: 1, parked: 0 }]);
  for (let hours = 0; hours < 30; hours += 1) {
    api.clock.setTo(hoursAgo(-1).toISOString());
    await resubmitPayments(api);
  }
  expect((await read()).unanswered).toEqual([{ kind: 'debit', unknown: 0, parked: 1 }]);
});

test('returned payouts are counted with their amount until they are paid again', async () => {
  const clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
  api.clock.setTo('2026-11-24T00:00:00Z');
  await aClearedDebit(api, await api.supporter({ clubId }), 50);
  api.clock.setTo('2026-11-24T22:00:00Z');
  await remitToClubs(api);
  await applyOutcome(api, returned(api.directDebit.taken.at(-1)?.providerRef ?? '', 6));
  expect((await read()).failedPayouts).toEqual({ payouts: 1, cents: 50 });
  await api.db`update remittances set retried_by = id`;
  expect((await read()).failedPayouts).toEqual({ payouts: 0, cents: 0 });
});

test('supporters on hold and accounts in another name are counted until somebody decides', async () => {
  const [one, other] = [await api.supporter(), await api.supporter()];
  for (const { supporterId, account } of [one, other]) {
    await holdSupporter(api.db, api.clock, supporterId, 'asked');
    const waiting = refuseUnlessApproved({ ...api, db: api.db.of(supporterId) }, supporterId, account.id);
    await expect(waiting).rejects.toThrow('an operator decides');
  }
  expect(await read()).toMatchObject({ holds: 2, namesToReview: 2 });
  await releaseSupporter(api.db, api.clock, one.supporterId, 'settled');
  await decideReviews({ ...api, db: api.db.of(other.supporterId) }, other.supporterId, { decision: 'approved' });
  expect(await read()).toMatchObject({ holds: 1, namesToReview: 1 });
});

test('supporters, accounts and payouts are counted beyond the listed maximum', async () => {
  for (let count = 0; count < 201; count += 1) {
    const { supporterId } = await api.supporter();
    await holdSupporter(api.db, api.clock, supporterId, 'asked');
    await api.db.of(supporterId)`
      insert into holder_reviews (supporter_id, account_id, asked_at)
      select supporter_id, id, ${api.clock.now()} from accounts where supporter_id = ${supporterId}`;
  }
  const clubId = await aClub(api.db);
  await api.db`
    insert into remittances (club_id, run_date, attempt, amount_cents, reference, state, planned_at, outcome_at, return_code)
    select ${clubId}, '2026-11-24', place, 100, 'R' || place, 'returned', now(), now(), 6 from generate_series(1, 201) as place`;
  expect(await read()).toMatchObject({
    holds: 201,
    namesToReview: 201,
    failedPayouts: { payouts: 201, cents: 20_100 },
  });
});

test('clubs that ask to join, and unexplained lines of bank statements, wait for a decision', async () => {
  const form = { name: 'Choir', contactName: 'Sam', suburb: 'Bay View', purpose: 'Sheets', tenantKey: 'default' };
  for (const abn of ['confirmed', 'not confirmed'])
    await saveRequest(api.db, { ...form, abn, email: 'sam@choir.example', at: hoursAgo(2) });
  await api.db`update club_requests set confirmed_at = asked_at where abn = 'confirmed'`;
  const line = {
    account: 'XX1',
    booked_on: '2026-11-24',
    cents: 500,
    description: 'interest',
    imported_at: hoursAgo(1),
  };
  const matched = { matched_kind: 'by_hand', matched_with: 'operating', matched_at: hoursAgo(1) };
  await api.db`insert into bank_statement_lines ${api.db([{ ...line, line_id: 'a' }])}`;
  await api.db`insert into bank_statement_lines ${api.db([{ ...line, ...matched, line_id: 'b' }])}`;
  expect(await read()).toMatchObject({ clubRequests: 1, statementLines: 1 });
});
