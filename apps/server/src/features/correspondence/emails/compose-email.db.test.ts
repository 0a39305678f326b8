import { cents } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { recordSignInMail } from '#features/core/outbox/outbox-repository.ts';
import { type OutboxDeps, sendMails } from '#features/core/outbox/send-mails.ts';
import { keepRequestText, requestTextOf } from '#features/correspondence/direct-debit-request/request-text.ts';
import { confirmEmail } from '#features/supporters/identity/change-email.ts';
import { pauseRoundUps } from '#features/supporters/round-ups/pause-round-ups.ts';
import { debitLinks } from '#secrets/signed-links.ts';
import { tenantSites } from '#tenants/tenant-site.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import {
  aClock,
  aClub,
  aSupporter,
  aTenant,
  someTenants,
  type TestClock,
  type TestSupporter,
} from '#testing/makers.ts';
import { emailComposer } from './compose-email.ts';
import { type QueuedEmail, queueEmail } from './queue-email.ts';
import { mailSavingsDeposited } from './queue-savings-emails.ts';

const database = ownDatabase();
let mailer: FakeMailer;
let clock: TestClock;
let deps: OutboxDeps;
const ownClub = '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0c1b';
/** It ends before the next debit. */
const over = aTenant({ key: 'over', endsOn: '2026-11-27' });
beforeEach(async () => {
  await database.rows`delete from mails`;
  mailer = fakeMailer();
  clock = aClock();
  const tenants = someTenants(
    aTenant(),
    aTenant({ key: 'riverside-rovers', name: 'Rovers' }),
    aTenant({ key: 'own-club', clubID: ownClub }),
    aTenant({ key: 'league', clubID: ownClub, parentClubId: 'league' }),
    over,
  );
  const site = {
    productUrl: 'https://give.example',
    productDomain: 'give.example',
    tenantRule: 'provider-domain',
  } as const;
  const renewalToken = (purpose: string, email: string) => `token-${purpose}-${email}`;
  const compose = emailComposer({
    db: database.pool,
    tenants,
    sites: tenantSites(site, tenants),
    graceDays: 30,
    renewalToken,
    debitLinks: debitLinks(Buffer.alloc(32, 'debit')),
    statementName: 'SPARECHANGE',
    campaignEnd: (supporter) => campaignEnd(database.pool, tenants, supporter),
    isNoticeDue: async () => true,
  });
  deps = { db: database.pool, clock, log: pino({ level: 'silent' }), mailer, compose };
});

const donation = { kind: 'donation_received', amountCents: cents(25_00), clubName: 'The Rovers' } as const;
const reminder = {
  kind: 'consent_reminder',
  expiresAt: '2026-12-25T00:00:00.000Z',
  expiresOn: '2026-12-25',
} as const;
const consentEnds = ({ supporterId }: TestSupporter, at: string) =>
  database.rows`update supporters set consent_expires_at = ${at} where supporter_id = ${supporterId}`;
const none = { count: 0, cents: cents(0) };
const noneUnderWay = { debits: none, donations: none, deposits: none, refunds: none, setAsideCents: cents(0) };
const queue = ({ supporterId }: TestSupporter, overrides: Partial<QueuedEmail> = {}) =>
  queueEmail(database.pool.of(supporterId), {
    supporterId,
    key: 'one',
    facts: donation,
    at: clock.now(),
    ...overrides,
  });

test('an email goes to the supporter once, in the look of their tenant and from its host', async () => {
  const supporter = await aSupporter(database.pool, { tenantKey: 'riverside-rovers' });
  await queue(supporter);
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 0, waiting: 0 });
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 0, waiting: 0 });
  const [mail, ...others] = mailer.sent;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: supporter.email, subject: 'Thank you for your donation to The Rovers' });
  expect(mail?.text).toContain('Hi Robin,');
  expect(mail?.text).toContain('https://riverside-rovers.give.example/dashboard');
  const logo = `https://riverside-rovers.give.example/share/riverside-rovers/mail-logo-club-${supporter.clubId}.png`;
  expect(mail?.html).toContain(`src="${logo}" alt="Riverside Rovers, with Rovers"`);
});

test('an email to a supporter of a brand’s only club shows the brand alone, and one of a league the club as well', async () => {
  const own = await aSupporter(database.pool, {
    tenantKey: 'own-club',
    clubId: await aClub(database.pool, { id: ownClub }),
  });
  const league = await aSupporter(database.pool, { tenantKey: 'league', clubId: own.clubId });
  for (const supporter of [own, league]) await queue(supporter);
  await sendMails(deps);
  const logos = mailer.sent.map(({ html }) => /mail-logo[^.]*/.exec(html ?? '')?.[0]);
  expect(logos.sort()).toEqual(['mail-logo', `mail-logo-club-${ownClub}`]);
});

test.each<QueuedEmail['facts']>([
  { kind: 'debit_returned', debit: 'round-up', amountCents: cents(70), remedy: 'asked once more' },
  { kind: 'debit_returned', debit: 'round-up', amountCents: cents(70), remedy: 'change the account' },
  { kind: 'debit_returned', debit: 'donation', amountCents: cents(25_00), remedy: 'nothing' },
  { kind: 'donation_refused', amountCents: cents(25_00) },
  { kind: 'paused_after_two_returns', amountCents: cents(70) },
])('after the end of a campaign an email promises no further debit: %j', async (facts) => {
  const [ended, running] = [await aSupporter(database.pool, { tenantKey: 'over' }), await aSupporter(database.pool)];
  for (const supporter of [ended, running]) {
    const { supporterId } = supporter;
    if (facts.kind === 'paused_after_two_returns')
      await pauseRoundUps(database.pool.of(supporterId), clock, supporterId, 'two returns');
    await queue(supporter, { facts });
  }
  await sendMails(deps);
  const [text, other] = [ended, running].map(({ email }) => mailer.sentTo(email)[0]?.text);
  const promised = /once more|choose another|goes with|another donation/i;
  expect(other).toMatch(promised);
  expect(text).not.toMatch(promised);
  expect(text).toContain('do not ask for it again');
});

test.each<QueuedEmail['facts']>([
  { kind: 'mandate_cancelled' },
  { kind: 'account_missing', isDebited: true, isTracked: true },
])('after the end of a campaign an email invites nobody to anything: %j', async (facts) => {
  const [ended, running] = [await aSupporter(database.pool, { tenantKey: 'over' }), await aSupporter(database.pool)];
  await database.rows`
    update accounts set missing_since = '2026-11-25', unusable_since = '2026-11-25', unusable_because = 'mandate_cancelled'`;
  for (const supporter of [ended, running]) await queue(supporter, { facts });
  await sendMails(deps);
  const [text, other] = [ended, running].map(({ email }) => mailer.sentTo(email)[0]?.text);
  const invited = /choose an|another one|agree again|give on|share it with us again|linked-accounts/i;
  expect(other).toMatch(invited);
  expect(text).toContain('No further debit is taken for your club');
  expect(text).not.toMatch(invited);
});

test('the end of a pause is not emailed after the end of the campaign', async () => {
  const [ended, running] = [await aSupporter(database.pool, { tenantKey: 'over' }), await aSupporter(database.pool)];
  for (const supporter of [ended, running])
    await queue(supporter, { facts: { kind: 'round_ups_resumed', on: '2026-11-25' } });
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 1, waiting: 0 });
  expect(mailer.sentTo(running.email)).toHaveLength(1);
});

test('an unconfirmed address gets no name, and a welcome that confirms it', async () => {
  const supporter = await aSupporter(database.pool, { isProven: false });
  await queue(supporter, { facts: { kind: 'welcome', clubName: 'The Rovers', roundsFrom: '2026-11-25' } });
  await sendMails(deps);
  const [mail] = mailer.sentTo(supporter.email);
  expect(mail?.text).toContain('Hi,');
  expect(mail?.text).not.toContain('Robin');
  expect(mail?.text).toContain(`/confirm-email/${encodeURIComponent(supporter.email)}?token=token-confirm`);
  await confirmEmail(database.pool, supporter.email.toUpperCase(), clock.now());
  await queue(supporter, { key: 'two' });
  await sendMails(deps);
  expect(mailer.sentTo(supporter.email)[1]?.text).toContain('Hi Robin,');
});

test('a supporter who has finished onboarding since a reminder was queued is not reminded', async () => {
  const finished = await aSupporter(database.pool);
  const unfinished = await aSupporter(database.pool, { roundsFrom: null });
  for (const supporter of [finished, unfinished])
    await queue(supporter, { facts: { kind: 'onboarding_reminder', clubName: 'The Rovers' } });
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 1, waiting: 0 });
  expect(mailer.sentTo(unfinished.email)[0]?.text).toContain('https://give.example/finished');
});

test('an unconfirmed address gets three emails until a bank is linked', async () => {
  const overrides = { isProven: false, consentActive: false };
  const supporter = await aSupporter(database.pool, overrides);
  await database.rows`
    update supporters set onboarded_on = null, rounds_from = null, consent_end = null where supporter_id = ${supporter.supporterId}`;
  const reset = { ...supporter, kind: 'password_reset', id: 'reset', at: clock.now(), attempts: 1 } as const;
  await recordSignInMail(database.pool.of(supporter.supporterId), reset); // the identity service counts separately
  for (const key of ['one', 'two', 'three', 'four', 'five']) await queue(supporter, { key });
  expect(await sendMails(deps)).toEqual({ sent: 3, givenUp: 2, waiting: 0 });
  await database.rows`update supporters set consent_active = true where supporter_id = ${supporter.supporterId}`;
  await queue(supporter, { key: 'six' });
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 0, waiting: 0 });
});

test('a copy of the direct debit request has the stored words', async () => {
  const supporter = await aSupporter(database.pool);
  const text = requestTextOf({ key: 'default' });
  await keepRequestText(database.pool.of(supporter.supporterId), text, clock.now());
  const facts = { kind: 'direct_debit_request', agreedOn: '2026-11-25', textHash: text.hash } as const;
  await queue(supporter, { facts });
  await queue(supporter, { key: 'two', facts: { ...facts, textHash: 'of no text' } });
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 1, waiting: 0 });
  const [mail] = mailer.sentTo(supporter.email);
  expect(mail?.subject).toBe('Your direct debit request and service agreement');
  expect(mail?.text).toContain('On Wednesday 25 November 2026 you chose the account');
  for (const line of text.content.split('\n')) expect(mail?.text).toContain(line);
});

test('an email undone with its transaction is not sent', async () => {
  const supporter = await aSupporter(database.pool);
  const undone = database.pool.of(supporter.supporterId).begin(async (tx) => {
    await mailSavingsDeposited(tx, clock.now(), {
      supporterId: supporter.supporterId,
      id: 'd',
      amountCents: cents(1),
      month: '2026-11',
    });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await sendMails(deps);
  expect(mailer.sent).toEqual([]);
});

test('a renewal link carries the address and a token made when it is sent', async () => {
  const supporter = await aSupporter(database.pool, { email: 'robin+give@example.com' });
  await consentEnds(supporter, reminder.expiresAt);
  await queue(supporter, { facts: reminder });
  await sendMails(deps);
  const link =
    'https://give.example/extend-consent/robin%2Bgive%40example.com?token=token-extend-robin%2Bgive%40example.com';
  expect(mailer.sent[0]?.text).toContain(link);
  const [row] = await database.rows`select facts::text from mails where supporter_id = ${supporter.supporterId}`;
  expect(row?.facts).not.toContain('token');
});

test('once an account is closed, an email about ongoing matters is not sent, and one about its money or end is', async () => {
  const supporter = await aSupporter(database.pool);
  const welcome = { kind: 'welcome', clubName: 'The Rovers', roundsFrom: '2026-11-25' } as const;
  const closed = { kind: 'account_closed', ...noneUnderWay } as const;
  for (const [key, facts] of Object.entries({ welcome, donation, closed })) await queue(supporter, { key, facts });
  await database.rows`update supporters set closed_on = '2026-11-25' where supporter_id = ${supporter.supporterId}`;
  expect(await sendMails(deps)).toEqual({ sent: 2, givenUp: 1, waiting: 0 });
  expect(mailer.sent.map(({ subject }) => subject)).not.toContain('Thank you for supporting The Rovers');
});

test('a supporter with a closed account is asked to name another savings account: they can no longer link one', async () => {
  const supporter = await aSupporter(database.pool);
  await queue(supporter, { facts: { kind: 'savings_account_refused', amountCents: cents(1204) } });
  await database.rows`update supporters set closed_on = '2026-11-25' where supporter_id = ${supporter.supporterId}`;
  await sendMails(deps);
  expect(mailer.sent[0]?.text).toContain('Please contact us and name another account');
  expect(mailer.sent[0]?.text).not.toMatch(/link|half of what comes/i);
});

test('a reminder is not sent once the consent was renewed or has ended, nor its end once it was given again', async () => {
  const supporter = await aSupporter(database.pool);
  await consentEnds(supporter, '2027-12-25T00:00:00.000Z');
  await queue(supporter, { key: 'renewed', facts: reminder });
  const expired = { kind: 'consent_expired', linkUntil: reminder.expiresAt, endedOn: '2026-11-20' } as const;
  await queue(supporter, { key: 'given again', facts: expired });
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 2, waiting: 0 });
  await database.rows`update supporters set consent_active = false where supporter_id = ${supporter.supporterId}`;
  await queue(supporter, { key: 'ended', facts: { kind: 'bank_reminder', endsOn: '2026-12-25' } });
  await queue(supporter, { key: 'expired', facts: expired });
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 1, waiting: 0 });
});

test('an email about a bank that stops sharing, or about a withdrawal, is not sent once it no longer applies', async () => {
  const supporter = await aSupporter(database.pool);
  const { supporterId } = supporter;
  const stands = (endsAt: string | null, endedOn: string | null) =>
    database.rows`
      update supporters set connection_ends_at = ${endsAt}, connection_ended_on = ${endedOn}
      where supporter_id = ${supporterId}`;
  const queueBoth = async (key: string) => {
    await queue(supporter, { key: `${key} ends`, facts: { kind: 'bank_reminder', endsOn: '2026-12-25' } });
    await queue(supporter, { key: `${key} ended`, facts: { kind: 'bank_ended', endedOn: '2026-11-24' } });
  };
  await stands('2026-12-25T00:00:00Z', null);
  await queueBoth('ends');
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 1, waiting: 0 });
  await stands('2026-12-25T00:00:00Z', '2026-11-24');
  await queueBoth('ended');
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 1, waiting: 0 });
  expect(mailer.sent.map(({ subject }) => subject)).toEqual([
    'Your bank stops sharing on Friday 25 December 2026',
    'Your bank has stopped sharing',
  ]);
  await stands('2027-12-25T00:00:00Z', null);
  await queueBoth('confirmed');
  const withdrawn = { kind: 'consent_withdrawn', linkUntil: reminder.expiresAt } as const;
  await queue(supporter, { key: 'given again', facts: withdrawn });
  expect(await sendMails(deps)).toEqual({ sent: 0, givenUp: 3, waiting: 0 });
  await database.rows`update supporters set consent_active = false where supporter_id = ${supporterId}`;
  await queue(supporter, { key: 'withdrawn', facts: withdrawn });
  expect(await sendMails(deps)).toEqual({ sent: 1, givenUp: 0, waiting: 0 });
});

test('an email about a pause or a missing account is not sent once it no longer applies', async () => {
  const supporter = await aSupporter(database.pool);
  const { supporterId } = supporter;
  const queueAll = async (key: string) => {
    const missing = { kind: 'account_missing', isDebited: true, isTracked: true } as const;
    await queue(supporter, { key: `${key} missing`, facts: missing });
    await queue(supporter, { key: `${key} paused`, facts: { kind: 'paused_by_you', until: null, ...noneUnderWay } });
    const before = mailer.sent.length;
    await sendMails(deps);
    return mailer.sent.slice(before).map(({ subject }) => subject);
  };
  expect(await queueAll('on')).toEqual([]);
  await pauseRoundUps(database.pool.of(supporterId), clock, supporterId, 'two returns');
  await database.rows`
    update accounts set is_listed = false, missing_since = ${clock.now()} where supporter_id = ${supporterId}`;
  const subjects = ['Your bank no longer shows an account you chose', 'Your round-ups are paused'];
  expect((await queueAll('paused')).toSorted()).toEqual(subjects);
});

test.each<[QueuedEmail['facts'], string, (id: string) => PromiseLike<unknown>]>([
  [
    { kind: 'round_ups_resumed', on: '2026-11-25' },
    'who has paused again',
    (id) => pauseRoundUps(database.pool.of(id), clock, id, 'two returns'),
  ],
  [
    { kind: 'paused_after_two_returns', amountCents: cents(70) },
    'whose round-ups are still paused',
    (id) => pauseRoundUps(database.pool.of(id), clock, id, 'two returns'),
  ],
  [
    { kind: 'mandate_cancelled' },
    'who still has no account to debit',
    (id) => database.rows`update accounts set unusable_since = '2026-11-25' where supporter_id = ${id}`,
  ],
  [
    { kind: 'savings_account_refused', amountCents: cents(648) },
    'whose savings account is still refused',
    (id) => database.rows`update savings_accounts set refused_at = now() where supporter_id = ${id}`,
  ],
])('%j is sent or not by the state at the time of sending, for a supporter %s', async (facts, _who, change) => {
  const [changed, other] = [
    await aSupporter(database.pool, { savings: true }),
    await aSupporter(database.pool, { savings: true }),
  ];
  await change(changed.supporterId);
  for (const supporter of [changed, other]) await queue(supporter, { facts });
  await sendMails(deps);
  const sent = [changed, other].map(({ email }) => mailer.sentTo(email).length);
  expect(sent).toEqual(facts.kind === 'round_ups_resumed' ? [0, 1] : [1, 0]);
});

test('a password change is emailed before an evening of other emails', async () => {
  for (let count = 0; count < 30; count += 1) await queue(await aSupporter(database.pool));
  clock.setTo(new Date(clock.now().getTime() + 60_000).toISOString());
  const supporter = await aSupporter(database.pool);
  await queue(supporter, { facts: { kind: 'password_changed' } });
  await sendMails(deps);
  expect(mailer.sent).toHaveLength(31);
  expect(mailer.sent.findIndex(({ to }) => to === supporter.email)).toBeLessThan(10); // all are in flight together
});

interface Taken {
  code: number;
  state: 'reversed' | 'returned';
  at: Date;
}

/** Has the bank reverse a donation of $0.70, a minute before now unless a time is given. */
async function takenBack({ supporterId }: TestSupporter, changes: Partial<Taken> = {}): Promise<void> {
  const { code, state, at }: Taken = {
    code: 6,
    state: 'reversed',
    at: new Date(clock.now().getTime() - 60_000),
    ...changes,
  };
  await database.rows`
    insert into debits (supporter_id, mandate_id, club_id, run_date, attempt, kind, request_id, amount_cents, savings_cents, reference,
      state, return_code, planned_at, outcome_at)
    select supporter_id, mandates.id, club_id, '2026-11-23', 1, 'donation', 'gift', 70, 0, 'DN0000000000000001',
      ${state}, ${code}, ${at}, ${at} from mandates join supporters using (supporter_id) where supporter_id = ${supporterId}`;
}

test('a debit reversed for want of money is named once, in the next email about money', async () => {
  const supporter = await aSupporter(database.pool, { directDebit: fakeDirectDebit() });
  await takenBack(supporter);
  await queue(supporter, { key: 'zero', facts: { kind: 'password_changed' } });
  await queue(supporter, { key: 'one' });
  await queue(supporter, { key: 'two' });
  await sendMails(deps);
  await queue(supporter, { key: 'three' });
  await sendMails(deps);
  const sent = mailer.sentTo(supporter.email);
  const told = sent.map(({ subject, text }) => `${subject}: ${text.includes('taken back')}`);
  expect(told.toSorted()).toEqual([
    'Thank you for your donation to The Rovers: false', // several are sent concurrently, in any order
    'Thank you for your donation to The Rovers: false',
    'Thank you for your donation to The Rovers: true',
    'Your password was changed: false',
  ]);
  expect(sent.slice(0, 3).find(({ text }) => text.includes('taken back'))?.text).toContain(
    'Your bank has taken back the donation of $0.70 of Monday 23 November 2026, which had already reached us.',
  );
});

test('a reversed debit is named by the email queued first, though a later one was sent before it', async () => {
  const supporter = await aSupporter(database.pool, { directDebit: fakeDirectDebit() });
  await takenBack(supporter);
  await queue(supporter, { key: 'one' });
  await queue(supporter, { key: 'two' });
  await database.rows`update mails set sent_at = ${clock.now()} where key = 'two'`;
  await sendMails(deps);
  expect(mailer.sentTo(supporter.email).map(({ text }) => text.includes('taken back'))).toEqual([true]);
});

test.each([
  ['a code that is mailed about by itself', { code: 3 }],
  ['a month ago', { at: new Date('2026-10-20T00:00:00Z') }],
  ['returned before it cleared', { state: 'returned' as const }],
])('an email about money mentions no other debit: %s', async (_, changes) => {
  const supporter = await aSupporter(database.pool, { directDebit: fakeDirectDebit() });
  await takenBack(supporter, changes);
  await queue(supporter);
  await sendMails(deps);
  expect(mailer.sentTo(supporter.email)[0]?.text).not.toContain('taken back');
});

test('a reminder to continue giving is not sent after the campaign has ended, though it was queued before', async () => {
  const kinds: [QueuedEmail['facts'], Partial<Parameters<typeof aSupporter>[1]>][] = [
    [
      { kind: 'onboarding_reminder', clubName: 'The Rovers' },
      { roundsFrom: null, consentActive: false, account: false },
    ],
    [reminder, {}],
    [{ kind: 'bank_reminder', endsOn: '2026-12-25' }, {}],
    [{ kind: 'bank_ended', endedOn: '2026-11-24' }, {}],
  ];
  for (const tenantKey of ['default', 'over']) {
    for (const [facts, overrides] of kinds) {
      const supporter = await aSupporter(database.pool, { ...overrides, tenantKey });
      await consentEnds(supporter, '2026-12-25T00:00:00Z');
      await database.rows`
        update supporters set
          connection_ends_at = ${facts.kind === 'bank_reminder' ? '2026-12-25T00:00:00Z' : null},
          connection_ended_on = ${facts.kind === 'bank_ended' ? '2026-11-24' : null}
        where supporter_id = ${supporter.supporterId}`;
      await queue(supporter, { key: facts.kind, facts });
    }
  }
  clock.setTo('2026-11-26T22:00:00Z'); // in Sydney the 27th, on which it has ended
  await sendMails(deps);
  expect(mailer.sent).toHaveLength(kinds.length);
  const given = await database.rows`
    select failure, count(*)::int as mails from mails join supporters using (supporter_id) where tenant_key = 'over' group by 1`;
  expect([...given]).toEqual([{ failure: 'the campaign has ended', mails: kinds.length }]);
});
