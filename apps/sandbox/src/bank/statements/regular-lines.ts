import { addDays, daysBetween, daysOfMonth, type IsoDate, type IsoMonth, weekday } from '#world/days.ts';
import type { Cents } from '#world/money.ts';
import { seeded } from '#world/seeded.ts';
import { getBank } from './banks.ts';
import { type Customer, crns, isIdle } from './customers.ts';
import { type Line, type LineClass, sameDayLine } from './line.ts';

/** Returns a month's pay, rent, bills, cash and fee. */
export function regularLines(customer: Customer, month: IsoMonth): Line[] {
  if (isIdle(customer)) return [];
  const days = daysOfMonth(month);
  return [
    ...payAndRent(customer, days),
    ...bills(customer, month),
    ...cash(customer, month, days),
    fee(customer, month, days.at(-1) ?? `${month}-28`),
  ];
}

const everyday = (key: string, day: IsoDate, lineClass: LineClass, cents: Cents, description: string): Line =>
  sameDayLine(key, 0, day, lineClass, cents, description);

function payAndRent({ crn, salaryCents, rentCents }: Customer, days: IsoDate[]): Line[] {
  const weeks = (day: IsoDate) => Math.floor(daysBetween('2020-01-02', day) / 7);
  const paydays = days.filter((day) => weekday(day) === 4 && weeks(day) % 2 === Number(crn) % 2);
  const fridays = days.filter((day) => weekday(day) === 5);
  return [
    ...paydays.map((day) => everyday(`pay ${day}`, day, 'direct-credit', salaryCents, 'Salary ACACIA LOGISTICS')),
    ...fridays.map((day) => everyday(`rent ${day}`, day, 'transfer', -rentCents, 'Transfer To Saltbush Realty Rent')),
  ];
}

/** One bill paid by BPAY and one by direct debit, on the next weekday: payments that are no purchases. */
function bills({ institution, crn }: Customer, month: IsoMonth): Line[] {
  const random = seeded(`bills ${crn} ${month}`);
  const weekdayFrom = (day: IsoDate) => (weekday(day) > 5 ? addDays(day, 8 - weekday(day)) : day);
  const [power, mobile] = [weekdayFrom(`${month}-05`), weekdayFrom(`${month}-09`)];
  const bpay = { billerCode: '83214', billerName: 'BANKSIA ENERGY', crn: `${crn}7` };
  const reference = String(random.whole(100_000_000, 999_999_999));
  const debit = getBank(institution).directDebit('TELOPEA MOBILE', reference);
  const powerCents = -random.whole(9_000, 24_000);
  return [
    { ...everyday(`power ${month}`, power, 'payment', powerCents, 'BPAY BANKSIA ENERGY 83214'), details: { bpay } },
    { ...everyday(`mobile ${month}`, mobile, 'payment', -4_900, debit), details: { apcaNumber: '181221' } },
  ];
}

function cash({ institution, crn }: Customer, month: IsoMonth, days: IsoDate[]): Line[] {
  const random = seeded(`cash ${institution} ${crn} ${month}`);
  return Array.from({ length: random.whole(1, 3) }, (_, number) => {
    const day = days[random.whole(0, 26)] ?? `${month}-01`;
    const cents = -random.whole(1, 10) * 2_000;
    const description = `Wdl ATM ${random.whole(1000, 9999)} SYDNEY`;
    return everyday(`cash ${month} ${number}`, day, 'cash-withdrawal', cents, description);
  });
}

/** At Hooli a fee carries the same dated prefix as a purchase: only its class sets them apart. */
function fee({ institution }: Customer, month: IsoMonth, day: IsoDate): Line {
  const dated = `MISCELLANEOUS DEBIT V4380 ${day.slice(8)}/${day.slice(5, 7)} MNTHLY ACCOUNT FEE 74902926021`;
  const description = getBank(institution).style === 'leading date' ? dated : 'Monthly Account Fee';
  return everyday(`fee ${month}`, day, 'bank-fee', -500, description);
}

/** Returns rare lines that break parsers, monthly for CRN 90000006. */
export function edgeCaseLines({ crn }: Customer, month: IsoMonth): Line[] {
  if (crn !== crns.edgeCases) return [];
  const days = daysOfMonth(month);
  const clockChanges = /-(04|10)$/.test(month) ? days.filter((day) => weekday(day) === 7).slice(0, 1) : [];
  const nights = [...days.slice(0, 1), ...days.slice(-1), ...clockChanges];
  const paid = (day: IsoDate, cents: Cents, description: string): Line =>
    everyday('', day, 'payment', cents, description);
  const middle = `${month}-15`;
  const { class: _class, ...unclassed } = paid(middle, -1250, 'OF NO CLASS');
  const lines = [
    ...nights.map((day) => paid(day, -435, `NIGHT KIOSK ${day}`)),
    paid(middle, -435, 'SAME CAFE SAME DAY'),
    paid(middle, -435, 'SAME CAFE SAME DAY'),
    paid(middle, -1, 'ONE CENT'),
    paid(middle, 0, 'CARD CHECK'),
    { ...paid(middle, -1250, 'IN ANOTHER CURRENCY'), currency: 'USD' },
    unclassed,
    paid(middle, -1250, 'Café Ngū — 珍珠奶茶 🧋 <b>&amp; Sons'),
    paid(middle, -1250, `LONG ${'ABCDEFGHI '.repeat(12)}`.slice(0, 120).trim()),
  ];
  return lines.map((line, number) => ({ ...line, key: `edge ${month} ${number}` }));
}
