import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { mailIdOf, signInMailId } from '#features/core/outbox/mail-id.ts';
import { recordSignInMail } from '#features/core/outbox/outbox-repository.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { aReport, type ReportParts } from '#providers/smtp/testing/a-report.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { opsOn } from './testing/run-ops.ts';

const api = ownApp();
const runOps = opsOn(() => api.database);
afterEach(() => void vi.restoreAllMocks());

/** Pipes a message into `ops mails bounce`. */
async function bounce(message: string | Buffer, ...words: string[]) {
  const piped = Readable.from([Buffer.from(message)]) as typeof process.stdin;
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(piped);
  const { code, said } = await runOps('mails', 'bounce', ...words);
  stdin.mockRestore();
  return { code, said: said.trim() };
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** An email that was sent to a supporter, and the report of its failure. */
async function aSentMail(sentAt = daysAgo(1), key = 'password') {
  const { supporterId, email } = await api.supporter();
  const db = api.db.of(supporterId);
  await queueEmail(db, { supporterId, key, facts: { kind: 'password_changed' }, at: sentAt });
  await api.rows`update mails set sent_at = ${sentAt}, attempts = 1 where supporter_id = ${supporterId}`;
  const mailId = mailIdOf({ recipient: 'supporter', supporterId, key });
  const report = (parts: Partial<ReportParts> = {}) => aReport({ mailId, to: email, ...parts });
  const kept = async () => {
    const [mail] = await api.rows`
      select sent_at is not null as sent, given_up_at is not null as "givenUp", failure from mails where supporter_id = ${supporterId}`;
    const bounces = await api.rows`select email, reason from mail_bounces where supporter_id = ${supporterId}`;
    return { ...mail, bounces };
  };
  return { supporterId, email, mailId, report, kept };
}

const sent = { sent: true, givenUp: false, failure: null, bounces: [] };

test('an email that came back is noted at the email and at its supporter, and twice changes nothing', async () => {
  const { email, report, kept, supporterId } = await aSentMail();
  const answer = await bounce(report({ to: email.toUpperCase() }));
  expect(answer).toEqual({ code: 0, said: expect.stringMatching(/^The mail is noted as bounced/) });
  const noted = await kept();
  const reason = expect.stringMatching(/^5\.1\.1 .*User unknown/);
  expect(noted).toEqual({ sent: false, givenUp: true, failure: reason, bounces: [{ email, reason }] });
  expect((await runOps('mails', 'list')).said).toMatch(new RegExp(`supporter ${supporterId} .*BOUNCED`));

  expect(await bounce(report(), '--json')).toEqual({ code: 0, said: '{"noted":["noted already"]}' });
  expect(await kept()).toEqual(noted);
});

test('an email that failed for another reason is given up, and its address is emailed again', async () => {
  const { report, kept } = await aSentMail();
  expect((await bounce(report({ code: '5.7.1', words: 'smtp; 554 looks like spam' }))).said).toContain('given up');
  const failure = '5.7.1 smtp; 554 looks like spam';
  expect(await kept()).toEqual({ sent: false, givenUp: true, failure, bounces: [] });
});

test('a report does nothing unless both the email and its address are right, and the email is of the last 30 days', async () => {
  const [one, other, old] = [await aSentMail(), await aSentMail(), await aSentMail(daysAgo(31))];
  const forged = [one.report({ to: other.email }), one.report({ mailId: 'f0'.repeat(20) }), old.report()];
  for (const report of forged)
    expect(await bounce(report)).toEqual({ code: 0, said: expect.stringMatching(/nothing was noted/) });
  for (const { kept } of [one, other, old]) expect(await kept()).toEqual(sent);
});

test('a message that reports nothing ends well in a sentence and changes nothing', async () => {
  const { report, kept } = await aSentMail();
  const others = [
    '',
    'Subject: Out of office\r\n\r\nI am away.',
    report({ action: 'delayed', code: '4.4.1' }),
    'x\0'.repeat(2e6),
  ];
  for (const message of others) {
    const said = 'The message reports no mail that failed; nothing was noted.';
    expect(await bounce(message)).toEqual({ code: 0, said });
  }
  expect(await kept()).toEqual(sent);
});

test('a report that repeats an email of megabytes is read all the same', async () => {
  const { report, kept } = await aSentMail();
  expect((await bounce(report().replace('Text', `${'A'.repeat(76)}\r\n`.repeat(40_000)))).said).toContain('bounced');
  expect(await kept()).toMatchObject({ givenUp: true });
});

test('emails to the operator are matched by the address of the settings', async () => {
  vi.stubEnv('OPERATOR_MAIL', 'operator@giving.example');
  await api.rows`
    insert into mails (recipient, key, facts, queued_at, due_at, attempts, sent_at, is_urgent)
    values ('operator', 'alarm one', '{"kind":"alarm"}', now(), now(), 1, now(), true)`;
  const mailId = mailIdOf({ recipient: 'operator', supporterId: null, key: 'alarm one' });
  expect((await bounce(aReport({ mailId, to: 'other@giving.example' }))).said).toContain('nothing was noted');
  expect((await bounce(aReport({ mailId, to: 'operator@giving.example' }))).said).toContain('bounced');
  expect(await api.rows`select given_up_at is not null as "givenUp" from mails where key = 'alarm one'`).toEqual([
    { givenUp: true },
  ]);
});

test.each(['password_reset', 'verify_email'] as const)(
  'an email of kind %s that came back is noted at its supporter',
  async (kind) => {
    const { supporterId, email } = await api.supporter();
    const mail = { supporterId, kind, id: randomUUID() };
    await recordSignInMail(api.db.of(supporterId), { ...mail, at: daysAgo(1), attempts: 1 });
    expect((await bounce(aReport({ mailId: signInMailId(mail), to: email }))).said).toContain('noted as bounced');
    expect(await api.rows`select email from mail_bounces where supporter_id = ${supporterId}`).toEqual([{ email }]);
  },
);

test.each(['verify_and_change_email', 'recover_email'] as const)(
  'an email of kind %s went to another address: it is given up, and its supporter is emailed as before',
  async (kind) => {
    const { supporterId } = await api.supporter();
    const mail = { supporterId, kind, id: randomUUID() };
    await recordSignInMail(api.db.of(supporterId), { ...mail, at: daysAgo(1), attempts: 1 });
    const report = aReport({ mailId: signInMailId(mail), to: 'another@example.com' });
    expect((await bounce(report)).said).toBe('The mail is noted as given up.');
    expect(await api.rows`select from mail_bounces where supporter_id = ${supporterId}`).toEqual([]);
    expect((await bounce(report)).said).toBe('The mail was noted already.');
  },
);
