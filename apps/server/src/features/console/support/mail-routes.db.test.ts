import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract/console';
import { beforeAll, expect, test } from 'vitest';
import { askToJoin } from '#features/beneficiaries/club-requests/ask-to-join.ts';
import { queueMail, recordBounce, recordSignInMail } from '#features/core/outbox/outbox-repository.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';

const api = ownApp({ edge: { rateLimitFactor: 0 } });

let cookie: string;
beforeAll(async () => {
  ({ cookie } = await anOperator(api.db, { roles: ['support'] }));
});
const call = <Op extends contract.ConsoleOperation>(operation: Op, input: object) =>
  callConsole(api.app, operation, input, { cookie });

/** Queues an email to a new supporter, some minutes before now, and lets it end. */
async function aMail(end: 'waiting' | 'sent' | 'given_up' | 'bounced' | 'outdated', minutesAgo = 0) {
  const { supporterId, email } = await api.supporter();
  const at = new Date(api.clock.now().getTime() - minutesAgo * 60_000);
  const db = api.db.of(supporterId);
  await queueEmail(db, { supporterId, key: 'password changed', facts: { kind: 'password_changed' }, at });
  if (end === 'sent') await db`update mails set sent_at = ${at}, attempts = 1 where supporter_id = ${supporterId}`;
  else if (end !== 'waiting')
    await db`
      update mails set given_up_at = ${at}, attempts = ${end === 'outdated' ? 0 : 1}, failure = ${end}
      where supporter_id = ${supporterId}`;
  if (end === 'bounced') await recordBounce(db, supporterId, email, at, 'no such mailbox');
  const { rows } = (await call(contract.listMails, { supporterId })).body;
  return { supporterId, email, id: rows[0]?.id ?? '' };
}

test('emails are listed by status', async () => {
  for (const status of ['waiting', 'sent', 'given_up', 'bounced', 'outdated'] as const) {
    const { supporterId, email } = await aMail(status);
    const { body } = await call(contract.listMails, { status, address: email });
    expect(body.rows).toMatchObject([{ supporterId, address: email, status, about: 'password_changed' }]);
    expect((await call(contract.listMails, { status, about: 'welcome', address: email })).body.rows).toEqual([]);
  }
});

test('the email of a club that asks to join is found by the address of its contact', async () => {
  const email = `${randomUUID()}@club.example`;
  const form = {
    name: 'Example Netball',
    abn: '51824753556',
    suburb: 'Dubbo',
    purpose: 'balls',
    contactName: 'Kim',
    email,
  };
  await askToJoin(api, 'default', form);
  const { body } = await call(contract.listMails, { address: email });
  expect(body.rows).toMatchObject([{ recipient: 'club', address: email, about: 'club_request' }]);
});

test('pages hold every email once, over all outboxes, including those of one instant', async () => {
  const made: string[] = [];
  for (const minute of [5, 5, 4, 3]) made.push((await aMail('sent', minute)).supporterId);
  const facts = { kind: 'operator_link', linkId: randomUUID() } as const;
  const at = new Date(api.clock.now().getTime() - 5 * 60_000);
  await queueMail(api.db, { recipient: 'operator', supporterId: null, key: randomUUID(), facts, at, isUrgent: false });
  const page = (after?: string) => call(contract.listMails, { limit: '2', ...(after ? { after } : {}) });
  const seen: string[] = [];
  let after: string | null | undefined;
  while (after !== null) {
    const answer: Awaited<ReturnType<typeof page>> = await page(after);
    seen.push(...answer.body.rows.map(({ id, supporterId }) => supporterId ?? id));
    after = answer.body.next;
  }
  expect(new Set(seen).size).toBe(seen.length);
  for (const id of made) expect(seen).toContain(id);
  const { body } = await call(contract.listMails, { about: 'operator_link' });
  expect(body.rows.length).toBeGreaterThan(0);
});

test('days are those of Sydney, and older emails require a first day', async () => {
  const { email } = await aMail('sent', 40 * 24 * 60);
  expect((await call(contract.listMails, { address: email })).body.rows).toEqual([]);
  expect((await call(contract.listMails, { address: email, from: '2026-01-01' })).body.rows).toHaveLength(1);
  expect((await call(contract.listMails, { address: email, from: '2026-01-01', to: '2026-02-01' })).body.rows).toEqual(
    [],
  );
});

test('an email is shown as it would be sent, without the targets of its links', async () => {
  const { id } = await aMail('sent');
  const { status, body } = await call(contract.previewMail, { mailId: id });
  expect([status, body.subject, body.whyNone]).toEqual([200, 'Your password was changed', null]);
  expect(body.text).toContain('[link]');
  expect(body.text).not.toMatch(/https?:/);
  expect((await call(contract.previewMail, { mailId: '999999' })).status).toBe(404);
});

test('links of the identity service are listed once and have no text to send again', async () => {
  const { supporterId, email } = await api.supporter();
  const db = api.db.of(supporterId);
  const sent = { supporterId, kind: 'password_reset', id: randomUUID(), at: api.clock.now(), attempts: 1 } as const;
  await recordSignInMail(db, sent);
  await recordSignInMail(db, sent);
  await recordSignInMail(db, { ...sent, kind: 'recover_email', attempts: 9, failure: 'no such mailbox' });
  const { rows } = (await call(contract.listMails, { supporterId })).body;
  expect(rows.toSorted((one, other) => one.about.localeCompare(other.about))).toMatchObject([
    { about: 'password_reset', status: 'sent', address: email, attempts: 1 },
    { about: 'recover_email', status: 'given_up', address: null, failure: 'no such mailbox' },
  ]);
  const { body } = await call(contract.previewMail, { mailId: rows[0]?.id });
  expect(body).toEqual({ subject: null, text: null, whyNone: 'its link works once and is not kept' });
});

test('a sent email goes again as a copy, once a day; a given-up one is sent after all', async () => {
  const sent = await aMail('sent');
  expect((await call(contract.sendMailAgain, { mailId: sent.id })).status).toBe(200);
  expect((await call(contract.sendMailAgain, { mailId: sent.id })).status).toBe(409);
  const { body } = await call(contract.listMails, { supporterId: sent.supporterId });
  expect(body.rows.map(({ status }) => status).toSorted()).toEqual(['sent', 'waiting']);
  await api.db.of(sent.supporterId)`update mails set sent_at = now() where supporter_id = ${sent.supporterId}`;
  const copy = body.rows.find(({ status }) => status === 'waiting');
  expect((await call(contract.sendMailAgain, { mailId: copy?.id })).status).toBe(409);

  const bounced = await aMail('bounced');
  expect((await call(contract.sendMailAgain, { mailId: bounced.id })).status).toBe(200);
  const again = await call(contract.listMails, { supporterId: bounced.supporterId });
  expect(again.body.rows.map(({ status }) => status)).toEqual(['waiting']);
  expect((await call(contract.sendMailAgain, { mailId: bounced.id })).status).toBe(409);
});

test('the state shows waiting and bounced emails and whether the mail server accepts any', async () => {
  const before = (await call(contract.retrieveMailState, {})).body;
  await aMail('waiting');
  await aMail('bounced');
  await aMail('given_up');
  const { body } = await call(contract.retrieveMailState, {});
  expect(body).toEqual({
    outage: null,
    waiting: before.waiting + 1,
    undelivered: before.undelivered + 1,
    bounced: before.bounced + 1,
    listsSignInMails: false,
  });
});
