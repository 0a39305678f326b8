import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate } from './days.ts';
import { cents } from './money.ts';
import { addUpPayout, type PayoutDay } from './remittance-advice.ts';

const aDay = fc
  .record({ gross: fc.nat(100_000), returned: fc.nat(10_000), savings: fc.nat(5_000), supporters: fc.nat(100) })
  .map(
    ({ gross, returned, savings, supporters }): PayoutDay => ({
      day: isoDate('2026-11-25'),
      supporters,
      gross: cents(gross),
      returned: cents(returned),
      savings: cents(savings),
      net: cents(gross - returned - savings),
    }),
  );
const days = fc.array(aDay, { minLength: 1, maxLength: 20 });
const netOf = (all: PayoutDay[]) => cents(all.reduce((sum, { net }) => sum + net, 0));

test('an advice adds up to its deposit to the cent, column by column', () =>
  fc.assert(
    fc.property(days, (all) => {
      const { gross, returned, savings, fees, net } = addUpPayout(all, netOf(all));
      expect(gross - returned - savings - fees).toBe(net);
      expect(gross).toBe(all.reduce((sum, day) => sum + day.gross, 0));
    }),
  ));

test('a cent off anywhere is no advice', () =>
  fc.assert(
    fc.property(
      days,
      fc.constantFrom('gross', 'returned', 'savings', 'net'),
      fc.constantFrom(-1, 1),
      (all, column, off) => {
        const [first, ...rest] = all as [PayoutDay];
        const wrong = { ...first, [column]: cents(first[column as 'net'] + off) };
        expect(() => addUpPayout([wrong, ...rest], netOf(all))).toThrow(RangeError);
        expect(() => addUpPayout(all, cents(netOf(all) + off))).toThrow(RangeError);
      },
    ),
  ));
