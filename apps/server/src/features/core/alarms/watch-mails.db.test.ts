import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/connect.ts';
import { listMailStates } from '#features/core/outbox/outbox-repository.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aSupporter, forgetEverything } from '#testing/makers.ts';
import { watchMails } from './watch-mails.ts';

const database = ownDatabase();
const clock = aClock();
beforeEach(() => forgetEverything(database.pool));

const watch = () => watchMails({ db: database.pool, clock, log: pino({ level: 'silent' }) });
const alarms = () => database.rows`select name, sentence from alarms order by name`;
const mails = (db: Db, count: number, state: 'sent' | 'waiting' | 'given up') => db`
  insert into mails (recipient, key, facts, queued_at, due_at, attempts, sent_at, given_up_at)
  select 'club', ${state} || uuidv7(), '{}', ${clock.now()}, ${clock.now()}, 1,
    case when ${state === 'sent'} then ${clock.now()}::timestamptz end,
    case when ${state === 'given up'} then ${clock.now()}::timestamptz end
  from generate_series(1, ${count}::int)`;

test('many bounces raise an alarm unless a hundred emails were sent for each, and are counted once', async () => {
  const { supporterId } = await aSupporter(database.pool);
  await database.rows`
    insert into mail_bounces (supporter_id, email, bounced_at, reason)
    select ${supporterId}, number || '@mail.test', ${clock.now()}, 'no such mailbox' from generate_series(1, 21) as number`;
  await mails(database.pool, 2_100, 'sent');
  await watch();
  expect(await alarms()).toEqual([]);
  await database.rows`delete from mails where id = (select min(id) from mails)`;
  await watch();
  const sentence = expect.stringMatching(/^21 addresses .* 2,099 emails were sent/);
  expect(await alarms()).toMatchObject([{ name: 'mails_bouncing', sentence }]);
  await mails(database.pool, 10, 'sent');
  await watch();
  expect(await alarms()).toHaveLength(1);
});

test('waiting and given-up emails are counted up to 10,000', async () => {
  await mails(database.pool, 9_999, 'waiting');
  await mails(database.pool, 2, 'given up');
  expect(await listMailStates(database.pool, new Date(0))).toMatchObject([{ waiting: 9_999, undelivered: 2 }]);
  await mails(database.pool, 10, 'waiting');
  await mails(database.pool, 10_010, 'given up');
  expect(await listMailStates(database.pool, new Date(0))).toMatchObject([{ waiting: 10_000, undelivered: 10_000 }]);
  await watch();
  const sentence = expect.stringMatching(/^10,000 or more mails \(recipient: club\)/);
  expect(await alarms()).toMatchObject([{ name: 'mails_undelivered', sentence }]);
});
