import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TransactionRow } from './answers.ts';
import { plainName, toOutcome, toProviderPayment, toReturnCode } from './translate.ts';

const recorded = {
  ref: 'D.54r3',
  parent_ref: 'PR.39p1',
  type: 'debit',
  category: 'payout',
  created_at: '2026-11-17T19:00:04Z',
  matures_at: '2026-11-17T19:00:04Z',
  cleared_at: null,
  bank_ref: 'DT.54r3',
  status: 'clearing',
  status_changed_at: '2026-11-18T07:30:00Z',
  party_contact_id: '33c6e31d-1dc1-448b-9512-0320bc44fdcf',
  party_name: 'Joan Smith',
  party_nickname: null,
  party_bank_ref: null,
  description: 'RU0197A0001B2C3D4E',
  amount: 435,
  bank_account_id: 'c2e329ae-606f-4311-a9ab-a751baa1915c',
  channels: ['direct_entry'],
  current_channel: 'direct_entry',
  metadata: { remitter: 'SPARECHANGE' },
};
const row = (change: object = {}) => TransactionRow.parse({ ...recorded, ...change });
const failure = (code: string) => ({ code, title: 'Title', detail: 'Detail.' });
const stateOf = (change: object) => toOutcome(row(change))?.state;

test('the payer’s leg tells what became of a debit', () =>
  expect(toOutcome(row({ status: 'cleared' }))).toEqual({
    providerRef: 'PR.39p1',
    state: 'cleared',
    at: new Date('2026-11-18T07:30:00Z'),
  }));

test.each([
  'maturing',
  'matured',
  'preprocessing',
  'processing',
  'clearing',
  'pending_verification',
  'paused',
  'channel_switched',
  'a state of tomorrow',
])('%s is pending', (status) => expect(stateOf({ status })).toBe('pending'));

test.each(['rejected', 'returned', 'voided', 'prefailed'])('%s is returned', (status) =>
  expect(stateOf({ status })).toBe('returned'),
);

test('a returned debit has its code and the provider’s words, without numbers', () => {
  const returned = { status: 'returned', failure: { ...failure('E205'), detail: 'Account 12345678 cannot be found.' } };
  expect(toOutcome(row(returned))).toMatchObject({ code: 5, reason: 'E205, Title, Account (number) cannot be found.' });
});

test.each([
  ['rejected', 5],
  ['voided', 6],
  ['returned', 9],
])('a leg that is %s without a reason counts as code %i', (status, code) => {
  const outcome = toOutcome(row({ status }));
  expect(outcome).toMatchObject({ code, reason: expect.stringMatching(/./) });
});

test('our own leg of a debit tells nothing', () => {
  expect(toOutcome(row({ ref: 'C.1', type: 'credit', status: 'cleared' }))).toBeUndefined();
  expect(toOutcome(row({ ref: 'C.1', type: 'credit', status: 'voided' }))).toBeUndefined();
});

test('a recovery takes back a debit that had cleared', () => {
  const recovery = { ref: 'D.9', category: 'recovery', status: 'cleared' };
  expect(toOutcome(row(recovery))).toMatchObject({ providerRef: 'PR.39p1', state: 'returned', code: 2 });
  expect(toOutcome(row({ ...recovery, status: 'voided' }))).toBeUndefined();
});

const payout = { parent_ref: 'PB.s0z', ref: 'C.2', type: 'credit' };

test('the payee’s leg tells what became of a payout', () => {
  expect(toOutcome(row({ ...payout, status: 'cleared' }))).toMatchObject({ providerRef: 'PB.s0z', state: 'cleared' });
  expect(toOutcome(row({ ...payout, status: 'returned', failure: failure('E105') }))).toMatchObject({ code: 5 });
});

test('our own leg of a payout tells only that it failed', () => {
  const ours = { ...payout, ref: 'D.2', type: 'debit' };
  expect(toOutcome(row({ ...ours, status: 'cleared' }))).toBeUndefined();
  expect(toOutcome(row({ ...ours, status: 'returned', failure: failure('E252') }))).toMatchObject({ code: 6 });
});

test('the money of a failed payout that comes back to us is no payout that cleared', () =>
  expect(toOutcome(row({ ...payout, ref: 'C.3', category: 'payout_reversal', status: 'cleared' }))).toBeUndefined());

test.each([null, 'RF.1', 'PRS.1', ''])('a leg of %j is none of ours', (parent_ref) => {
  expect(toOutcome(row({ parent_ref }))).toBeUndefined();
  expect(toProviderPayment(row({ parent_ref }))).toBeUndefined();
});

test('each order is one payment', () => {
  const legs = [
    row({}),
    row({ ref: 'C.1', type: 'credit' }),
    row(payout),
    row({ ...payout, ref: 'D.2', type: 'debit' }),
  ];
  expect(legs.flatMap((leg) => toProviderPayment(leg) ?? [])).toEqual([
    {
      providerRef: 'PR.39p1',
      amount: 435,
      reference: 'RU0197A0001B2C3D4E',
      state: 'pending',
      changedAt: new Date('2026-11-18T07:30:00Z'),
    },
    {
      providerRef: 'PB.s0z',
      amount: 435,
      reference: 'RU0197A0001B2C3D4E',
      state: 'pending',
      changedAt: new Date('2026-11-18T07:30:00Z'),
    },
  ]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('E20%i and E10%i are the banks’ own code', (digit) => {
  expect(toReturnCode(`E20${digit}`)).toBe(digit);
  expect(toReturnCode(`E10${digit}`)).toBe(digit);
});

test.each([
  ['E252', 6],
  ['E250', 6],
  ['E299', 9],
  ['E154', 2],
  ['E304', 5],
  ['E306', 3],
  ['E200', 9],
  ['E777', 9],
  ['', 9],
])('%s counts as %i', (code, digit) => expect(toReturnCode(code)).toBe(digit));

test.each([
  ['Zoë Nguyễn', 'Zoe Nguyen'],
  ['O’Brien', "O'Brien"],
  ['  Anne\tMarie ', 'Anne Marie'],
  ['李小龍', ''],
])('the name %s travels as %j', (name, plain) => expect(plainName(name)).toBe(plain));

test('every name travels as plain letters, 140 at most', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => /^[ -~]{0,140}$/.test(plainName(name))),
  ));
