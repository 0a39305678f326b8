import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outcomeChanges, paymentStates, reportedOutcomes } from './payment-outcome.ts';

const page = readFileSync(new URL('../../../docs/one-debit.md', import.meta.url), 'utf8');

/** Reads the page's table of changes: a row for each state, a column for each report. */
const written = Object.fromEntries(
  [...page.matchAll(/^\| `(\w+)` \| (\w+|–) \| (\w+|–) \| (\w+|–) \|/gm)].map(([, state = '', ...cells]) => [
    state,
    Object.fromEntries(reportedOutcomes.map((report, at) => [report, cells[at]])),
  ]),
);

test('the page has a row for each state', () => expect(Object.keys(written).sort()).toEqual([...paymentStates].sort()));

test.each(paymentStates.flatMap((state) => reportedOutcomes.map((report) => [state, report] as const)))(
  'a %s payment reported as %s changes as the page says',
  (state, report) => {
    const change = outcomeChanges[state][report];
    expect(change === 'nothing' ? '–' : change).toBe(written[state]?.[report]);
  },
);

test('no report moves a payment back, and none moves one that has come to an end', () => {
  const order = ['planned', 'submitting', 'submitted', 'cleared', 'returned', 'reversed'];
  for (const state of paymentStates)
    for (const change of Object.values(outcomeChanges[state]))
      if (change !== 'nothing') expect(order.indexOf(change)).toBeGreaterThan(order.indexOf(state));
});
