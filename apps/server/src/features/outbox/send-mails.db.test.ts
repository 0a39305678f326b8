import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { connect } from '#db/connect.ts';
import { ProviderRefused } from '#ports/errors.ts';
import { type Mail, MailDeferred } from '#ports/mailer.ts';
import { ownDatabase } from '#testing/database.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import { aClock, aSupporter, forgetEverything, type TestClock, type TestSupporter } from '#testing/makers.ts';
import { findMailOutage } from './mail-outages.ts';
import { listMailStates, type QueuedMail, queueMail } from './outbox-repository.ts';
import { type Composer, type OutboxDeps, sendMails } from './send-mails.ts';

const database = ownDatabase();
let mailer: FakeMailer;
let clock: TestClock;
let deps: OutboxDeps;

/** Composes a mail to the address in its facts. */
const compose: Composer = async ({ facts }) => {
  const { to, broken } = facts as { to: string; broken?: boolean };
  if (broken) throw new Error('a bug');
  return { to, subject: 'Hello', text: 'Text', html: '<p>Html</p>' };
};

beforeEach(async () => {
  await forgetEverything(database.pool);
  mailer = fakeMailer();
  clock = aClock();
  deps = { db: database.pool, clock, log: pino({ level: 'silent' }), mailer, compose };
});

const later = (minutes: number) => clock.setTo(new Date(clock.now().getTime() + minutes * 60_000).toISOString());
const queue = (key: string, facts: object = {}, overrides: Partial<QueuedMail> = {}) =>
  queueMail(database.pool, {
    ...{ recipient: 'club', supporterId: null, key, facts: { to: `${key}@club.test`, ...facts }, at: clock.now() },
    isUrgent: false,
    ...overrides,
  });
const queueTo = ({ supporterId, email: to }: TestSupporter, key = 'one', overrides: Partial<QueuedMail> = {}) =>
  queue(key, { to }, { recipient: 'supporter', supporterId, ...overrides });
const queueMany = async (count: number, prefix = 'treasurer') => {
  for (let number = 1; number <= count; number += 1) await queue(`${prefix}${number}`);
};
const kept = async (key = 'one') => {
  const [row] = await database.pool`
    select attempts, sent_at is not null as sent, given_up_at is not null as given_up, failure from mails where key = ${key}`;
  return row;
};
/** Minutes until the mail is due. */
const dueIn = async () => {
  const [row] = await database.pool<{ due: Date }[]>`select due_at as due from mails where key = 'one'`;
  return ((row?.due.getTime() ?? 0) - clock.now().getTime()) / 60_000;
};
/** Ten minutes pass on the machine's clock. */
const tenMinutesPass = () => database.pool`update mails set taken_until = now() where taken_until is not null`;

test('a key is queued once for a supporter and once for all others, whoever queues it and however often', async () => {
  const [first, second] = [await aSupporter(database.pool), await aSupporter(database.pool)];
  const queued = await Promise.all(Array.from({ length: 5 }, () => queueTo(first)));
  expect(queued.filter(Boolean)).toHaveLength(1);
  expect([await queueTo(second), await queue('one'), await queue('one')]).toEqual([true, true, false]);
  expect(await sendMails(deps)).toEqual({ sent: 3, givenUp: 0, waiting: 0 });
  expect(await queueTo(first)).toBe(false);
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
});

test('programs that send at once send each mail once', async () => {
  await queueMany(60);
  const pools = [1, 2, 3].map(() => connect(database.url, { max: 4 }));
  const reports = await Promise.all(pools.map((db) => sendMails({ ...deps, db })));
  for (const pool of pools) await pool.end();
  expect(reports.reduce((sum, { sent }) => sum + sent, 0)).toBe(60);
  expect(new Set(mailer.sent.map(({ id }) => id)).size).toBe(60);
  expect(mailer.sent).toHaveLength(60);
});

test('several mails are in flight, and one that takes its time holds up no other', async () => {
  await queueMany(40);
  const [tenInFlight, othersSent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [inFlight, most] = [0, 0];
  const send = async (mail: Mail) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (inFlight === 10) tenInFlight.resolve();
    await (mail.to.startsWith('treasurer7@') ? othersSent.promise : tenInFlight.promise);
    await mailer.send(mail);
    inFlight -= 1;
    if (mailer.sent.length === 39) othersSent.resolve();
  };
  expect(await sendMails({ ...deps, mailer: { send } })).toMatchObject({ sent: 40 });
  expect(most).toBe(10);
});

test('an address that is put off waits with growing pauses, holds up nobody, and gets the same mail in the end', async () => {
  await queueMany(12);
  await queue('one');
  mailer.failTo('one@club.test', 'for now');
  expect(await sendMails(deps)).toEqual({ sent: 12, givenUp: 0, waiting: 1 });
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
  for (const [minutes, waiting] of [
    [1, 1],
    [0.5, 0],
    [0.5, 1],
    [1.9, 0],
    [0.1, 1],
  ] as const) {
    later(minutes);
    expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting });
  }
  expect(await findMailOutage(database.pool)).toBeUndefined();
  mailer.recover();
  later(60);
  expect(await sendMails(deps)).toMatchObject({ sent: 1 });
  expect(await kept()).toEqual({ attempts: 5, sent: true, given_up: false, failure: null });
});

test('a mail that is put off for a week is given up, and counted', async () => {
  await queue('one');
  mailer.failTo('one@club.test', 'for now');
  for (let hour = 0; hour <= 7 * 24; hour += 1) {
    expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting: 1 });
    later(60);
  }
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 1, waiting: 0 });
  expect(await kept()).toMatchObject({ attempts: 170, sent: false, given_up: true });
  const [state] = await listMailStates(database.pool, new Date(0));
  expect(state).toMatchObject({ recipient: 'club', waiting: 0, undelivered: 1, failure: '451 try again later' });
});

test('while the mail server is unavailable no more are taken, and none is given up', async () => {
  await queueMany(60);
  mailer.failNext('server away', 1_000);
  const { waiting } = await sendMails(deps);
  expect(waiting).toBeLessThan(15);
  const since = clock.now();
  expect(await findMailOutage(database.pool)).toMatchObject({ since, failure: 'The mail server is not there.' });
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
  for (let minute = 0; minute < 100; minute += 1) {
    later(1);
    const { waiting, ...others } = await sendMails(deps);
    expect(others).toEqual({ sent: 0, givenUp: 0 });
    expect(waiting).toBeLessThanOrEqual(10);
  }
  expect(await findMailOutage(database.pool)).toMatchObject({ since });
  mailer.recover();
  later(60);
  expect(await sendMails(deps)).toEqual({ sent: 60, givenUp: 0, waiting: 0 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
});

test('a server that once does not answer stops nothing', async () => {
  await queueMany(30);
  mailer.failTo('treasurer3@club.test', 'server away');
  expect(await sendMails(deps)).toEqual({ sent: 29, givenUp: 0, waiting: 1 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
  for (let day = 0; day < 8; day += 1) {
    later(1_440);
    await sendMails(deps); // the server breaks off with this mail alone
  }
  expect(await kept('treasurer3')).toMatchObject({ sent: false, given_up: true });
});

test('a mail that the server refuses in a quiet night is no outage; three in a row are one', async () => {
  await queue('one');
  mailer.failTo('one@club.test', 'this mail');
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting: 1 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
  await queueMany(5);
  mailer.failNext('this mail', 5);
  await sendMails(deps);
  expect(await findMailOutage(database.pool)).toMatchObject({ failure: '552 too big' });
});

test('an address of a supporter that refuses is given up and rests for 30 days; a club is tried with the next mail', async () => {
  const supporter = await aSupporter(database.pool);
  await queueTo(supporter);
  await queue('club');
  mailer.failNext('for good', 2);
  expect(await sendMails(deps)).toMatchObject({ givenUp: 2 });
  await queueTo(supporter, 'two');
  await queue('club again');
  expect(await sendMails(deps)).toMatchObject({ sent: 1, givenUp: 1 });
  const [bounce] = await database.pool`select email, reason from mail_bounces`;
  expect(bounce).toEqual({ email: supporter.email, reason: '550 no such mailbox' });
  expect(await listMailStates(database.pool, new Date(0))).toMatchObject([{ recipient: 'club', undelivered: 1 }]);
  later(31 * 1_440);
  await queueTo(supporter, 'three');
  expect(await sendMails(deps)).toMatchObject({ sent: 1 });
});

test('a mail that cannot be composed waits by itself', async () => {
  await queue('one', { broken: true });
  await queueMany(3);
  expect(await sendMails(deps)).toEqual({ sent: 3, givenUp: 0, waiting: 1 });
  expect(await kept()).toMatchObject({ attempts: 1, failure: 'the mail could not be composed' });
});

test('a mail that is outdated is given up without an attempt', async () => {
  await queue('one');
  const outdated = async () => ({ outdated: 'it is over' });
  expect(await sendMails({ ...deps, compose: outdated })).toEqual({ sent: 0, givenUp: 1, waiting: 0 });
  expect(await kept()).toEqual({ attempts: 0, sent: false, given_up: true, failure: 'it is over' });
  expect(await listMailStates(database.pool, new Date(0))).toEqual([]);
});

test('the mail of a killed program is taken again after ten minutes, with its Message-ID', async () => {
  await queue('one');
  const ids: (string | undefined)[] = [];
  const send = async (mail: Mail) => {
    ids.push(mail.id);
    await new Promise(() => {});
  };
  void sendMails({ ...deps, mailer: { send } });
  await expect.poll(() => ids.length).toBe(1);
  later(9);
  expect(await sendMails(deps)).toMatchObject({ sent: 0 });
  later(2);
  await tenMinutesPass();
  expect(await sendMails(deps)).toMatchObject({ sent: 1 });
  expect(mailer.sent[0]?.id).toBe(ids[0]);
});

test('a product clock that moves by days while a mail is in flight sends it no second time', async () => {
  await queue('one');
  const inFlight = Promise.withResolvers<void>();
  const slow = sendMails({ ...deps, mailer: { send: () => inFlight.promise } });
  await expect.poll(dueIn).toBe(10);
  later(3 * 1_440);
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
  inFlight.resolve();
  expect(await slow).toEqual({ sent: 1, givenUp: 0, waiting: 0 });
  expect(await kept()).toMatchObject({ sent: true, attempts: 1 });
});

test('what is urgent goes before a full queue that was due earlier', async () => {
  await queueMany(60);
  later(1);
  const supporter = await aSupporter(database.pool);
  await queueTo(supporter, 'urgent', { isUrgent: true });
  const order: string[] = [];
  const send = async ({ to }: Mail) => void order.push(to);
  expect(await sendMails({ ...deps, mailer: { send } })).toMatchObject({ sent: 61 });
  expect(order.indexOf(supporter.email)).toBeLessThan(10); // as many are in flight
});

test('a mail that waits for something is looked at again in an hour, and was not tried', async () => {
  await queue('one');
  const compose: Composer = async () => ({ waitsFor: 'an address' });
  for (const waiting of [1, 0]) expect(await sendMails({ ...deps, compose })).toEqual({ sent: 0, givenUp: 0, waiting });
  expect(await kept()).toEqual({ attempts: 0, sent: false, given_up: false, failure: 'an address' });
  expect(await dueIn()).toBe(60);
});

test('a program that stops takes no further mail, and records those in flight', async () => {
  await queueMany(40);
  const stopping = new AbortController();
  const send = async (mail: Mail) => {
    if (mailer.sent.length === 15) stopping.abort();
    await mailer.send(mail);
  };
  const { sent } = await sendMails({ ...deps, mailer: { send } }, stopping.signal);
  expect(sent).toBe(mailer.sent.length);
  expect(sent).toBeLessThan(30);
  expect(await sendMails(deps)).toMatchObject({ sent: 40 - sent });
});

test('the address that refused rests, not the one that the supporter has since', async () => {
  const supporter = await aSupporter(database.pool);
  await queueTo(supporter);
  const { supporterId, email } = supporter;
  const send = async () => {
    await database.pool`update supporters set email = 'new@home.test' where supporter_id = ${supporterId}`;
    throw new ProviderRefused('550 no such mailbox');
  };
  await sendMails({ ...deps, mailer: { send } });
  expect(await database.pool`select email from mail_bounces`).toEqual([{ email }]);
});

test('a mail that two programs have is sent once it was sent, whatever the other says', async () => {
  await queue('one');
  const [failing, sending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = sendMails({ ...deps, mailer: { send: () => failing.promise.then(() => Promise.reject(away)) } });
  const away = new MailDeferred('451 try again later');
  await expect.poll(async () => (await kept())?.attempts).toBe(0);
  await expect.poll(async () => (await dueIn()) > 0).toBe(true);
  later(11);
  await tenMinutesPass();
  const second = sendMails({ ...deps, mailer: { send: () => sending.promise } });
  await expect.poll(async () => (await dueIn()) > 0).toBe(true);
  sending.resolve();
  await second;
  failing.resolve();
  await first;
  expect(await kept()).toMatchObject({ sent: true, attempts: 1, failure: null });
});

test('an outage lasts until a round without one, and ends with any answer of the server', async () => {
  await queueMany(3);
  mailer.failNext('server away', 3);
  await sendMails(deps);
  const since = clock.now();
  expect(await findMailOutage(database.pool)).toMatchObject({ since });
  later(61);
  mailer.failNext('for good', 1);
  expect(await sendMails(deps)).toMatchObject({ sent: 2, givenUp: 1 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
});

test('mails with which the server breaks off do not keep others from asking whether it is there', async () => {
  await queueMany(30, 'large');
  for (let number = 1; number <= 30; number += 1) mailer.failTo(`large${number}@club.test`, 'server away');
  await sendMails(deps);
  const supporters = [];
  for (let each = 0; each < 20; each += 1) supporters.push(await aSupporter(database.pool));
  for (const supporter of supporters) await queueTo(supporter);
  for (let minute = 0; minute < 10; minute += 1) {
    later(1);
    await sendMails(deps);
  }
  expect(mailer.sent).toHaveLength(20);
});
