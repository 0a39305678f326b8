import type { Db } from '#world/database.ts';
import { addMonths, type IsoDate, monthOf, sydneyDate, sydneyInstant } from '#world/days.ts';
import type { BankAccount, Customer } from './customers.ts';
import type { Line } from './line.ts';
import { listPostings, type Posting } from './postings.ts';
import { type BookedLine, openingOf, statementMonth } from './statement.ts';

export interface LedgerLine extends Line {
  status: 'posted' | 'pending';
  currency: string;
  /** Absent while pending, as the balance is not yet touched. */
  balanceCents?: number;
}

/** The added lines' store, and the moment of a statement. */
export interface View {
  db: Db;
  now: number;
}

interface Period {
  from: IsoDate;
  to: IsoDate;
}

/** Lines booked on an account in a period, oldest first: the worked-out ones, then on each day those that were added. */
export function bookedLines({ db, now }: View, customer: Customer, account: BankAccount, period: Period): LedgerLine[] {
  const to = period.to < sydneyDate(now) ? period.to : sydneyDate(now);
  const added = listPostings(db, customer, account.position).filter((posting) => posting.postsAt <= now);
  const lines: LedgerLine[] = [];
  let next = added.findIndex((posting) => posting.line.day >= period.from);
  if (next === -1) next = added.length;
  let addedCents = sum(added.slice(0, next));
  let workedOutCents = balanceBefore(customer, account, period.from);

  const takeAdded = (before: IsoDate | undefined): void => {
    for (let posting = added[next]; posting !== undefined; posting = added[++next]) {
      if (posting.line.day > to || (before !== undefined && posting.line.day >= before)) return;
      addedCents += posting.line.cents;
      lines.push({
        ...posting.line,
        status: 'posted',
        currency: posting.currency,
        balanceCents: workedOutCents + addedCents,
      });
    }
  };

  for (const line of workedOutLines(customer, account, period.from, to)) {
    takeAdded(line.day);
    workedOutCents = line.balanceCents;
    const currency = line.currency ?? 'AUD';
    lines.push({ ...line, status: 'posted', currency, balanceCents: workedOutCents + addedCents });
  }
  takeAdded(undefined);
  return lines;
}

/** Lines known but not booked yet. Some banks show none. */
export function pendingLines({ db, now }: View, customer: Customer, account: BankAccount): LedgerLine[] {
  const month = monthOf(sydneyDate(now));
  const workedOut = [addMonths(month, -1), month]
    .flatMap((each) => statementMonth(customer, each).pending)
    .filter((line) => line.position === account.position && line.visibleAt <= now && now < sydneyInstant(line.day));
  const added = listPostings(db, customer, account.position)
    .filter((posting) => posting.visibleAt <= now && now < posting.postsAt)
    .map(({ line, currency }) => ({ ...line, status: 'pending' as const, currency }));
  return [...workedOut.map((line) => ({ ...line, status: 'pending' as const, currency: 'AUD' })), ...added];
}

export function balanceOf({ db, now }: View, customer: Customer, account: BankAccount): number {
  const added = listPostings(db, customer, account.position).filter((posting) => posting.postsAt <= now);
  const today = sydneyDate(now);
  const workedOut = workedOutLines(customer, account, `${monthOf(today)}-01`, today).at(-1);
  return (workedOut?.balanceCents ?? openingOf(customer, account.position, monthOf(today))) + sum(added);
}

const sum = (postings: Posting[]): number => postings.reduce((total, { line }) => total + line.cents, 0);

function balanceBefore(customer: Customer, account: BankAccount, day: IsoDate): number {
  const month = monthOf(day);
  const earlier =
    statementMonth(customer, month)
      .booked.get(account.position)
      ?.filter((line) => line.day < day) ?? [];
  return earlier.at(-1)?.balanceCents ?? openingOf(customer, account.position, month);
}

function workedOutLines(customer: Customer, account: BankAccount, from: IsoDate, to: IsoDate): BookedLine[] {
  const lines: BookedLine[] = [];
  for (let month = monthOf(from); month <= monthOf(to); month = addMonths(month, 1)) {
    for (const line of statementMonth(customer, month).booked.get(account.position) ?? []) {
      if (line.day >= from && line.day <= to) lines.push(line);
    }
  }
  return lines;
}
