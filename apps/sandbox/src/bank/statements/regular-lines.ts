import { addDays, daysBetween, daysOfMonth, type IsoDate, type IsoMonth, weekday } from '#world/days.ts';
import { seeded } from '#world/seeded.ts';
import { type Bank, getBank } from './banks.ts';
import type { Customer } from './customers.ts';
import type { Line, LineClass } from './line.ts';
import { type Biller, billers } from './merchants.ts';
import { mortgageAt } from './openings.ts';

/** Returns a month's pay, housing, bills, cash, fees and saving. */
export function regularLines(customer: Customer, month: IsoMonth): Line[] {
  if (customer.isEmpty || customer.accounts.length === 0) return [];
  const bank = getBank(customer.institution);
  const days = daysOfMonth(month);
  return [
    ...pay(customer, bank, days),
    ...home(customer, month, days),
    ...bills(customer, bank, month),
    ...cash(customer, month, days),
    ...fees(bank, month, days),
  ];
}

const line = (
  key: string,
  position: number,
  day: IsoDate,
  lineClass: LineClass,
  cents: number,
  description: string,
): Line => ({
  key,
  position,
  day,
  purchasedOn: day,
  class: lineClass,
  cents,
  description,
});

function pay(customer: Customer, bank: Bank, days: IsoDate[]): Line[] {
  const parity = Number(customer.crn) % 2;
  const isPayday = (day: IsoDate) =>
    weekday(day) === 4 && Math.floor(daysBetween('2020-01-02', day) / 7) % 2 === parity;
  const saved = -seeded(`saving ${customer.crn}`).whole(5, 15) * 1_000;
  return days
    .filter(isPayday)
    .flatMap((day) => [
      line(`pay ${day}`, 0, day, 'direct-credit', customer.salaryCents, `Salary ${customer.employer}`),
      line(`save ${day}`, 0, day, 'transfer', saved, `Transfer To ${bank.name} Saver NetBank`),
      line(`saved ${day}`, 1, day, 'transfer', -saved, `Transfer From ${bank.name} Everyday`),
    ]);
}

function home(customer: Customer, month: IsoMonth, days: IsoDate[]): Line[] {
  if (customer.accounts.some(({ kind }) => kind === 'mortgage')) {
    const day = `${month}-03`;
    const { repaymentCents, interestCents } = mortgageAt(customer, month);
    return [
      line(`repay ${month}`, 0, day, 'loan-repayment', -repaymentCents, 'Home Loan Pymt'),
      line(`repaid ${month}`, 3, day, 'loan-repayment', repaymentCents, 'Loan Repayment'),
      line(`interest ${month}`, 3, days.at(-1) ?? day, 'loan-interest', -interestCents, 'Interest Charged'),
    ];
  }
  return days
    .filter((day) => weekday(day) === 5)
    .map((day) => line(`rent ${day}`, 0, day, 'transfer', -customer.rentCents, 'Transfer To Saltbush Realty Rent'));
}

function bills(customer: Customer, bank: Bank, month: IsoMonth): Line[] {
  const choice = seeded(`bills ${customer.crn}`);
  const chosen = billers.filter(({ name }) => name === 'TELOPEA MOBILE' || choice.chance(0.7));
  return chosen.map((biller) => bill(customer, bank, biller, month));
}

function bill(customer: Customer, bank: Bank, biller: Biller, month: IsoMonth): Line {
  const random = seeded(`bill ${customer.crn} ${biller.name} ${month}`);
  const due = `${month}-${String(biller.day).padStart(2, '0')}`;
  const day = weekday(due) > 5 ? addDays(due, 8 - weekday(due)) : due;
  const cents = -random.whole(biller.least, biller.most);
  const key = `bill ${biller.name} ${month}`;
  if (biller.bpay !== undefined) {
    const details = { bpay: { billerCode: biller.bpay, billerName: biller.name, crn: `${customer.crn}7` } };
    return { ...line(key, 0, day, 'payment', cents, `BPAY ${biller.name} ${biller.bpay}`), details };
  }
  const reference = String(random.whole(100_000_000, 999_999_999));
  return {
    ...line(key, 0, day, 'payment', cents, bank.directDebit(biller.name, reference)),
    details: { apcaNumber: '181221' },
  };
}

function cash(customer: Customer, month: IsoMonth, days: IsoDate[]): Line[] {
  const random = seeded(`cash ${customer.institution} ${customer.crn} ${month}`);
  return Array.from({ length: random.whole(1, 3) }, (_, number) => {
    const day = days[random.whole(0, 26)] ?? `${month}-01`;
    return line(
      `cash ${month} ${number}`,
      0,
      day,
      'cash-withdrawal',
      -random.whole(1, 10) * 2_000,
      `Wdl ATM ${random.whole(1000, 9999)} SYDNEY`,
    );
  });
}

/** At Hooli a fee carries the same dated prefix as a purchase: only its class tells them apart. */
function fees(bank: Bank, month: IsoMonth, days: IsoDate[]): Line[] {
  const day = days.at(-1) ?? `${month}-28`;
  const dated = `MISCELLANEOUS DEBIT V4380 ${day.slice(8)}/${day.slice(5, 7)} MNTHLY ACCOUNT FEE 74902926021`;
  const description = bank.style === 'leading date' ? dated : 'Monthly Account Fee';
  return [line(`fee ${month}`, 0, day, 'bank-fee', -500, description)];
}
