import { addDays, cents, isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { holdSupporter } from '#features/collections/debits/hold-supporter.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { holdRun } from '#features/collections/debits/release-runs.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { suspendRuns } from '#features/collections/debits/suspended-runs.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { emailComposer } from '#features/correspondence/emails/compose-email.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { fakeMailer } from '#testing/fake-mailer.ts';
import { aPurchase, forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { timeOf } from '#testing/timetable.ts';
import { nextDebitOf } from './next-debit.ts';
import { noticeReader, queueDebitNotices } from './queue-debit-notices.ts';
import { skipDebit } from './skip-debit.ts';

const api = ownApp();
const [monday, wednesday] = ['2026-11-23', '2026-11-25'].map(isoDate) as [never, never];
let supporter: TestSupporter;
let takenAtStart: number;

const buy = (cents: number) =>
  recordRoundUps(bucket(), api.clock.now(), [aPurchase(supporter, { cents, day: '2026-11-21' })]);
const bucket = () => api.db.of(supporter.supporterId);
const setToEvening = (day: string) => api.clock.setTo(timeOf('debit-notice', day));
const setToRunAfter = (day: string) => api.clock.setTo(timeOf('debit-run', addDays(isoDate(day), 1)));

/** Plans a debit of 70 cents for Monday that an outage keeps from the provider. */
beforeEach(async () => {
  await forgetEverything(api.db);
  setToEvening('2026-11-22');
  supporter = await api.supporter();
  await buy(430);
  await planDebits(api.db, api.clock, api.tenants, monday);
  takenAtStart = api.directDebit.taken.length;
  setToEvening('2026-11-24');
});

const sendQueued = async () => {
  const mailer = fakeMailer();
  const compose = emailComposer({
    ...{ ...api, graceDays: 30, renewalToken: api.renewalLinks.token },
    campaignEnd: (supporter) => campaignEnd(api.db, api.tenants, supporter),
    isNoticeDue: noticeReader(api),
  });
  await sendMails({ ...api, log: pino({ level: 'silent' }), mailer, compose });
  return mailer.sentTo(supporter.email);
};
const takenSince = () => api.directDebit.taken.slice(takenAtStart);

test('the email before a run includes debits left over by an outage, and the statement texts of all', async () => {
  await buy(125);
  const next = await nextDebitOf({ ...api, db: bucket() }, supporter.supporterId);
  expect(await queueDebitNotices(api, wednesday)).toEqual({ queued: 1 });
  expect(await queueDebitNotices(api, wednesday)).toEqual({ queued: 0 });
  const [mail] = await sendQueued();
  expect(mail?.subject).toBe('Your debit tomorrow');
  expect(mail?.html).toContain('>$1.45</span>');
  expect(mail?.text).toContain('$1.45 so far, in 2 debits as one was delayed, plus anything that arrives overnight.');
  expect(mail?.text).toContain(`On your statement: ${next?.statementTexts.join(' and ')}.`);
  setToRunAfter('2026-11-24');
  await runDebits(api, wednesday);
  const debits = takenSince();
  expect(debits.map(({ amount }) => amount).toSorted()).toEqual([70, 75]);
  expect(next).toMatchObject({ amountCents: 145, date: wednesday });
  const texts = debits.map(({ reference }) => `SPARECHANGE ${reference.slice(0, 9)}`);
  expect(next?.statementTexts.toSorted()).toEqual(texts.toSorted());
});

test('a left-over debit without new ones is announced once more, for its new day, with its own text', async () => {
  await queueDebitNotices(api, wednesday);
  const [mail] = await sendQueued();
  expect(mail?.text).toContain('$0.70 so far, plus anything that arrives overnight.');
  setToRunAfter('2026-11-24');
  await runDebits(api, wednesday);
  expect(mail?.text).toContain(`On your statement: SPARECHANGE ${takenSince()[0]?.reference.slice(0, 9)}.`);
  setToEvening('2026-11-26');
  expect(await queueDebitNotices(api, isoDate('2026-11-27'))).toEqual({ queued: 0 });
});

test('debits left over by a run interrupted between two buckets are announced before the next run', async () => {
  await holdRun(api.db, monday);
  expect(await queueDebitNotices(api, wednesday)).toEqual({ queued: 1 });
});

test.each<[string, () => Promise<unknown>]>([
  [
    'skips that run',
    () =>
      skipDebit(bucket(), api.clock, {
        supporterId: supporter.supporterId,
        run: wednesday,
        isSkipped: true,
        actor: 'supporter',
      }),
  ],
  ['is held by an operator', () => holdSupporter(api.db, api.clock, supporter.supporterId, 'a dispute')],
  ['has withdrawn the consent', () => api.rows`update supporters set consent_active = false`],
  ['belongs to a campaign that has ended', () => api.rows`update supporters set tenant_key = 'ended'`],
  [
    'waits for an operator to confirm the run',
    async () => {
      await holdRun(api.db, monday);
      await suspendRuns(api.db, api.clock, { runDate: monday }, 'unusual', cents(100_00));
    },
  ],
])('a debit is not announced if its supporter %s', async (_why, arrange) => {
  await arrange();
  expect(await queueDebitNotices(api, wednesday)).toEqual({ queued: 0 });
});

test('while debits are suspended none is announced, and a queued email is not sent', async () => {
  await queueDebitNotices(api, wednesday);
  await suspendRuns(api.db, api.clock, { runDate: monday }, 'the provider does not let us collect');
  expect(await sendQueued()).toEqual([]);
  expect(await queueDebitNotices(api, wednesday)).toEqual({ queued: 0 });
});
