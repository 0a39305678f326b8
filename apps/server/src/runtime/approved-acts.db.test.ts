import type { HandAccount } from '@sparechange/contract/console';
import { cents } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import type { Actor } from '#audit/audit-log.ts';
import { importStatement } from '#features/accounting/bank-statements/import-statement.ts';
import { matchByHand } from '#features/accounting/bank-statements/match-by-hand.ts';
import { listLines } from '#features/accounting/bank-statements/statement-line-repository.ts';
import { ledgerCorrection } from '#features/accounting/bookkeeping/ledger-acts.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { askApproval } from '#features/core/approvals/approve.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, cleared, forgetEverything } from '#testing/makers.ts';
import { doOrAsk } from './approved-acts.ts';

const api = ownApp();
const alice: Actor = { kind: 'operating_system', id: 'alice' };
const ben: Actor = { kind: 'console', id: 'ben' };

beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
});

/** Returns a donation of $100 that has cleared. */
async function aDonation() {
  const { supporterId } = await api.supporter();
  const gift = { amount: cents(100_00), requestId: 'gift' };
  await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, gift);
  await submitDebits(api);
  await applyOutcome(api, cleared(api.directDebit.taken.at(-1)?.providerRef ?? ''));
  const [debit] = await api.rows<{ id: string }[]>`select id from debits where supporter_id = ${supporterId}`;
  return { supporterId, debitId: debit?.id ?? '', reason: 'a mistake' };
}

test('small concurrent refunds of one debit are added up', async () => {
  const debit = await aDonation();
  const refund = (requestId: string) =>
    api.acts.refund(alice, { ...debit, amount: cents(30_00), requestId }, `Refund ${requestId}`);
  const results = await Promise.all([refund('one'), refund('two'), refund('three')]);
  expect(results.filter((each) => 'result' in each)).toHaveLength(1);
  expect(results.filter((each) => 'approval' in each)).toHaveLength(2);
  expect(await api.rows`select amount_cents from repayments`).toEqual([{ amount_cents: 30_00 }]);
});

test('a small refund asked for again is the one there was', async () => {
  const debit = await aDonation();
  const refund = () => api.acts.refund(alice, { ...debit, amount: cents(30_00), requestId: 'one' }, 'Refund');
  expect(await refund()).toMatchObject({ result: { isNew: true } });
  expect(await refund()).toMatchObject({ result: { isNew: false } });
});

const requestOf = async (tried: { approval: { id: string } } | object) => {
  const id = 'approval' in tried ? tried.approval.id : '';
  return (await api.db`select state, failure from approvals where id = ${id}`)[0];
};

test('a refund of what has since been given back moves nothing, and its request ends', async () => {
  const debit = await aDonation();
  const asking = (changes: object) => api.acts.refund(alice, { ...debit, ...changes }, 'Refund');
  const [first, part, rest] = [
    await asking({ requestId: 'one' }),
    await asking({ requestId: 'two', amount: cents(60_00) }),
    await asking({ requestId: 'three' }),
  ];
  if (!('approval' in first && 'approval' in part && 'approval' in rest)) throw new Error('One person was enough.');
  await api.acts.agree(ben, first.approval.id);
  const because = 'All of it has since been given back.';
  for (const late of [part, rest]) expect(await requestOf(late)).toEqual({ state: 'refused', failure: because });
  expect(await requestOf(first)).toEqual({ state: 'done', failure: null });
  await api.db`update approvals set state = 'asked', failure = null where failure = ${because}`; // as asked for while it was planned
  for (const [late, because] of [
    [part, 'can still be given back'],
    [rest, 'All of it was given back already'],
  ] as const) {
    await expect(api.acts.agree(ben, late.approval.id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await requestOf(late)).toEqual({ state: 'refused', failure: expect.stringContaining(because) });
  }
  expect(await api.rows`select amount_cents from repayments`).toEqual([{ amount_cents: 100_00 }]);
});

test('all of a debit above $50 is for two, and the second one gives it back', async () => {
  const debit = await aDonation();
  const asked = await api.acts.refund(alice, debit, 'Refund of all');
  if (!('approval' in asked)) throw new Error('One person was enough.');
  expect(await api.acts.agree(ben, asked.approval.id)).toMatchObject({ result: { isNew: true, leftCents: 0 } });
});

let corrections = 0;
const correct = (clubId: string | undefined, dollars: number) => {
  corrections += 1;
  const credit = clubId === undefined ? 'suspense' : 'owed_to_clubs';
  const args = { id: `c${corrections}`, debit: 'operator_funds', credit, clubId, reason: 'a mistake' } as const;
  const config = { statementName: 'SPARECHANGE', callsInFlight: 1, mailFrom: 'us@example.com', isProduction: true };
  return doOrAsk({ ...api, config }, alice, ledgerCorrection, { ...args, amount: cents(dollars * 100) }, 'Correction');
};
const isDone = (tried: object): boolean => 'result' in tried;

test('corrections of one club are added up over a day, those of other clubs and other days are not', async () => {
  const [rovers, rangers] = [await aClub(api.db), await aClub(api.db)];
  expect((await Promise.all([correct(rovers, 30), correct(rovers, 30)])).filter(isDone)).toHaveLength(1);
  expect(isDone(await correct(rovers, 20))).toBe(true);
  expect(isDone(await correct(rovers, 1))).toBe(false);
  expect(isDone(await correct(rangers, 50))).toBe(true);
  expect(isDone(await correct(undefined, 50))).toBe(true);
  expect(isDone(await correct(undefined, 1))).toBe(false);
  api.clock.setTo('2026-11-25T22:00:00Z');
  expect(isDone(await correct(rovers, 50))).toBe(true);
});

/** Imports a trust-account line; returns what names it. */
async function aBankLine(dollars: string) {
  lines += 1;
  const csv = `date,amount,description\n2026-11-23,${dollars},LINE ${lines}\n`;
  await importStatement(api, csv, { account: '062000 12345678', changedLines: 'new' });
  const [line] = (await listLines(api.db, true, 100)).filter(({ description }) => description === `LINE ${lines}`);
  return { account: line?.account ?? '', lineId: line?.lineId ?? '' };
}
let lines = 0;
const matchAs = (line: Awaited<ReturnType<typeof aBankLine>>, to: HandAccount = 'operator_loss') =>
  api.acts.lineMatch(alice, { ...line, to, reason: 'nobody knows it' }, 'Bank line');

test('bank lines matched by hand are added up over a day with corrections that concern no club', async () => {
  const small = [await aBankLine('-30.00'), await aBankLine('-30.00')];
  expect((await Promise.all(small.map((line) => matchAs(line)))).filter(isDone)).toHaveLength(1);
  expect(isDone(await correct(undefined, 21))).toBe(false);
  expect(isDone(await correct(undefined, 20))).toBe(true);
  expect(isDone(await matchAs(await aBankLine('0.01'), 'fees'))).toBe(false);
  expect(isDone(await correct(await aClub(api.db), 50))).toBe(true);
  api.clock.setTo('2026-11-25T22:00:00Z');
  expect(isDone(await matchAs(await aBankLine('50.00')))).toBe(true);
});

test('a large bank line is matched by hand once a second person agrees, unless something has explained it since', async () => {
  const [line, other] = [await aBankLine('-5000.00'), await aBankLine('-400.00')];
  const [asked, late] = [await matchAs(line), await matchAs(other)];
  if (!('approval' in asked) || !('approval' in late)) throw new Error('One person was enough.');
  expect(await listLines(api.db, true, 10)).toHaveLength(2);
  expect(await api.acts.agree(ben, asked.approval.id)).toMatchObject({ result: 'matched' });
  const [matched] = (await listLines(api.db, false, 10)).filter(({ lineId }) => lineId === line.lineId);
  expect(matched).toMatchObject({ matchedKind: 'by_hand', matchedWith: 'operator_loss' });
  const noted = await api.db`select details ->> 'by' as by from audit_log where action = 'matched a bank line'`;
  expect(noted).toEqual([{ by: 'console ben' }]);
  await matchByHand({ ...api, by: alice }, { ...other, to: 'fees', reason: 'a fee' });
  await expect(api.acts.agree(ben, late.approval.id)).rejects.toThrow('The line has since been matched.');
});

test('a bank line that the product matched automatically ends the request to match it', async () => {
  const line = await aBankLine('-5000.00');
  const asked = await matchAs(line);
  if (!('approval' in asked)) throw new Error('One person was enough.');
  await api.db`update bank_statement_lines set matched_kind = 'payout', matched_with = 'R1', matched_at = now()
    where line_id = ${line.lineId}`;
  await expect(api.acts.agree(ben, asked.approval.id)).rejects.toThrow('matched already');
  expect(await requestOf(asked)).toEqual({ state: 'refused', failure: expect.stringContaining('matched already') });
});

test('a write-off that the books no longer allow is not carried out, and its request ends', async () => {
  const clubId = await aClub(api.db);
  const asked = { id: 'w1', amount: cents(60_00), reason: 'a mistake', clubId };
  const approval = await askApproval(api, { act: 'write_off', arguments: asked, summary: 'Write-off' }, alice);
  const because = 'The books have changed since this was asked for; nothing was booked.';
  await expect(api.acts.agree(ben, approval.id)).rejects.toThrow(because);
  expect(await requestOf({ approval })).toEqual({ state: 'refused', failure: because });
});
