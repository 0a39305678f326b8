// @vitest-environment jsdom
import type { Money } from '@sparechange/contract/console';
import { cents, isoDate } from '@sparechange/domain';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { MoneyMoved, returnedInWords } from './today-money.tsx';

signedInAs('finance');

const week = (from: string, collected: number, paidOut: number) => ({
  from: isoDate(from),
  collectedCents: cents(collected),
  paidOutCents: cents(paidOut),
});

const money: Money = {
  month: {
    ...{ from: isoDate('2026-11-01'), to: isoDate('2026-11-25') },
    ...{ collectedCents: cents(1_204_50), paidOutCents: cents(1_300_00), heldCents: cents(-95_50) },
  },
  weeks: [week('2026-11-16', 200_00, 100_00), week('2026-11-23', 0, 50_00)],
  returned: { debits: 3, cents: cents(12_40), ofDebits: 371 },
  silentServers: [],
};

const show = () =>
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <MoneyMoved money={money} />
      </QueryClientProvider>
    </MemoryRouter>,
  );

test('the month has three figures, which Payments sums up behind a link', () => {
  show();
  const figures = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(figures).toEqual([
    '$1,204.50Cleared debits and donations',
    '$1,300.00To clubs, savers and payers',
    '-$95.50Paid out from earlier months’ debits',
  ]);
  expect(screen.getByRole('link', { name: 'See payments' }).getAttribute('href')).toBe(
    '/payments?state=cleared&from=2026-11-01&to=2026-11-25',
  );
});

test('what the bars show is read as a table, the present week first', () => {
  show();
  expect(document.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  const rows = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(rows).toEqual([
    ['Mon 23 Nov', '$0.00', '$50.00'],
    ['Mon 16 Nov', '$200.00', '$100.00'],
  ]);
});

test('bars are as tall as their share of the largest', () => {
  show();
  const heights = [...document.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('height')));
  expect(heights).toEqual([112, 56, 0, 28]);
});

test.each([
  [{ debits: 3, cents: cents(12_40), ofDebits: 371 }, 'Returned in six weeks: 0.8%, 3 of 371 debits, $12.40.'],
  [{ debits: 0, cents: cents(0), ofDebits: 1_204 }, 'None of 1,204 debits came back in the last six weeks.'],
  [{ debits: 0, cents: cents(0), ofDebits: 0 }, 'No debit has cleared or been returned in the last six weeks.'],
])('the rate of returned debits is a sentence', (returned, sentence) => {
  expect(returnedInWords(returned)).toBe(sentence);
});
