import { expect, onTestFinished, test, vi } from 'vitest';
import { findMailOutage } from '#features/core/breakers/provider-breakers.ts';
import { ProviderRefused } from '#ports/errors.ts';
import { type Mail, MailDeferred } from '#ports/mailer.ts';
import { aSupporter } from '#testing/makers.ts';
import type { Composer } from './attempt-mail.ts';
import { listMailStates } from './outbox-repository.ts';
import { sendMails } from './send-mails.ts';
import { ownOutbox } from './testing/own-outbox.ts';

const outbox = ownOutbox();
const { database, later, queue, queueTo, queueMany, kept, dueIn, tenMinutesPass } = outbox;

test('a key is queued once for a supporter and once for all other recipients, however often it is queued', async () => {
  const [first, second] = [await aSupporter(database.pool), await aSupporter(database.pool)];
  const queued = await Promise.all(Array.from({ length: 5 }, () => queueTo(first)));
  expect(queued.filter(Boolean)).toHaveLength(1);
  expect([await queueTo(second), await queue('one'), await queue('one')]).toEqual([true, true, false]);
  expect(await sendMails(outbox.deps)).toEqual({ sent: 3, givenUp: 0, waiting: 0 });
  expect(await queueTo(first)).toBe(false);
  expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
});

test('processes sending concurrently send each email once', async () => {
  await queueMany(60);
  const pools = [1, 2, 3].map(() => database.open(4));
  const reports = await Promise.all(pools.map((db) => sendMails({ ...outbox.deps, db })));
  for (const pool of pools) await pool.end();
  expect(reports.reduce((sum, { sent }) => sum + sent, 0)).toBe(60);
  expect(new Set(outbox.mailer.sent.map(({ id }) => id)).size).toBe(60);
  expect(outbox.mailer.sent).toHaveLength(60);
});

test('several emails are in flight, and a slow one does not block the others', async () => {
  await queueMany(40);
  const [tenInFlight, othersSent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [inFlight, most] = [0, 0];
  const send = async (mail: Mail) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (inFlight === 10) tenInFlight.resolve();
    await (mail.to.startsWith('treasurer7@') ? othersSent.promise : tenInFlight.promise);
    await outbox.mailer.send(mail);
    inFlight -= 1;
    if (outbox.mailer.sent.length === 39) othersSent.resolve();
  };
  expect(await sendMails({ ...outbox.deps, mailer: { send } })).toMatchObject({ sent: 40 });
  expect(most).toBe(10);
});

test('a deferred address is retried with growing pauses, does not block others, and gets the same email in the end', async () => {
  await queueMany(12);
  await queue('one');
  outbox.mailer.failTo('one@club.test', 'for now');
  expect(await sendMails(outbox.deps)).toEqual({ sent: 12, givenUp: 0, waiting: 1 });
  expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
  for (const [minutes, waiting] of [
    [1, 1],
    [0.5, 0],
    [0.5, 1],
    [1.9, 0],
    [0.1, 1],
  ] as const) {
    later(minutes);
    expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 0, waiting });
  }
  expect(await findMailOutage(database.pool)).toBeUndefined();
  outbox.mailer.recover();
  later(60);
  expect(await sendMails(outbox.deps)).toMatchObject({ sent: 1 });
  expect(await kept()).toEqual({ attempts: 5, sent: true, given_up: false, failure: null });
});

test('an email deferred for a week is given up and counted', async () => {
  await queue('one');
  outbox.mailer.failTo('one@club.test', 'for now');
  for (let hour = 0; hour <= 7 * 24; hour += 1) {
    expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 0, waiting: 1 });
    later(60);
  }
  expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 1, waiting: 0 });
  expect(await kept()).toMatchObject({ attempts: 170, sent: false, given_up: true });
  const [state] = await listMailStates(database.pool, new Date(0));
  expect(state).toMatchObject({ recipient: 'club', waiting: 0, undelivered: 1, failure: '451 try again later' });
});

test("a supporter's address that refuses is given up and rests for 30 days; a club is tried with the next email", async () => {
  const supporter = await aSupporter(database.pool);
  await queueTo(supporter);
  await queue('club');
  outbox.mailer.failNext('for good', 2);
  expect(await sendMails(outbox.deps)).toMatchObject({ givenUp: 2 });
  await queueTo(supporter, 'two');
  await queue('club again');
  expect(await sendMails(outbox.deps)).toMatchObject({ sent: 1, givenUp: 1 });
  const [bounce] = await database.rows`select email, reason from mail_bounces`;
  expect(bounce).toEqual({ email: supporter.email, reason: '550 no such mailbox' });
  expect(await listMailStates(database.pool, new Date(0))).toMatchObject([{ recipient: 'club', undelivered: 1 }]);
  later(31 * 1_440);
  await queueTo(supporter, 'three');
  expect(await sendMails(outbox.deps)).toMatchObject({ sent: 1 });
});

test('an email that cannot be composed waits alone', async () => {
  await queue('one', { broken: true });
  await queueMany(3);
  expect(await sendMails(outbox.deps)).toEqual({ sent: 3, givenUp: 0, waiting: 1 });
  expect(await kept()).toMatchObject({ attempts: 1, failure: 'the mail could not be composed' });
});

test('an email that cannot be recorded is thrown and does not block others', async () => {
  await queueMany(30);
  await queue('one');
  await database.rows`update mails set due_at = due_at - interval '1 hour' where key = 'one'`;
  await database.pool`alter table mails add constraint not_one check (key <> 'one' or sent_at is null)`;
  await expect(sendMails(outbox.deps))
    .rejects.toThrow('not_one')
    .finally(() => database.pool`alter table mails drop constraint not_one`);
  const [sent] = await database.rows`select count(*)::int as count from mails where sent_at is not null`;
  expect(sent).toEqual({ count: 30 });
});

test('an outdated email is given up without an attempt', async () => {
  await queue('one');
  const outdated = async () => ({ outdated: 'it is over' });
  expect(await sendMails({ ...outbox.deps, compose: outdated })).toEqual({ sent: 0, givenUp: 1, waiting: 0 });
  expect(await kept()).toEqual({ attempts: 0, sent: false, given_up: true, failure: 'it is over' });
  expect(await listMailStates(database.pool, new Date(0))).toEqual([]);
});

test('the email of a killed process is taken again after ten minutes, with its Message-ID', async () => {
  await queue('one');
  const ids: (string | undefined)[] = [];
  const send = async (mail: Mail) => {
    ids.push(mail.id);
    await new Promise(() => {});
  };
  void sendMails({ ...outbox.deps, mailer: { send } });
  await expect.poll(() => ids.length).toBe(1);
  later(9);
  expect(await sendMails(outbox.deps)).toMatchObject({ sent: 0 });
  later(2);
  await tenMinutesPass();
  expect(await sendMails(outbox.deps)).toMatchObject({ sent: 1 });
  expect(outbox.mailer.sent[0]?.id).toBe(ids[0]);
});

test('a product clock that moves by days while an email is in flight does not send it twice', async () => {
  await queue('one');
  const inFlight = Promise.withResolvers<void>();
  const slow = sendMails({ ...outbox.deps, mailer: { send: () => inFlight.promise } });
  await expect.poll(dueIn).toBe(10);
  later(3 * 1_440);
  expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
  inFlight.resolve();
  expect(await slow).toEqual({ sent: 1, givenUp: 0, waiting: 0 });
  expect(await kept()).toMatchObject({ sent: true, attempts: 1 });
});

test('urgent emails go before a full queue that was due earlier', async () => {
  await queueMany(60);
  later(1);
  const supporter = await aSupporter(database.pool);
  await queueTo(supporter, 'urgent', { isUrgent: true });
  const order: string[] = [];
  const send = async ({ to }: Mail) => void order.push(to);
  expect(await sendMails({ ...outbox.deps, mailer: { send } })).toMatchObject({ sent: 61 });
  expect(order.indexOf(supporter.email)).toBeLessThan(10); // all are in flight together
});

test('an email waiting for something is checked again in an hour without counting as tried', async () => {
  await queue('one');
  const compose: Composer = async () => ({ waitsFor: 'an address' });
  for (const waiting of [1, 0])
    expect(await sendMails({ ...outbox.deps, compose })).toEqual({ sent: 0, givenUp: 0, waiting });
  expect(await kept()).toEqual({ attempts: 0, sent: false, given_up: false, failure: 'an address' });
  expect(await dueIn()).toBe(60);
});

test('a process that stops takes no further email, and records those in flight', async () => {
  await queueMany(40);
  const stopping = new AbortController();
  const send = async (mail: Mail) => {
    if (outbox.mailer.sent.length === 15) stopping.abort();
    await outbox.mailer.send(mail);
  };
  const { sent } = await sendMails({ ...outbox.deps, mailer: { send } }, stopping.signal);
  expect(sent).toBe(outbox.mailer.sent.length);
  expect(sent).toBeLessThan(30);
  expect(await sendMails(outbox.deps)).toMatchObject({ sent: 40 - sent });
});

test('emails that wait too long for others of their claim are given back and composed again', async () => {
  await queueMany(30);
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  const startedAt = performance.now();
  let composed = 0;
  const compose: Composer = async (mail, now) => {
    composed += 1;
    return outbox.deps.compose(mail, now);
  };
  const send = async (mail: Mail) => {
    if (outbox.mailer.sent.length === 14) clock.mockReturnValue(startedAt + 61_000);
    await outbox.mailer.send(mail);
  };
  expect(await sendMails({ ...outbox.deps, mailer: { send }, compose })).toEqual({ sent: 30, givenUp: 0, waiting: 0 });
  expect(new Set(outbox.mailer.sent.map(({ id }) => id)).size).toBe(30);
  expect(outbox.mailer.sent).toHaveLength(30);
  expect(composed).toBeGreaterThan(30);
});

test("the address that refused rests, not its supporter's new one", async () => {
  const supporter = await aSupporter(database.pool);
  await queueTo(supporter);
  const { supporterId, email } = supporter;
  const send = async () => {
    await database.rows`update supporters set email = 'new@home.test' where supporter_id = ${supporterId}`;
    throw new ProviderRefused('550 no such mailbox');
  };
  await sendMails({ ...outbox.deps, mailer: { send } });
  expect(await database.rows`select email from mail_bounces`).toEqual([{ email }]);
});

test('an email held by two processes counts as sent if either sent it', async () => {
  await queue('one');
  const [failing, sending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = sendMails({ ...outbox.deps, mailer: { send: () => failing.promise.then(() => Promise.reject(away)) } });
  const away = new MailDeferred('451 try again later');
  await expect.poll(async () => (await kept())?.attempts).toBe(0);
  await expect.poll(async () => (await dueIn()) > 0).toBe(true);
  later(11);
  await tenMinutesPass();
  const second = sendMails({ ...outbox.deps, mailer: { send: () => sending.promise } });
  await expect.poll(async () => (await dueIn()) > 0).toBe(true);
  sending.resolve();
  await second;
  failing.resolve();
  await first;
  expect(await kept()).toMatchObject({ sent: true, attempts: 1, failure: null });
});
