import { expect, test } from 'vitest';
import { findMailOutage } from '#features/core/breakers/provider-breakers.ts';
import { aSupporter } from '#testing/makers.ts';
import { sendMails } from './send-mails.ts';
import { ownOutbox } from './testing/own-outbox.ts';

const outbox = ownOutbox();
const { database, later, queue, queueTo, queueMany, kept } = outbox;

test('while the mail server is unavailable no more emails are taken, and none is given up', async () => {
  await queueMany(60);
  outbox.mailer.failNext('server unavailable', 1_000);
  const { waiting } = await sendMails(outbox.deps);
  expect(waiting).toBeLessThan(15);
  const since = outbox.clock.now();
  expect(await findMailOutage(database.pool)).toMatchObject({ since, failure: 'The mail server does not answer.' });
  expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
  for (let minute = 0; minute < 100; minute += 1) {
    later(1);
    const { waiting, ...others } = await sendMails(outbox.deps);
    expect(others).toEqual({ sent: 0, givenUp: 0 });
    expect(waiting).toBeLessThanOrEqual(10);
  }
  expect(await findMailOutage(database.pool)).toMatchObject({ since });
  outbox.mailer.recover();
  later(60);
  expect(await sendMails(outbox.deps)).toEqual({ sent: 60, givenUp: 0, waiting: 0 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
});

test('a single attempt without an answer stops nothing', async () => {
  await queueMany(30);
  outbox.mailer.failTo('treasurer3@club.test', 'server unavailable');
  expect(await sendMails(outbox.deps)).toEqual({ sent: 29, givenUp: 0, waiting: 1 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
  for (let day = 0; day < 8; day += 1) {
    later(1_440);
    await sendMails(outbox.deps); // the server breaks off with this email alone
  }
  expect(await kept('treasurer3')).toMatchObject({ sent: false, given_up: true });
});

test('one email refused in a quiet night is no outage; three in a row are', async () => {
  await queue('one');
  outbox.mailer.failTo('one@club.test', 'this mail');
  expect(await sendMails(outbox.deps)).toEqual({ sent: 0, givenUp: 0, waiting: 1 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
  await queueMany(5);
  outbox.mailer.failNext('this mail', 5);
  await sendMails(outbox.deps);
  expect(await findMailOutage(database.pool)).toMatchObject({ failure: '552 too big' });
});

test('an outage lasts until a round without failures, and ends with any answer of the server', async () => {
  await queueMany(3);
  outbox.mailer.failNext('server unavailable', 3);
  await sendMails(outbox.deps);
  const since = outbox.clock.now();
  expect(await findMailOutage(database.pool)).toMatchObject({ since });
  later(61);
  outbox.mailer.failNext('for good', 1);
  expect(await sendMails(outbox.deps)).toMatchObject({ sent: 2, givenUp: 1 });
  expect(await findMailOutage(database.pool)).toBeUndefined();
});

test('emails that make the server break off do not stop others from testing whether it is back', async () => {
  await queueMany(30, 'large');
  for (let number = 1; number <= 30; number += 1)
    outbox.mailer.failTo(`large${number}@club.test`, 'server unavailable');
  await sendMails(outbox.deps);
  const supporters = [];
  for (let each = 0; each < 20; each += 1) supporters.push(await aSupporter(database.pool));
  for (const supporter of supporters) await queueTo(supporter);
  for (let minute = 0; minute < 10; minute += 1) {
    later(1);
    await sendMails(outbox.deps);
  }
  expect(outbox.mailer.sent).toHaveLength(20);
});
