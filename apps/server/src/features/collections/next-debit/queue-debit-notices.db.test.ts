import { cents, isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { holdSupporter } from '#features/collections/debits/hold-supporter.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { type OutboxDeps, sendMails } from '#features/core/outbox/send-mails.ts';
import { emailComposer } from '#features/correspondence/emails/compose-email.ts';
import { closeAccount } from '#features/supporters/offboarding/close-supporter.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import {
  aPurchase,
  aTenant,
  forgetEverything,
  type SupporterOverrides,
  someTenants,
  type TestSupporter,
  uidsInEachBucket,
} from '#testing/makers.ts';
import { timeOf } from '#testing/timetable.ts';
import { noticeReader, queueDebitNotices } from './queue-debit-notices.ts';
import { setDebitNotices } from './settings.ts';
import { skipDebit } from './skip-debit.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets);
let mailer: FakeMailer;

const run = isoDate('2026-11-25');
const evening = '2026-11-24T07:00:00Z'; // 18:00 in Sydney
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo(evening);
  mailer = fakeMailer();
});

const mailDeps = (): OutboxDeps => {
  const compose = emailComposer({
    ...{ ...api, graceDays: 30, renewalToken: api.renewalLinks.token },
    campaignEnd: (supporter) => campaignEnd(api.db, api.tenants, supporter),
    isNoticeDue: (supporterId, run) => noticeReader(inBucketOf(api, supporterId))(supporterId, run),
  });
  return { ...api, log: pino({ level: 'silent' }), mailer, compose };
};
async function aSupporterWith(prices: number[], overrides: SupporterOverrides = {}) {
  const supporter = await api.supporter(overrides);
  const purchases = prices.map((price) => aPurchase(supporter, { cents: price, day: '2026-11-23' }));
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), purchases);
  return supporter;
}
const skip = ({ supporterId }: TestSupporter) =>
  skipDebit(api.db.of(supporterId), api.clock, { supporterId, run, isSkipped: true, actor: 'supporter' });
const facts = async () => {
  const rows = await api.rows<
    { supporter_id: string; key: string; facts: { amountCents: number; reference: string } }[]
  >`
    select supporter_id, key, facts from mails order by supporter_id`;
  return rows.map((row) => [row.supporter_id, row.key, row.facts.amountCents, row.facts.reference]);
};

test('the evening before, each supporter to be debited is emailed once, with the amount and the text of the debit', async () => {
  const some = [await aSupporterWith([455], { savings: true })];
  for (const uid of uidsInEachBucket(buckets, 1)) some.push(await aSupporterWith([430, 125], { uid }));
  some.push(await aSupporterWith([101]));
  await aSupporterWith([400]);
  await aSupporterWith([430], { paused: true });
  await aSupporterWith([430], { consentActive: false });
  await aSupporterWith([430], { account: false });
  await aSupporterWith([430], { tenantKey: 'ended' });
  await aSupporterWith([430], { ceilingCents: 10 });
  expect(await queueDebitNotices(api, run)).toEqual({ queued: some.length });
  expect(await queueDebitNotices(api, run)).toEqual({ queued: 0 });
  const notices = await facts();
  api.clock.setTo(timeOf('debit-run', run));
  await runDebits(api, run);
  const debits = await api.rows`
    select supporter_id, amount_cents, reference from debits where state = 'submitted' order by supporter_id`;
  expect(notices).toEqual(
    debits.map((debit) => [debit.supporter_id, 'debit_notice 2026-11-25', debit.amount_cents, debit.reference]),
  );
  for (const supporter of some) expect(await skip(supporter)).toBe('too late'); // as their debits are planned
});

test("nobody is emailed without a debit, nor for less than the tenant's minimum", async () => {
  await aSupporterWith([]);
  const lately = await aSupporterWith([430]);
  await runDebits(api, isoDate('2026-11-23'), { force: true });
  expect(await queueDebitNotices(api, run)).toEqual({ queued: 0 });
  await recordRoundUps(api.db.of(lately.supporterId), api.clock.now(), [
    aPurchase(lately, { cents: 455, day: '2026-11-24' }),
  ]);
  const thrifty = someTenants(aTenant({ minimumDebitCents: cents(200) }));
  expect(await queueDebitNotices({ ...api, tenants: thrifty }, run)).toEqual({ queued: 0 });
  expect(await queueDebitNotices(api, run)).toEqual({ queued: 1 });
});

test('supporters who opted out, or skip the run, get no email', async () => {
  const [quiet, away] = [await aSupporterWith([430]), await aSupporterWith([430])];
  await setDebitNotices(api.db.of(quiet.supporterId), api.clock, {
    supporterId: quiet.supporterId,
    debitNotices: 'never',
    actor: 'supporter',
  });
  expect(await skip(away)).toBe('done');
  expect(await queueDebitNotices(api, run)).toEqual({ queued: 0 });
});

test('the email holds no bank data, links that skip and stop, and the headers of one-click unsubscribing', async () => {
  const { supporterId, email } = await aSupporterWith([430]);
  await queueDebitNotices(api, run);
  await sendMails(mailDeps());
  const [mail] = mailer.sentTo(email);
  expect(mail?.subject).toBe('Your debit tomorrow');
  expect(mail?.html).toContain('>$0.70</span>');
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain(`/skip-debit/${api.debitLinks.skipToken({ supporterId, run })}`);
    expect(text).toContain(`/debit-mails/${api.debitLinks.stopToken(supporterId)}`);
    expect(text).not.toMatch(/COFFEE|XXXX|5678|Everyday/);
  }
  expect(mail?.unsubscribe?.pathname).toBe(`/debit-mails/${api.debitLinks.stopToken(supporterId)}`);
});

test('an email that is late by a night says that the debit is today', async () => {
  const { email } = await aSupporterWith([430]);
  await queueDebitNotices(api, run);
  api.clock.setTo('2026-11-24T16:00:00Z'); // 03:00 in Sydney
  await sendMails(mailDeps());
  const [mail] = mailer.sentTo(email);
  expect(mail?.subject).toBe('Your debit today');
  expect(mail?.html).toContain('>$0.70</span>');
  expect(mail?.text).toContain("Today, Wednesday 25 November 2026, we'll debit your round-ups: $0.70 so far");
  expect(mail?.text).not.toMatch(/tomorrow/i);
});

test('an email that could not be sent before its run is not sent at all', async () => {
  await aSupporterWith([430]);
  await queueDebitNotices(api, run);
  mailer.failNext('for now', 1);
  await sendMails(mailDeps());
  api.clock.setTo(timeOf('debit-run', run));
  expect(await sendMails(mailDeps())).toEqual({ sent: 0, givenUp: 1, waiting: 0 });
});

test.each<[string, (supporterId: string) => Promise<unknown>]>([
  [
    'the account was closed',
    (id) => closeAccount(inBucketOf({ ...api, removeUser: async () => 'not ours' }, id), id, 'supporter'),
  ],
  [
    'the consent was withdrawn',
    (id) => api.rows`update supporters set consent_active = false where supporter_id = ${id}`,
  ],
  ['the mandate was cancelled', (id) => api.rows`update mandates set cancelled_at = now() where supporter_id = ${id}`],
  [
    'the run was skipped',
    (supporterId) =>
      skipDebit(api.db.of(supporterId), api.clock, { supporterId, run, isSkipped: true, actor: 'supporter' }),
  ],
  [
    'the mails were stopped',
    (supporterId) =>
      setDebitNotices(api.db.of(supporterId), api.clock, { supporterId, debitNotices: 'never', actor: 'mailed link' }),
  ],
  ['an operator holds the debits', (id) => holdSupporter(api.db.of(id), api.clock, id, 'asked to')],
])('an email that waited while %s is not sent', async (_name, happens) => {
  const [one, other] = [await aSupporterWith([430]), await aSupporterWith([430])];
  await queueDebitNotices(api, run);
  await happens(one.supporterId);
  await api.rows`delete from mails where facts->>'kind' <> 'debit_notice'`;
  expect(await sendMails(mailDeps())).toEqual({ sent: 1, givenUp: 1, waiting: 0 });
  expect(mailer.sentTo(other.email)).toHaveLength(1);
});
