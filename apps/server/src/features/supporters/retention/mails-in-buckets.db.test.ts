import { bucketOf } from '@sparechange/domain/bucket';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import { listGivenUp, retryGivenUp } from '#features/core/outbox/given-up-mails.ts';
import { countSent, listMailStates, queueMail } from '#features/core/outbox/outbox-repository.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { ownDatabase } from '#testing/database.ts';
import { whileTableFails } from '#testing/disturbed-buckets.ts';
import { fakeMailer } from '#testing/fake-mailer.ts';
import { aClock, aSupporter, forgetEverything, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { deleteOutdated } from './delete-outdated.ts';

const buckets = 4;
const each = 3;
const database = ownDatabase(buckets, { isJoined: false });
const clock = aClock();
let people: TestSupporter[];
const idsOf = (bucket: number) =>
  people.map(({ supporterId }) => supporterId).filter((id) => bucketOf(id, buckets) === bucket);

beforeEach(async () => {
  await forgetEverything(database.pool);
  clock.setTo('2026-11-24T22:00:00Z');
  people = [];
  for (const uid of uidsInEachBucket(buckets, each)) people.push(await aSupporter(database.pool, { uid }));
});

const compose: Composer = async ({ key, supporterId }) => ({
  to: `${supporterId ?? key}@mail.test`,
  subject: 'Hello',
  text: 'Text',
  html: '<p>Html</p>',
});
const send = (mailer = fakeMailer()) =>
  sendMails({ db: database.pool, clock, log: pino({ level: 'silent' }), mailer, compose });
const queueToEverybody = async () => {
  for (const { supporterId } of people) {
    const facts = { kind: 'bank_reminder', endsOn: '2026-12-01' } as const;
    await queueEmail(database.pool.of(supporterId), { supporterId, key: 'evening', facts, at: clock.now() });
  }
  for (const recipient of ['club', 'operator'] as const)
    await queueMail(database.pool, {
      recipient,
      supporterId: null,
      key: recipient,
      facts: { kind: 'alarm' },
      at: clock.now(),
      isUrgent: false,
    });
};

test('emails go to supporters, clubs and operators once, the urgent ones of every bucket first', async () => {
  await queueToEverybody();
  const urgent = [0, 1, 2, 3].map((bucket) => idsOf(bucket)[0] ?? '');
  for (const supporterId of urgent)
    await queueEmail(database.pool.of(supporterId), {
      supporterId,
      key: 'urgent',
      facts: { kind: 'password_changed' },
      at: clock.now(),
    });
  expect(await listMailStates(database.pool, new Date(0))).toMatchObject([
    { recipient: 'club', waiting: 1 },
    { recipient: 'operator', waiting: 1 },
    { recipient: 'supporter', waiting: people.length + buckets },
  ]);
  const mailer = fakeMailer();
  const all = people.length + buckets + 2;
  expect(await send(mailer)).toEqual({ sent: all, givenUp: 0, waiting: 0 });
  expect(
    mailer.sent
      .slice(0, buckets)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(urgent.map((id) => `${id}@mail.test`).toSorted());
  expect(await countSent(database.pool, new Date(0), all + 1)).toBe(all);
  expect(await countSent(database.pool, new Date(0), all - 1)).toBe(all - 1);
  expect(await send()).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
});

test('emails are sent although a bucket fails, which is thrown', async () => {
  await queueToEverybody();
  const mailer = fakeMailer();
  await whileTableFails(database.pool.inBuckets()[2], 'mail_bounces', () =>
    expect(send(mailer)).rejects.toThrow('does not exist'),
  );
  expect(mailer.sent).toHaveLength((buckets - 1) * each + 2);
  expect(await send()).toMatchObject({ sent: each });
});

test('given-up emails are listed and retried by ids that name one of them', async () => {
  await queueToEverybody();
  const mailer = fakeMailer();
  mailer.failNext('for good', 100);
  expect(await send(mailer)).toMatchObject({ givenUp: people.length + 2 });
  const listed = await listGivenUp(database.pool, new Date(0), 100);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(people.length + 2);
  const [one, club] = [
    listed.find(({ supporterId }) => supporterId === idsOf(3)[0]),
    listed.find(({ recipient }) => recipient === 'club'),
  ];
  expect(one?.id).toMatch(/^4\.\d+$/);
  expect(await retryGivenUp(database.pool, [one?.id ?? '', club?.id ?? '', '99.1'], clock.now())).toBe(2);
  expect(await send()).toMatchObject({ sent: 2 });
  expect(await listGivenUp(database.pool, new Date(0), 100)).toHaveLength(people.length);
});

test('emails are deleted in control and every bucket once their days are over', async () => {
  await queueToEverybody();
  await send();
  clock.setTo('2029-11-24T22:00:00Z');
  const deps = { db: database.pool, clock, retention: { mails: 800, notifications: 90, timetableRuns: 400 } };
  await whileTableFails(database.pool.inBuckets()[2], 'supporters', () =>
    expect(deleteOutdated(deps)).rejects.toThrow('does not exist'),
  );
  expect(await deleteOutdated(deps)).toMatchObject({ mails: each });
  for (const db of [database.pool, ...database.pool.inBuckets()]) expect(await db`select key from mails`).toEqual([]);
});
