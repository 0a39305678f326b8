import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountAnswer, JobAnswer, TransactionAnswer } from './answers.ts';
import {
  internationalMobile,
  isJobOf,
  newestJob,
  toAccount,
  toConsent,
  toJobState,
  toTransaction,
} from './translate.ts';

const now = new Date('2026-11-18T01:00:00Z');

const transactionAnswer = {
  type: 'transaction',
  id: '5b0e7d4c-1f0a-4b7e-9d51-0f6f9c3b7a10',
  status: 'posted',
  description: 'SQ *THE CORNER CAFE BRUNSWICK VICAU',
  reference: '',
  amount: '-4.35',
  currency: 'AUD',
  account: 'acc-1',
  balance: '0.00',
  direction: 'debit',
  class: 'payment',
  institution: 'AU00000',
  connection: 'con-1',
  transactionDate: '',
  postDate: '2026-11-17T13:00:00Z',
  subClass: { title: 'Cafes, Restaurants and Takeaway Food Services', code: '451' },
  enrich: null,
  links: { self: 'https://au-api.basiq.io/users/u/transactions/5b0e' },
};
const readTransaction = (change: object = {}) =>
  toTransaction(TransactionAnswer.parse({ ...transactionAnswer, ...change }), now);

test('a posted card purchase is translated whole', () =>
  expect(readTransaction()).toEqual({
    id: transactionAnswer.id,
    accountId: 'acc-1',
    status: 'posted',
    direction: 'debit',
    kind: 'payment',
    currency: 'AUD',
    amount: 435,
    description: transactionAnswer.description,
    isBillPayment: false,
    day: '2026-11-18',
    at: new Date('2026-11-17T13:00:00Z'),
  }));

test.each([
  ['-124.69', 12469],
  ['0.00', 0],
  ['-0.01', 1],
  ['1234567.8', 123456780],
  ['-12', 1200],
  ['+5.10', 510],
  ['-5.1000', 510],
  [-9.9, 990],
])('an amount of %j is %i cents exactly', (amount, cents) => expect(readTransaction({ amount })?.amount).toBe(cents));

test.each(['', 'abc', '1,234.50', '-4.355', '1e3', 'NaN'])('an amount of %j is not accepted', (amount) =>
  expect(readTransaction({ amount })).toBeUndefined(),
);

test('every amount of whole cents is read back exactly', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), fc.boolean(), (cents, isDebit) => {
      const text = `${isDebit ? '-' : ''}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      return readTransaction({ amount: text })?.amount === cents;
    }),
  ));

test.each([
  ['2026-11-17T13:00:00Z', '2026-11-18', 'midnight in Sydney in summer'],
  ['2026-06-17T14:00:00Z', '2026-06-18', 'midnight in Sydney in winter'],
  ['2026-11-18T00:00:00Z', '2026-11-18', 'midnight in UTC, which some banks give'],
  ['2026-11-18', '2026-11-18', 'a day alone'],
  ['2026-10-03T14:00:00Z', '2026-10-04', 'the day the clocks go forward'],
  ['2026-04-04T13:00:00Z', '2026-04-05', 'the day they go back'],
  ['2026-12-31T13:00:00Z', '2027-01-01', 'the first of the year'],
])('posted at %s is the Sydney day %s: %s', (postDate, day) => expect(readTransaction({ postDate })?.day).toBe(day));

test('a posted transaction without a post date takes its transaction date, and without either it is left out', () => {
  expect(readTransaction({ postDate: null, transactionDate: '2026-11-16T13:00:00Z' })?.day).toBe('2026-11-17');
  expect(readTransaction({ postDate: null, transactionDate: '' })).toBeUndefined();
});

test('a pending transaction takes its transaction date, or today', () => {
  const pending = { status: 'pending', postDate: null };
  expect(readTransaction({ ...pending, transactionDate: '2026-11-16T13:00:00Z' })).toMatchObject({
    status: 'pending',
    day: '2026-11-17',
  });
  expect(readTransaction({ ...pending, transactionDate: null })?.day).toBe('2026-11-18');
});

test('an unknown status counts as pending', () =>
  expect(readTransaction({ status: 'settling' })?.status).toBe('pending'));

test('the direction is taken as given, and from the sign of the amount where it is missing', () => {
  expect(readTransaction({ direction: 'credit', amount: '12.00' })?.direction).toBe('credit');
  expect(readTransaction({ direction: null, amount: '12.00' })?.direction).toBe('credit');
  expect(readTransaction({ direction: null })?.direction).toBe('debit');
});

test.each([
  [{ bpay: { billerCode: '12345', billerName: 'Water', crn: '1' } }, true],
  [{ apcaNumber: '012345' }, true],
  [{ apcaNumber: 12345 }, true],
  [{ bpay: null, apcaNumber: '' }, false],
  [{ bpay: { billerCode: '', billerName: null } }, false],
  [{}, false],
  [null, false],
  ['unusual', false],
])('payment details %j make it a bill payment: %j', (paymentDetails, isBill) =>
  expect(readTransaction({ paymentDetails })?.isBillPayment).toBe(isBill),
);

test('a missing or empty class gives no kind', () => {
  expect(readTransaction({ class: null })?.kind).toBeUndefined();
  expect(readTransaction({ class: '' })?.kind).toBeUndefined();
});

const accountAnswer = {
  type: 'account',
  id: 's55bf3',
  name: 'Everyday',
  accountHolder: 'JOAN SMITH',
  accountNo: '062000157441965',
  bsb: '062-000',
  unmaskedAccNum: '157441965',
  maskedNumber: 'xxxxx1965',
  currency: 'AUD',
  class: { type: 'transaction', product: 'Smart Access' },
  status: 'available',
};
const readAccount = (change: object = {}) => toAccount(AccountAnswer.parse({ ...accountAnswer, ...change }));

test('an account is translated with its number', () =>
  expect(readAccount()).toEqual({
    id: 's55bf3',
    name: 'Everyday',
    kind: 'transaction',
    bsb: '062000',
    accountNumber: '157441965',
    displayNumber: 'xxxxx1965',
    currency: 'AUD',
    isAvailable: true,
    holder: expect.any(String),
  }));

test.each([
  ['the number is taken from behind the BSB', { unmaskedAccNum: null }, '157441965'],
  ['a BSB before the number is dropped', { unmaskedAccNum: '062000157441965' }, '157441965'],
  ['a number that begins like its BSB is kept', { unmaskedAccNum: '062000123' }, '062000123'],
  ['a masked number is no number', { unmaskedAccNum: null, accountNo: '062000xxxxx1965' }, undefined],
  ['spaces and hyphens do not count', { unmaskedAccNum: '1574 41-965' }, '157441965'],
  ['without a BSB there is no number', { bsb: null }, undefined],
  ['a BSB of five digits is none', { bsb: '62000' }, undefined],
])('%s', (_name, change, number) => expect(readAccount(change).accountNumber).toBe(number));

test('the number of a card is never taken, even when the bank shows all of it', () => {
  const card = {
    bsb: '',
    accountNo: '4111111111111111',
    unmaskedAccNum: '4111111111111111',
    maskedNumber: '4111xxxxxxxx1111',
  };
  expect(readAccount(card)).toMatchObject({
    bsb: undefined,
    accountNumber: undefined,
    displayNumber: '4111xxxxxxxx1111',
  });
});

test("the displayed number falls back to the account number, then to the bank's accountNo", () => {
  expect(readAccount({ maskedNumber: null }).displayNumber).toBe('157441965');
  expect(readAccount({ maskedNumber: null, bsb: null, unmaskedAccNum: null }).displayNumber).toBe('062000157441965');
});

test('a class given as a plain string is the kind', () =>
  expect(readAccount({ class: 'savings' }).kind).toBe('savings'));

test('an account without a name is named after its product; a missing class or currency stays unknown', () => {
  const unnamed = readAccount({ name: '', class: null, currency: null, status: null });
  expect(unnamed).toMatchObject({ name: 'Account', kind: 'unknown', currency: '', isAvailable: false });
  expect(readAccount({ name: null }).name).toBe('Smart Access');
});

const step = (title: string, status: string, result: unknown = null) => ({ title, status, result });
const aJob = (steps: object[], rest: object = {}) =>
  JobAnswer.parse({ type: 'job', id: 'j', created: '2026-11-18T00:00:00Z', jobType: 'connection', steps, ...rest });

test.each([
  ['success', 'success', 'in-progress', 'done'],
  ['success', 'success', 'failed', 'done'],
  ['success', 'in-progress', 'pending', 'pending'],
  ['success', 'failed', 'pending', 'failed'],
  ['failed', 'pending', 'pending', 'failed'],
  ['in-progress', 'pending', 'pending', 'pending'],
])('verify %s, accounts %s, transactions %s: the job is %s', (verify, accounts, transactions, state) => {
  const steps = [
    step('verify-credentials', verify),
    step('retrieve-accounts', accounts),
    step('retrieve-transactions', transactions),
  ];
  expect(toJobState(aJob(steps))).toBe(state);
});

test('a job that the customer cancelled at the bank is declined', () => {
  const cancelled = { code: 'authorization-failed', detail: 'access_denied' };
  expect(toJobState(aJob([step('verify-credentials', 'failed', cancelled)]))).toBe('declined');
});

test('a job without steps is pending', () => expect(toJobState(aJob([]))).toBe('pending'));

test('the newest job is the one created last, in any order; reports do not count', () => {
  const jobs = [
    aJob([], { id: 'old', created: '2026-11-17T00:00:00Z' }),
    aJob([], { id: 'new', created: '2026-11-18T00:00:00Z' }),
    aJob([], { id: 'undated', created: null }),
    aJob([], { id: 'report', created: '2026-11-19T00:00:00Z', jobType: 'report' }),
  ];
  expect(newestJob(jobs)?.id).toBe('new');
  expect(newestJob(jobs.toReversed())?.id).toBe('new');
  expect(newestJob([])).toBeUndefined();
});

test('a job names its user in its source or in the results of its steps', () => {
  expect(isJobOf(aJob([], { links: { source: 'https://au-api.basiq.io/users/u1/connections/c' } }), 'u1')).toBe(true);
  const linkStep = step('verify-credentials', 'success', { type: 'link', url: '/users/u1/connections/c' });
  expect(isJobOf(aJob([linkStep]), 'u1')).toBe(true);
  expect(isJobOf(aJob([linkStep]), 'u')).toBe(false);
  expect(isJobOf(aJob([step('verify-credentials', 'failed', { code: 'x', details: 'y' })]), 'u1')).toBe(false);
});

test('a consent in an unknown state counts as revoked, and one without a valid expiry is left out', () => {
  const consent = (status: string, expiryDate = '2027-09-26T12:12:01Z') =>
    toConsent({ id: 'c', status, created: '2026-09-26T12:12:01Z', expiryDate });
  const [givenAt, expiresAt] = [new Date('2026-09-26T12:12:01Z'), new Date('2027-09-26T12:12:01Z')];
  expect(consent('active')).toEqual({ id: 'c', state: 'active', givenAt, expiresAt });
  expect(toConsent({ id: 'c', status: 'active', expiryDate: '2027-09-26T12:12:01Z' })?.givenAt).toEqual(new Date(0));
  expect(consent('archived')?.state).toBe('revoked');
  expect(consent('expired')?.state).toBe('expired');
  expect(consent('active', 'never')).toBeUndefined();
});

test.each([
  ['0412345678', '+61412345678'],
  ['0412 345 678', '+61412345678'],
  ['+61412345678', '+61412345678'],
  ['1412345678', undefined],
  ['041234567', undefined],
  ['+64211234567', undefined],
])('the mobile %s is %s in international form', (mobile, international) =>
  expect(internationalMobile(mobile)).toBe(international),
);
