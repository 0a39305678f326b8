import { expect, test } from 'vitest';
import { saveRequest } from '#features/beneficiaries/club-requests/request-repository.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aClub, aSupporter } from '#testing/makers.ts';
import { deleteOutdated } from './delete-outdated.ts';

const database = ownDatabase();
const clock = aClock('2029-01-15T01:00:00Z');
const retention = { mails: 800, notifications: 90, timetableRuns: 400 };
const run = (limits?: { size: number; batches: number }) =>
  deleteOutdated({ db: database.pool, clock, retention }, limits);

/** Queues emails of this many days ago, sent or given up immediately or still open. */
async function mails(supporterId: string, daysAgo: number, count: number, end: 'sent_at' | 'given_up_at' | undefined) {
  const queued = new Date(clock.now().getTime() - daysAgo * 86_400_000);
  await database.rows`
    insert into mails (supporter_id, key, facts, queued_at, due_at, sent_at, given_up_at)
    select ${supporterId}, ${`${daysAgo} ${end} `} || n, '{}', ${queued}, ${queued},
      ${end === 'sent_at' ? queued : null}, ${end === 'given_up_at' ? queued : null}
    from generate_series(1, ${count}::integer) n`;
}
const keysLeft = async () =>
  (await database.rows<{ key: string }[]>`select key from mails order by key`).map(({ key }) => key);

test('finished work is deleted once its days are over, and open work stays', async () => {
  const { pool, rows } = database;
  const { supporterId } = await aSupporter(pool);
  await mails(supporterId, 801, 2, 'sent_at');
  await mails(supporterId, 802, 1, 'given_up_at');
  await mails(supporterId, 801, 1, undefined);
  await mails(supporterId, 799, 1, 'sent_at');
  const received = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
  await rows`
    insert into notifications (provider, id, body, received_at, handled_at) values
      ('zepto', 'old', '{}', ${received(91)}, ${received(91)}), ('zepto', 'open', '{}', ${received(91)}, null),
      ('zepto', 'new', '{}', ${received(89)}, ${received(89)})`;
  await rows`insert into timetable_runs (task, due_at) values ('sync', ${received(401)}), ('sync', ${received(399)})`;
  expect(await run()).toEqual({
    mails: 3,
    notifications: 1,
    timetableRuns: 1,
    webhookEvents: 0,
    ineligibleTransactions: 0,
    isLimited: false,
  });
  expect(await keysLeft()).toEqual(['799 sent_at 1', '801 undefined 1']);
  expect(await rows`select id from notifications order by id`).toEqual([{ id: 'new' }, { id: 'open' }]);
  expect(await run()).toEqual({
    mails: 0,
    notifications: 0,
    timetableRuns: 0,
    webhookEvents: 0,
    ineligibleTransactions: 0,
    isLimited: false,
  });
});

test('club requests go with their contacts: a week unconfirmed, 90 days after the decision', async () => {
  const clubId = await aClub(database.pool);
  const at = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
  const form = { name: 'Choir', contactName: 'Sam', suburb: 'Bay View', purpose: 'Sheets', tenantKey: 'default' };
  for (const [abn, asked, decided, club] of [
    ['unconfirmed', 8, null, null],
    ['approved', 91, 91, clubId],
    ['refused', 91, 91, null],
    ['just approved', 91, 89, clubId],
    ['just asked', 6, null, null],
  ] as const) {
    const id = await saveRequest(database.pool, { ...form, abn, email: 'sam@choir.example', at: at(asked) });
    if (decided)
      await database.pool`
        update club_requests set confirmed_at = asked_at, decided_at = ${at(decided)}, decided_by = 'op', club_id = ${club}
        where id = ${id ?? null}`;
  }
  await run();
  const left = await database.pool`select abn from club_requests order by abn`;
  expect(left).toEqual([{ abn: 'just approved' }, { abn: 'just asked' }]);
});

test('events go with their deliveries and attempts, except those that are still tried', async () => {
  const { pool } = database;
  await pool.begin(async (tx) => {
    await tx`
      insert into webhook_endpoints (id, url, types, secret_encrypted, created_at)
      values ('00000000-0000-4000-8000-00000000000e', 'https://example.com/', '{club.changed}', '', now())`;
    for (const [about, days, isDue] of [
      ['old', 91, false],
      ['tried', 91, true],
      ['new', 89, false],
    ] as const) {
      const at = new Date(clock.now().getTime() - days * 86_400_000);
      await tx`
        with event as (
          insert into webhook_events (type, about, data, at) values ('club.changed', ${about}, '{}', ${at}) returning id
        )
        insert into webhook_deliveries (endpoint_id, event_id, since, due_at)
        select '00000000-0000-4000-8000-00000000000e', id, ${at}, ${isDue ? at : null} from event`;
    }
    await tx`
      insert into webhook_attempts (endpoint_id, event_id, at, duration_ms, answer)
      select endpoint_id, event_id, now(), 1, '' from webhook_deliveries`;
  });
  expect(await run()).toMatchObject({ webhookEvents: 1 });
  expect(await pool`select about from webhook_events order by about`).toEqual([{ about: 'new' }, { about: 'tried' }]);
  expect(await pool`select from webhook_attempts`).toHaveLength(2);
});

test('a night that is too short reports it, and the next one continues', async () => {
  const { supporterId } = await aSupporter(database.pool);
  await mails(supporterId, 900, 25, 'sent_at');
  expect(await run({ size: 10, batches: 2 })).toMatchObject({ mails: 20, isLimited: true });
  expect(await run({ size: 10, batches: 2 })).toMatchObject({ mails: 5, isLimited: false });
});

test('emails sent to an unconfirmed address are kept until it is confirmed, as they count towards its limit', async () => {
  const { pool, rows } = database;
  const { supporterId } = await aSupporter(pool, { isProven: false, consentActive: false, roundsFrom: null });
  await mails(supporterId, 900, 3, 'sent_at');
  await mails(supporterId, 900, 3, 'given_up_at');
  expect(await run()).toMatchObject({ mails: 3 });
  await rows`update supporters set email_proven_at = now() where supporter_id = ${supporterId}`;
  expect(await run()).toMatchObject({ mails: 3 });
});
