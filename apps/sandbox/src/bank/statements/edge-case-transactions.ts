import { daysOfMonth, type IsoDate, type IsoMonth, weekday } from '#world/days.ts';
import { type Customer, crns } from './customers.ts';
import type { Line } from './line.ts';

/** Returns rare lines that break programs, monthly for CRN 90000006. */
export function edgeCaseTransactions({ crn }: Customer, month: IsoMonth): Line[] {
  if (crn !== crns.odd) return [];
  const days = daysOfMonth(month);
  const [first = `${month}-01`] = days;
  const last = days.at(-1) ?? first;
  const midnights = [first, last, ...sundaysOfTheClocks(month, days)];
  const middle = `${month}-15`;
  const lines: Omit<Line, 'key' | 'position' | 'purchasedOn'>[] = [
    ...midnights.map((day) => ({ day, class: 'payment' as const, cents: -435, description: `NIGHT KIOSK ${day}` })),
    { day: middle, class: 'payment', cents: -435, description: 'SAME CAFE SAME DAY' },
    { day: middle, class: 'payment', cents: -435, description: 'SAME CAFE SAME DAY' },
    { day: middle, class: 'payment', cents: -1, description: 'ONE CENT' },
    { day: middle, class: 'payment', cents: 0, description: 'CARD CHECK' },
    { day: middle, class: 'payment', cents: -1250, currency: 'USD', description: 'IN ANOTHER CURRENCY' },
    { day: middle, cents: -1250, description: 'OF NO CLASS' },
    { day: middle, class: 'payment', cents: -1250, description: 'Café Ngū — 珍珠奶茶 🧋 <b>&amp; Sons' },
    {
      day: middle,
      class: 'payment',
      cents: -1250,
      description: `LONG ${'ABCDEFGHI '.repeat(12)}`.slice(0, 120).trim(),
    },
  ];
  return lines.map((line, number) => ({
    ...line,
    key: `odd ${month} ${number}`,
    position: 0,
    purchasedOn: line.day,
  }));
}

/** Returns April's or October's first Sunday, when the clocks change. */
const sundaysOfTheClocks = (month: IsoMonth, days: IsoDate[]): IsoDate[] =>
  /-(04|10)$/.test(month) ? days.filter((day) => weekday(day) === 7).slice(0, 1) : [];
