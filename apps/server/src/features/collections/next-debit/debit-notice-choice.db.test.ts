import type { DebitNotices } from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { emailComposer } from '#features/correspondence/emails/compose-email.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import { aPurchase, forgetEverything } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { noticeReader, queueDebitNotices } from './queue-debit-notices.ts';
import { setDebitNotices } from './settings.ts';

const api = ownApp();
let mailer: FakeMailer;
const monday = isoDate('2026-11-23');
const wednesday = isoDate('2026-11-25');

beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-22T07:00:00Z'); // Sunday, 18:00 in Sydney
  mailer = fakeMailer();
});

async function aSupporterWithNotices(
  debitNotices: DebitNotices,
  past: [day: string, amount: number][],
  waiting: number,
) {
  const supporter = await api.supporter({ step: 500 });
  for (const [day, amount] of past) await aPastDebit(api.db, supporter, { day, amount });
  if (waiting > 0)
    await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [
      aPurchase(supporter, { cents: 500 - waiting, day: '2026-11-21' }),
    ]);
  await choose(supporter.supporterId, debitNotices);
  return supporter;
}
const choose = (supporterId: string, debitNotices: DebitNotices) =>
  setDebitNotices(api.db.of(supporterId), api.clock, { supporterId, debitNotices, actor: 'supporter' });

const send = () =>
  sendMails({
    ...{ ...api, log: pino({ level: 'silent' }), mailer },
    compose: emailComposer({
      ...{ ...api, graceDays: 30, renewalToken: api.renewalLinks.token },
      campaignEnd: (supporter) => campaignEnd(api.db, api.tenants, supporter),
      isNoticeDue: (supporterId, run) => noticeReader(inBucketOf(api, supporterId))(supporterId, run),
    }),
  });

test('a supporter with weekly notices is emailed once a week: debits since the last email, and the next debit', async () => {
  const { email } = await aSupporterWithNotices(
    'weekly',
    [
      ['2026-11-11', 900],
      ['2026-11-16', 120],
      ['2026-11-20', 300],
    ],
    70,
  );
  expect(await queueDebitNotices(api, monday)).toEqual({ queued: 1 });
  expect(await queueDebitNotices(api, monday)).toEqual({ queued: 0 });
  await send();
  expect(await queueDebitNotices(api, wednesday)).toEqual({ queued: 0 });
  const [mail] = mailer.sentTo(email);
  expect(mail?.subject).toBe('Your week in round-ups');
  expect(mail?.html).toContain('>$4.20</span>');
  for (const form of [mail?.text, mail?.html]) {
    expect(form).toContain('Since Monday 16 November 2026 we have debited $4.20 of round-ups, in 2 debits.');
    expect(form).toContain(
      'The next debit is on Monday 23 November 2026: $0.70 so far, plus anything that arrives before then.',
    );
    expect(form).toContain('/debit-mails/');
  }
  expect(mail?.unsubscribe?.pathname).toMatch(/^\/debit-mails\//);
});

test('a supporter with weekly notices, nothing debited and no debit to come is not emailed', async () => {
  await aSupporterWithNotices('weekly', [['2026-11-11', 900]], 0);
  expect(await queueDebitNotices(api, monday)).toEqual({ queued: 0 });
});

test('a summary that is late by a day leaves out the debit that has started', async () => {
  const { email } = await aSupporterWithNotices('weekly', [['2026-11-20', 300]], 70);
  await queueDebitNotices(api, monday);
  api.clock.setTo('2026-11-23T20:00:00Z');
  await send();
  expect(mailer.sentTo(email)[0]?.text).not.toContain('next debit is on');
});

test('a week whose Monday is a holiday is summarised before its first debit', async () => {
  api.clock.setTo('2027-03-29T07:00:00Z'); // Easter Monday
  const { email } = await aSupporterWithNotices('weekly', [['2027-03-24', 300]], 0);
  expect(await queueDebitNotices(api, isoDate('2027-03-30'))).toEqual({ queued: 1 });
  await send();
  expect(mailer.sentTo(email)[0]?.html).toContain('>$3.00</span>');
});

test('a supporter who turns weekly emails off does not get one already waiting', async () => {
  const { supporterId } = await aSupporterWithNotices('weekly', [['2026-11-20', 300]], 70);
  await queueDebitNotices(api, monday);
  await choose(supporterId, 'never');
  expect(await send()).toEqual({ sent: 0, givenUp: 1, waiting: 0 });
});

const days = ['2026-11-16', '2026-11-18', '2026-11-20'];
test.each<[string, number[], number, number]>([
  ['one of the first three debits is announced', [100, 100], 70, 1],
  ['a usual debit is not announced', [100, 100, 100], 70, 0],
  ['a debit of twice the usual is not announced', [100, 100, 100], 200, 0],
  ['a debit of more than twice the usual is announced', [100, 100, 100], 201, 1],
])(
  'with notices of unusual debits only, %s (past debits %j, next %i cents; notices queued: %i)',
  async (_name, past, waiting, queued) => {
    const { email } = await aSupporterWithNotices(
      'unusual',
      past.map((amount, at) => [days[at] ?? '', amount]),
      waiting,
    );
    expect(await queueDebitNotices(api, monday)).toEqual({ queued });
    await send();
    expect(mailer.sentTo(email).map(({ text }) => text.includes('because it is one of your first debits'))).toEqual(
      queued > 0 ? [true] : [],
    );
  },
);
