// @vitest-environment jsdom
import { cents, isoDate } from '@sparechange/domain';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PendingPayouts } from './payouts.tsx';

afterEach(cleanup);

const waiting = {
  waitingCents: cents(100_00),
  reservedCents: cents(0),
  toReserveCents: cents(0),
  retriedCents: cents(0),
  retryOn: null,
  clearedTodayCents: cents(0),
  waitsForDetails: false,
  nextOn: isoDate('2026-11-26'),
  afterNextOn: isoDate('2026-11-27'),
  hasAccount: true,
  onItsWay: [],
};
const shown = (pending: Partial<Parameters<typeof PendingPayouts>[0]> = {}) => {
  const { container } = render(<PendingPayouts {...waiting} {...pending} />);
  return [...container.querySelectorAll('dl > div')].map((line) => line.textContent);
};

test('waiting money goes out with the next run, except money paid again later or held for the reserve', () => {
  expect(shown()).toEqual(['Goes out on Thu 26 Nov$100.00']);
  const parts = { retriedCents: cents(30_00), retryOn: isoDate('2026-11-30'), toReserveCents: cents(20_00) };
  expect(shown(parts)).toEqual([
    'Goes out on Thu 26 Nov$50.00',
    'Did not arrive; is paid again on Mon 30 Nov$30.00',
    'Held in reserve for what is taken back or refunded; it stays the club’s$20.00',
  ]);
});

test('money released from the reserve goes out with the next run, and is no longer held', () => {
  const lowered = { waitingCents: cents(0), reservedCents: cents(60_00), toReserveCents: cents(-40_00) };
  expect(shown(lowered)).toEqual([
    'Goes out on Thu 26 Nov$40.00',
    'Held in reserve for what is taken back or refunded; it stays the club’s$20.00',
  ]);
  expect(shown({ ...lowered, waitingCents: cents(-15_00) })).toEqual([
    'Goes out on Thu 26 Nov$25.00',
    'Held in reserve for what is taken back or refunded; it stays the club’s$20.00',
  ]);
});

test('money that cleared on the day of a run goes out with the following run', () => {
  expect(shown({ clearedTodayCents: cents(40_00) })).toEqual([
    'Goes out on Thu 26 Nov$60.00',
    'Cleared today; goes out on Fri 27 Nov$40.00',
  ]);
});

test('money that waits for bank details has no promised day', () => {
  shown({ waitsForDetails: true, clearedTodayCents: cents(40_00) });
  shown({ hasAccount: false });
  expect(screen.queryByText(/Goes out/)).toBeNull();
  expect(screen.getByText(/^Waits for new bank details/)).toBeTruthy();
  expect(screen.getByText('Waits for the club’s bank details')).toBeTruthy();
});

test('a payout is called sent once the provider has it', () => {
  const payout = { id: '1', paidOn: isoDate('2026-11-25'), reference: 'CL1', isPaidAgain: false, retryOn: null };
  const onItsWay = (['submitting', 'submitted'] as const).map((state) => ({
    ...payout,
    id: state,
    state,
    amountCents: cents(10_00),
  }));
  expect(shown({ waitingCents: cents(0), onItsWay })).toEqual([
    'About to be sent, planned on Wed 25 Nov$10.00',
    'Sent on Wed 25 Nov; banks usually need one more banking day$10.00',
  ]);
});

test('a club that was overpaid owes the part its reserve does not cover', () => {
  const owing = (reserved: number) => shown({ waitingCents: cents(-56_05), reservedCents: cents(reserved) });
  expect(owing(20_00)).toEqual([
    'Owed by the club: taken back by banks or refunded after the payout. Its next donations pay it$36.05',
  ]);
  expect(owing(60_00)).toEqual(['Held in reserve for what is taken back or refunded; it stays the club’s$3.95']);
});
