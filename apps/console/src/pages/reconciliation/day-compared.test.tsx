// @vitest-environment jsdom
import type { ComparedRow, ReconciledDay } from '@sparechange/contract/console';
import { cents, isoDate } from '@sparechange/domain';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { answerOf, DayCompared } from './day-compared.tsx';

afterEach(cleanup);

const day = '2026-12-09';
const row: ComparedRow = {
  id: '1',
  kind: 'settlement',
  matchedWith: day,
  description: 'SETTLEMENT',
  bankCents: cents(44_69),
  bankDay: isoDate(day),
  providerCents: cents(44_69),
  ledgerCents: cents(44_69),
  differenceCents: cents(0),
  isWaiting: false,
};
const compared = (more: Partial<ReconciledDay['comparison']>): ReconciledDay['comparison'] => ({
  state: 'agrees',
  differenceCents: cents(0),
  differing: 0,
  more: 0,
  rows: [row],
  ...more,
});

test('a day that agrees says so', () => {
  render(<DayCompared day={day} of={compared({})} />);
  expect(screen.getByRole('status').textContent).toBe('9 Dec agrees');
  expect(screen.getByRole('status').dataset.state).toBe('agrees');
  const cells = within(screen.getByRole('row', { name: /Settlement of Wed 9 Dec/ })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual(['$44.69', '$44.69', '$44.69']);
});

test('a day that differs says by how much and in which row', () => {
  const short = {
    ...row,
    kind: 'open' as const,
    bankCents: cents(43_69),
    ledgerCents: null,
    differenceCents: cents(100),
  };
  render(
    <DayCompared
      day={day}
      of={compared({ state: 'differs', differenceCents: cents(100), differing: 1, rows: [short] })}
    />,
  );
  expect(screen.getByRole('status').textContent).toBe('9 Dec differs by $1.00: 1 line');
  const shown = screen.getByRole('row', { name: /SETTLEMENT/ });
  expect(shown.dataset.differs).toBe('true');
  expect(shown.textContent).toBe('SETTLEMENTDiffers by $1.00$43.69$44.69–');
});

test.each([
  ['waiting', '9 Dec agrees so far. The bank has yet to book a settlement'],
  ['nothing', 'Nothing to compare on 9 Dec'],
] as const)('a day in the state %s', (state, words) => expect(answerOf(day, compared({ state }))).toBe(words));
