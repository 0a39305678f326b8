import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { AdviceFacts } from './advice-repository.ts';
import { payoutJournal } from './payout-journal.ts';

const sample = AdviceFacts.parse({
  version: 2,
  club: { id: 'club', name: 'Riverside "Rovers"; [2026-01-01]', abn: null },
  reference: 'CL3F9A0C41D27B65E8',
  paidOn: '2026-11-25',
  days: [
    { day: '2026-11-23', supporters: 2, gross: 5_00, returned: 0, savings: 0, net: 5_00 },
    { day: '2026-11-24', supporters: 1, gross: 0, returned: 1_00, savings: 0, net: -1_00 },
  ],
  adjustments: [{ day: null, kind: 'correction', cents: -50 }],
  supporters: 2,
  totals: { gross: 5_00, returned: 1_00, savings: 0, fees: 0, net: 3_50 },
  forecast: null,
});
const days = { from: isoDate('2026-11-01'), to: isoDate('2026-11-30') };
const of = (income: string, bank?: string) => payoutJournal([sample], 'SPARECHANGE', { income, bank }, days);

test("a payout is the deposit against its lines, in the club's own accounts", () =>
  expect(of('Income:Donations').split('\n')).toEqual([
    '; Payouts to Riverside Rovers 2026-01-01, 1 November 2026 to 30 November 2026, for beancount, ledger and hledger.',
    '; Debits are positive, credits negative. Leave out a line that opens an account where your books open it already.',
    '',
    '2026-11-25 open Assets:Bank',
    '2026-11-25 open Income:Donations',
    '2026-11-25 * "Payout CL3F9A0C41D27B65E8"',
    '  ; ref: CL3F9A0C41D27B65E8',
    '  ; payer: SPARECHANGE',
    '  Assets:Bank  3.50 AUD  ; Deposit CL3F9A0C41D27B65E8',
    '  Income:Donations  -5.00 AUD  ; Riverside Rovers 2026-01-01 given, cleared 23-Nov-26',
    '  Income:Donations  1.00 AUD  ; Riverside Rovers 2026-01-01 taken back 24-Nov-26',
    '  Income:Donations  0.50 AUD  ; Riverside Rovers 2026-01-01 Correction',
    '',
    '; end: 1 transaction',
    '',
  ]));

test.each([
  ['260', '', 'Income:260', 'Assets:Bank'],
  ['4-1000', '1-1110', 'Income:4-1000', 'Assets:1-1110'],
  ['Liabilities:Held', 'Assets:Trust:Clearing', 'Liabilities:Held', 'Assets:Trust:Clearing'],
])('the accounts %j and %j are %s and %s', (income, bank, incomeName, bankName) => {
  const text = of(income, bank);
  expect(text).toContain(`open ${incomeName}\n`);
  expect(text).toContain(`open ${bankName}\n`);
});

test.each(['gifts', 'Income', 'Income:', 'A b', 'A\nB', 'Income:a', '', '; x'])(
  'an account %j is refused with an example for its field',
  (name) =>
    expect(() => of(name)).toThrow(
      expect.objectContaining({ fields: { income: 'Please enter its name, such as Income:Donations' } }),
    ),
);
