import type { AdviceFrequency } from '@sparechange/contract';
import * as contract from '@sparechange/contract';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { documentPrinter } from '#documents/document-printer.ts';
import { keepFormer, setAdviceFrequency } from '#features/beneficiaries/clubs/club-repository.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { listMails } from '#features/core/outbox/list-mails.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { remitToClubs, resubmitRemittances } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import { aClub, forgetEverything, returned, type TestSupporter } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { untilWaiting } from '#testing/waiting.ts';
import { queueAdvices } from './advice-repository.ts';
import { adviceComposer } from './compose-advice.ts';

const api = ownApp();
let mailer: FakeMailer;
let clubId: string;
let supporter: TestSupporter;
const treasurer = 'treasurer@rovers.example';

beforeEach(async () => {
  await forgetEverything(api.db);
  mailer = fakeMailer();
  clubId = await aClub(api.db, { name: 'Riverside Rovers' });
  await setBankDetails(api.db, clubId, '12345678');
  await api.rows`update clubs set contact_email = ${treasurer} where id = ${clubId}`;
  supporter = await api.supporter({ clubId });
});

/** Pays the club the previous day's cleared amount, and sends due emails. */
async function remitOn(day: string, before: string, amount: number): Promise<void> {
  await aPastDebit(api.db, supporter, { day: before, amount });
  await remitWithout(day);
}
async function remitWithout(day: string): Promise<void> {
  api.clock.setTo(`${day}T00:00:00Z`);
  await remitToClubs(paymentDeps(api.db, api.clock, api.directDebit));
  const compose = adviceComposer({
    ...api,
    printer: documentPrinter({ readLogo: async () => undefined }),
    mainTenant: 'default',
  });
  await sendMails({ db: api.db, clock: api.clock, log: pino({ level: 'silent' }), mailer, compose });
}
/** Each mail's figure and subject. */
const mailed = (to = treasurer) =>
  mailer.sentTo(to).map(({ subject, html }) => `${/>(\$[\d.]+)<\/span>/.exec(html)?.[1]}: ${subject}`);
const choose = (frequency: AdviceFrequency) => setAdviceFrequency(api.db, clubId, frequency);

test.each(['weekly', 'monthly'] as const)("a %s reader gets the period's payouts in one email", async (frequency) => {
  await choose(frequency);
  await remitOn('2026-11-24', '2026-11-23', 100);
  await remitOn('2026-11-26', '2026-11-25', 250);
  expect(mailed()).toEqual([]);
  await remitOn('2026-12-01', '2026-11-30', 70);
  expect(mailed()).toEqual(['$3.50: 2 payouts to Riverside Rovers']);
  const [mail] = mailer.sentTo(treasurer);
  for (const form of [mail?.text, mail?.html]) {
    expect(form).toMatch(/24 November 2026: \$1\.00, \w+/);
    expect(form).toMatch(/26 November 2026: \$2\.50, \w+/);
    expect(form).toContain(`/advice-mails/${api.adviceLinks.token(clubId)}`);
  }
  expect(mail?.unsubscribe).toBeUndefined();
  expect(mail?.attachments?.map(({ type }) => type)).toEqual([
    'application/pdf',
    'application/pdf',
    'text/csv; charset=utf-8',
  ]);
  const [head, ...lines] = new TextDecoder().decode(mail?.attachments?.[2]?.content).trimEnd().split('\r\n');
  expect(head).toMatch(/^Deposit,Day,/);
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(['1.00', '2.50']);
  await remitWithout('2026-12-02');
  expect(mailed()).toHaveLength(1);
});

test('a payout sent at the weekend is emailed on the banking day on which it is paid', async () => {
  await aPastDebit(api.db, supporter, { day: '2026-11-26', amount: 100 });
  api.directDebit.setUnreachable(true);
  await remitWithout('2026-11-27');
  api.directDebit.setUnreachable(false);
  api.clock.setTo('2026-11-28T00:00:00Z');
  await resubmitRemittances(paymentDeps(api.db, api.clock, api.directDebit));
  expect(await api.rows`select facts from mails where recipient = 'club'`).toEqual([]);
  await remitWithout('2026-11-30');
  expect(mailer.sentTo(treasurer).map(({ text }) => text)).toEqual([expect.stringContaining('on 30 November 2026')]);
});

test('a treasurer who returns to one email per payout gets the waiting ones with the next', async () => {
  await choose('monthly');
  await remitOn('2026-11-24', '2026-11-23', 100);
  await choose('each_payout');
  await remitOn('2026-11-26', '2026-11-25', 250);
  await remitOn('2026-11-27', '2026-11-26', 30);
  expect(mailed()).toEqual([
    '$3.50: 2 payouts to Riverside Rovers',
    '$0.30: A payout is on its way to Riverside Rovers',
  ]);
});

test('an advice of a repeated payment is emailed immediately', async () => {
  await remitOn('2026-11-24', '2026-11-23', 100);
  await choose('monthly');
  await applyOutcome(
    paymentDeps(api.db, api.clock, api.directDebit),
    returned(api.directDebit.taken.at(-1)?.providerRef ?? '', 5),
  );
  await setBankDetails(api.db, clubId, '99990000');
  await remitWithout('2026-11-26');
  expect(mailed()).toEqual([
    '$1.00: A payout is on its way to Riverside Rovers',
    '$1.00: A payout is on its way to Riverside Rovers',
  ]);
});

test('a payout known to have failed is in no email but that of the payout after it', async () => {
  await choose('weekly');
  await remitOn('2026-11-24', '2026-11-23', 100);
  const failed = api.directDebit.taken.at(-1)?.providerRef ?? '';
  await remitOn('2026-11-26', '2026-11-25', 250);
  await applyOutcome(paymentDeps(api.db, api.clock, api.directDebit), returned(failed, 5));
  await remitWithout('2026-12-01');
  expect(mailed()).toEqual(['$2.50: A payout is on its way to Riverside Rovers']);
  await setBankDetails(api.db, clubId, '99990000');
  await remitWithout('2026-12-02');
  expect(mailed().slice(1)).toEqual(['$1.00: A payout is on its way to Riverside Rovers']);
});

const changeContact = async (contactEmail: string | null) => {
  await keepFormer(api.db, clubId, { contactEmail, at: api.clock.now() });
  await api.rows`update clubs set contact_email = ${contactEmail} where id = ${clubId}`;
};

test("advices go to the club's contact at the time of mailing, and to nobody once it has none", async () => {
  await remitOn('2026-11-24', '2026-11-23', 100);
  await choose('monthly');
  await remitOn('2026-11-26', '2026-11-25', 250);
  await changeContact('new@rovers.example');
  await remitWithout('2026-12-01');
  expect(mailed()).toEqual(['$1.00: A payout is on its way to Riverside Rovers']);
  expect(mailed('new@rovers.example')).toEqual(['$2.50: A payout is on its way to Riverside Rovers']);
  const mails = await listMails(api.db, { limit: 9, since: new Date(0) });
  expect(mails.map(({ address }) => address)).toEqual(['new@rovers.example', treasurer]);
  await remitOn('2026-12-03', '2026-12-02', 70);
  await changeContact(null);
  await remitWithout('2027-01-04');
  expect(mailer.sent).toHaveLength(2);
});

test('an advice queued by the previous version is emailed once, and does not hold back later ones', async () => {
  await choose('weekly');
  await remitOn('2026-11-24', '2026-11-23', 100);
  await api.rows`
    insert into mails (recipient, key, facts, queued_at, due_at)
    select 'club', 'remittance_advice ' || id, jsonb_build_object('kind', 'remittance_advice', 'remittanceId', id), ${api.clock.now()}, ${api.clock.now()}
    from remittances`;
  await remitOn('2026-11-25', '2026-11-24', 250);
  await remitWithout('2026-12-01');
  expect(mailed()).toEqual([
    '$1.00: A payout is on its way to Riverside Rovers',
    '$2.50: A payout is on its way to Riverside Rovers',
  ]);
});

test('advices whose email the previous version queues at the same instant are not marked as sent', async () => {
  await choose('weekly');
  await remitOn('2026-11-24', '2026-11-23', 100);
  await remitOn('2026-11-26', '2026-11-25', 250);
  const at = new Date('2026-12-01T00:00:00Z');
  let queueing: Promise<void> | undefined;
  await api.db.begin(async (tx) => {
    await tx`
      insert into mails (recipient, key, facts, queued_at, due_at)
      select 'club', 'remittance_advice ' || min(id::text),
        jsonb_build_object('kind', 'remittance_advice', 'remittanceId', min(id::text)), ${at}, ${at} from remittances`;
    queueing = queueAdvices(api.db, at);
    await untilWaiting(api.db);
  });
  await queueing;
  expect(await api.db`select 1 from remittances where advice_mailed_at is not null`).toHaveLength(0);
  await remitWithout('2026-12-01');
  expect(mailed()).toHaveLength(2);
});

test('a treasurer chooses by the link of an advice, for their own club alone, and it is in the audit log', async () => {
  const other = await aClub(api.db, { name: 'Harbour Divers' });
  const token = api.adviceLinks.token(clubId);
  const answer = await api.call(contract.setAdviceFrequencyByLink, { token, frequency: 'monthly' });
  expect([answer.status, answer.body]).toEqual([200, { club: 'Riverside Rovers' }]);
  const clubs = await api.rows`select id, advice_frequency as frequency from clubs where id in (${clubId}, ${other})`;
  expect(Object.fromEntries(clubs.map(({ id, frequency }) => [id, frequency]))).toEqual({
    [clubId]: 'monthly',
    [other]: 'each_payout',
  });
  const [entry] =
    await api.rows`select actor, details from audit_log where action like '%mailed advices' order by id desc`;
  expect(entry).toMatchObject({ actor: 'mailed link', details: { club: clubId, frequency: 'monthly' } });
});

test('only a choice that changes something is in the audit log', async () => {
  const token = api.adviceLinks.token(clubId);
  const entries = () => api.rows`select 1 from audit_log where action like '%mailed advices'`;
  const before = (await entries()).length;
  for (const frequency of ['monthly', 'monthly', 'weekly', 'weekly'] as const) {
    const answer = await api.call(contract.setAdviceFrequencyByLink, { token, frequency });
    expect([answer.status, answer.body]).toEqual([200, { club: 'Riverside Rovers' }]);
  }
  expect(await entries()).toHaveLength(before + 2);
});

test('a forged link, or one for another purpose, changes nothing', async () => {
  const tokens = [
    'x',
    api.debitLinks.stopToken(clubId),
    api.adviceLinks.token(clubId).replace(/^......../, '00000000'),
    api.adviceLinks.token('00000000-0000-4000-8000-000000000000'),
  ];
  for (const token of tokens)
    expect((await api.call(contract.setAdviceFrequencyByLink, { token, frequency: 'weekly' })).status).toBe(404);
});
