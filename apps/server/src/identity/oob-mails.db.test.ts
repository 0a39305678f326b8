import pino from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { insertOobRequest, type OobRequestType } from './oob-code-repository.ts';
import { actionPageAt, oobMails } from './oob-mails.ts';
import type { EndedOobMail, OobMail } from './service.ts';
import { anAddress, apiKey } from './testing/service.ts';
import { createUser } from './users.ts';

const database = ownDatabase();
beforeEach(() => database.rows`truncate identity.oob_requests`);

/** A request, and a mail server that is unavailable until it is repaired. */
async function aRequestInAnOutage(requestType: OobRequestType) {
  const { pool } = database;
  const email = anAddress();
  const { uid } = await createUser(pool, email, 'secret12');
  await insertOobRequest(pool, { requestType, uid, email, newEmail: anAddress('new') });
  const mails: OobMail[] = [];
  const ended: EndedOobMail[] = [];
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).msg) });
  let isUnavailable = true;
  const sendOobMail = async (mail: OobMail) => {
    if (isUnavailable) throw new Error('the mail server is unavailable');
    mails.push(mail);
  };
  const oobMailEnded = async (mail: EndedOobMail) => void ended.push(mail);
  const actionPage: Parameters<typeof oobMails>[0]['actionPage'] = (link) =>
    actionPageAt('https://product.example', link);
  let tries = 0;

  /** Attempts the email at its time; returns the seconds until the next attempt, if there is one. */
  const attempt = async (): Promise<number | undefined> => {
    tries += 1;
    await pool`update identity.oob_requests set due_at = now()`;
    const sender = oobMails({ db: pool, apiKey, actionPage, sendOobMail, oobMailEnded }, log);
    sender.wake();
    const left = () => pool<{ attempts: number; seconds: number }[]>`
      select attempts, round(extract(epoch from due_at - now()))::int as seconds from identity.oob_requests`;
    await vi.waitFor(async () => expect((await left())[0]?.attempts ?? tries).toBe(tries), 60_000);
    await sender.stop();
    return (await left())[0]?.seconds;
  };
  return {
    attempt,
    uid,
    mails,
    ended,
    errors,
    repair: () => {
      isUnavailable = false;
    },
  };
}

test('the email that undoes a change of address outlasts an outage of an hour', async () => {
  const { attempt, mails, errors, repair } = await aRequestInAnOutage('recover_email');
  let passed = 0;
  while (passed < 3_600) passed += (await attempt()) ?? Number.NaN;
  expect(await attempt()).toBeCloseTo(3_600, -1);
  repair();
  expect(await attempt()).toBeUndefined();
  expect(mails).toMatchObject([{ requestType: 'recover_email' }]);
  expect(errors).toEqual([]);
});

test('it is given up, with an error in the log, once its code would have ended', async () => {
  const { attempt, errors } = await aRequestInAnOutage('recover_email');
  await database.rows`update identity.oob_requests set id = uuidv7(interval '-167 hours')`;
  expect(await attempt()).toBeGreaterThan(0);
  await database.rows`update identity.oob_requests set id = uuidv7(interval '-169 hours')`;
  expect(await attempt()).toBeUndefined();
  expect(errors).toEqual(['the mail that undoes a change of address was given up']);
});

test('another email is given up after six attempts, as the person asks again', async () => {
  const { attempt, uid, mails, ended } = await aRequestInAnOutage('password_reset');
  for (const seconds of [30, 60, 120, 240, 480]) expect(await attempt()).toBeCloseTo(seconds, -1);
  expect(ended).toEqual([]);
  expect(await attempt()).toBeUndefined();
  expect(mails).toEqual([]);
  expect(ended).toMatchObject([
    { uid, requestType: 'password_reset', attempts: 6, failure: 'the mail server is unavailable' },
  ]);
});

test('an email sent after retries is recorded once, with its attempts', async () => {
  const { attempt, uid, ended, repair } = await aRequestInAnOutage('password_reset');
  await attempt();
  repair();
  expect(await attempt()).toBeUndefined();
  expect(ended).toMatchObject([{ uid, requestType: 'password_reset', attempts: 2 }]);
  expect(ended[0]?.failure).toBeUndefined();
});
