import { randomUUID } from 'node:crypto';
import {
  failPayment,
  parkPayment,
  refundPayment,
  retrievePayment,
  retryPayment,
  writeOffClub,
} from '@sparechange/contract/console';
import { cents } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, aPurchase, cleared, forgetEverything, returned } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';

const api = ownApp();
let finance: TestOperator;
let clubId: string;

beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  finance = await anOperator(api.db, { roles: ['finance'] });
  clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
});

const trace = async (reference: string) => (await callConsole(api.app, retrievePayment, { reference }, finance)).body;

/** Returns the reference of a debit of 70 cents that was sent, and perhaps not answered. */
async function aDebit({ isAnswered = true } = {}) {
  const supporter = await api.supporter({ clubId });
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  api.directDebit.setUnreachable(!isAnswered);
  await runDebits(api);
  api.directDebit.setUnreachable(false);
  const [debit] = await api.rows<{ reference: string; providerRef: string }[]>`
    select reference, provider_ref as "providerRef" from debits`;
  return { reference: '', providerRef: '', ...debit };
}

/** Returns the reference of a cleared $100 donation. */
async function aDonation() {
  const { supporterId } = await api.supporter({ clubId });
  const gift = { amount: cents(100_00), requestId: 'gift' };
  await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, gift);
  await submitDebits(api);
  const providerRef = api.directDebit.taken.at(-1)?.providerRef ?? '';
  await applyOutcome(api, cleared(providerRef));
  const [debit] = await api.rows<
    { reference: string }[]
  >`select reference from debits where supporter_id = ${supporterId}`;
  return { reference: debit?.reference ?? '', providerRef };
}
const refund = (reference: string, dollars: number, requestId = randomUUID()) =>
  callConsole(
    api.app,
    refundPayment,
    { reference, amountCents: dollars * 100, because: 'given twice', requestId },
    finance,
  );

test('a debit is traced from its purchases to its payout, and the payout links to its debits', async () => {
  const { reference, providerRef } = await aDebit();
  await applyOutcome(api, cleared(providerRef));
  api.clock.setTo('2026-11-26T00:00:00Z');
  await remitToClubs(api);
  const traced = await trace(reference);
  expect(traced).toMatchObject({
    kind: 'debit',
    reference,
    state: 'cleared',
    amountCents: 70,
    account: 'XXXX5678',
    providerReference: providerRef,
    supporter: { name: 'Robin Banks' },
    club: { name: 'Riverside Rovers' },
    purchases: [{ day: '2026-11-24', purchaseCents: 430, countedCents: 70 }],
    hasMorePurchases: false,
    isSecondReturn: false,
    refundableCents: 70,
    related: [{ relation: 'paid_to_club_by', kind: 'remittance', amountCents: 70 }],
    waiting: [],
  });
  expect(traced.entries.map(({ transfer }) => transfer)).toEqual(expect.arrayContaining(['submitted', 'cleared']));
  expect(JSON.stringify(traced)).not.toMatch(/COFFEE|12345678/);
  expect(await trace(traced.related[0]?.reference ?? '')).toMatchObject({
    kind: 'remittance',
    supporter: null,
    club: { name: 'Riverside Rovers' },
    entries: [{ transfer: 'planned' }, { transfer: 'planned' }],
  });
});

test('a returned debit shows its code, the email about it, and its re-presentation', async () => {
  const { reference, providerRef } = await aDebit();
  await applyOutcome(api, returned(providerRef, 6));
  api.clock.setTo('2026-11-26T22:00:00Z');
  await runDebits(api);
  const traced = await trace(reference.slice(0, 9));
  expect(traced).toMatchObject({
    state: 'returned',
    returnCode: 6,
    refundableCents: null,
    notes: [],
    mails: [{ about: 'debit_returned', sentAt: null, isGivenUp: false }],
    related: [{ relation: 'repeated_by', kind: 'debit', amountCents: 70 }],
  });
  expect(await trace(traced.related[0]?.reference ?? '')).toMatchObject({
    related: [{ relation: 'repeats', reference, state: 'returned' }],
    purchases: [{ countedCents: 70 }],
  });
});

test('a partial refund shows the rest, and above $50 waits for a second person', async () => {
  const { reference } = await aDonation();
  expect((await refund(reference, 30)).body).toEqual({ waitsUntil: null });
  expect(await trace(reference)).toMatchObject({
    refundableCents: 70_00,
    related: [{ relation: 'refunded_by', kind: 'repayment', amountCents: 30_00 }],
    notes: [{ action: 'debit refunded', because: 'given twice' }],
  });
  expect((await refund(reference, 30)).body).toEqual({ waitsUntil: '2026-12-02' });
  const { waiting } = await trace(reference);
  expect(waiting).toMatchObject([
    { summary: `Refund of $30.00 of the donation ${reference}`, askedBy: 'Pat Person', expiresOn: '2026-12-02' },
  ]);
  const other = await anOperator(api.db, { roles: ['finance'] });
  await api.acts.agree({ kind: 'console', id: other.id }, waiting[0]?.id ?? '');
  const traced = await trace(reference);
  expect(traced).toMatchObject({ refundableCents: 40_00, waiting: [] });
  expect(await trace(traced.related[1]?.reference ?? '')).toMatchObject({
    kind: 'repayment',
    reason: 'given twice',
    account: 'XXXX5678',
    related: [{ relation: 'refund_of', reference }],
  });
  expect((await refund(reference, 41)).body.error.message).toContain('$40.00 can still be given back');
  expect((await refund(traced.related[0]?.reference ?? '', 1)).body.error.message).toContain(
    'only debits and donations',
  );
});

test('a payment without an answer is parked, given up or retried', async () => {
  const { reference } = await aDebit({ isAnswered: false });
  const park = { reference, because: 'an outage' };
  expect((await callConsole(api.app, parkPayment, park, finance)).status).toBe(200);
  expect(await trace(reference)).toMatchObject({ state: 'parked', notes: [{ action: 'payment parked' }] });
  expect((await callConsole(api.app, retryPayment, { reference }, finance)).body).toEqual({ state: 'submitted' });
  expect((await callConsole(api.app, retryPayment, { reference }, finance)).body.error.message).toContain(
    'there is nothing to ask for',
  );
  const failing = { reference, because: 'never sent' };
  expect((await callConsole(api.app, failPayment, failing, finance)).body.error.message).toContain(
    'only one being submitted can be given up',
  );
});

test("a person's acts on a payout to a club are recorded with it", async () => {
  await aDonation();
  api.clock.setTo('2026-11-26T00:00:00Z');
  api.directDebit.setUnreachable(true);
  await remitToClubs(api);
  const [remittance] = await api.rows<{ reference: string }[]>`select reference from remittances`;
  const park = { reference: remittance?.reference ?? '', because: 'an outage' };
  expect((await callConsole(api.app, parkPayment, park, finance)).status).toBe(200);
  expect(await trace(park.reference)).toMatchObject({
    state: 'parked',
    notes: [{ action: 'payment parked', because: 'an outage' }],
  });
  api.directDebit.setUnreachable(false);
});

test('payouts whose advice was emailed together each show that email', async () => {
  await api.rows`update clubs set contact_email = 'treasurer@rovers.example', advice_frequency = 'weekly' where id = ${clubId}`;
  for (const day of ['2026-11-26', '2026-11-27', '2026-11-30']) {
    await aDonation();
    api.clock.setTo(`${day}T00:00:00Z`);
    await remitToClubs(api);
  }
  const payouts = await api.rows<{ reference: string }[]>`select reference from remittances order by run_date`;
  const about = async ({ reference = '' } = {}) => (await trace(reference)).mails.map((mail) => mail.about);
  expect([await about(payouts[0]), await about(payouts[1])]).toEqual([['remittance_advice'], ['remittance_advice']]);
  expect(await about(payouts[2])).toEqual([]);
});

test("a club's debt after a reversal can be written off, up to its amount", async () => {
  const { reference, providerRef } = await aDonation();
  api.clock.setTo('2026-11-26T00:00:00Z');
  await remitToClubs(api);
  await applyOutcome(api, returned(providerRef, 6));
  expect(await trace(reference)).toMatchObject({ state: 'reversed', clubOwesCents: 100_00 });
  const writeOff = (dollars: number) =>
    callConsole(
      api.app,
      writeOffClub,
      { id: randomUUID(), clubId, cents: dollars * 100, reason: 'the club has closed' },
      finance,
    );
  expect((await writeOff(101)).body.error.message).toContain('owes $100.00');
  expect((await writeOff(40)).body).toEqual({ asked: null });
  expect((await writeOff(40)).body.asked?.expiresAt).toMatch(/^2026-12-0[23]T/);
  expect(await trace(reference)).toMatchObject({
    clubOwesCents: 60_00,
    waiting: [{ summary: 'Write-off of $40.00 that Riverside Rovers owes' }],
  });
});

test('support can view but move no money', async () => {
  const support = await anOperator(api.db, { roles: ['support'] });
  const { reference } = await aDebit();
  expect((await callConsole(api.app, retrievePayment, { reference }, support)).status).toBe(200);
  expect((await callConsole(api.app, retryPayment, { reference }, support)).status).toBe(403);
});
