import { type Db, table } from '#world/database.ts';
import { addDays, addMonths, type IsoDate, monthOf, sydneyDate, sydneyInstant } from '#world/days.ts';
import type { Cents } from '#world/money.ts';
import { type BankAccount, type Customer, crns } from './customers.ts';
import type { Line, LineClass } from './line.ts';
import { type BookedLine, openingOf, statementMonth } from './statement.ts';

/** A line added to an account by /control or by a debit, beside those that are worked out. */
interface Posting {
  id: number;
  institution: string;
  crn: string;
  position: number;
  purchasedOn: IsoDate;
  postedOn: IsoDate;
  visibleAt: number;
  postsAt: number;
  cents: Cents;
  currency: string;
  class: LineClass;
  description: string;
}

const postings = table<Posting, 'id'>('postings');

const keyOf = ({ id }: Posting): string => `added ${id}`;

const toLine = (posting: Posting): Line & { currency: string } => {
  const { position, purchasedOn, postedOn, cents, currency, description } = posting;
  return {
    key: keyOf(posting),
    position,
    purchasedOn,
    day: postedOn,
    class: posting.class,
    cents,
    currency,
    description,
  };
};

/**
 * Lists an account's added lines from a booking day on, in the order of booking: an account of many months has too many to
 * read all for each question.
 */
const listPostings = (db: Db, { institution, crn }: Customer, position: number, from: IsoDate): Posting[] =>
  postings.select(
    db,
    'where institution = ? and crn = ? and position = ? and posted_on >= ? order by posted_on, id',
    institution,
    crn,
    position,
    from,
  );

/** Adds up an account's added lines that are posted by now, up to a booking day. */
const sumOfPosted = ({ db, now }: View, { institution, crn }: Customer, position: number, before: IsoDate): Cents =>
  db.find<{ cents: Cents }>(
    `select coalesce(sum(cents), 0) as cents from postings
     where institution = ? and crn = ? and position = ? and posted_on < ? and posts_at <= ?`,
    institution,
    crn,
    position,
    before,
    now,
  )?.cents ?? 0;

export type NewPosting = Omit<Posting, 'id' | 'institution' | 'crn' | 'postsAt'>;

/**
 * Adds a line and returns its key. It is pending until its booking day begins, or booked immediately if that has begun.
 */
export function addPosting(db: Db, { institution, crn }: Customer, posting: NewPosting): string {
  const postsAt = Math.max(posting.visibleAt, sydneyInstant(posting.postedOn));
  return keyOf(postings.insert(db, { institution, crn, postsAt, ...posting }));
}

interface ReportedBalance {
  institution: string;
  crn: string;
  position: number;
  cents: Cents;
}

const reportedBalances = table<ReportedBalance>('reported_balances');

/** CRN 90000005's bank is out of date: it reports the balance from before the account was emptied. */
const staleEmptyBalance: Cents = 500_00;

/** Returns the balance a bank reports, if not its statement's. */
export function reportedBalance(db: Db, { institution, crn }: Customer, position: number): Cents | undefined {
  const reported = reportedBalances.find(db, { institution, crn, position });
  return reported?.cents ?? (crn === crns.empty ? staleEmptyBalance : undefined);
}

/** Sets the balance a bank reports; undefined means its statement's. */
export function reportBalance(
  db: Db,
  { institution, crn }: Customer,
  position: number,
  cents: Cents | undefined,
): void {
  if (cents === undefined) reportedBalances.remove(db, { institution, crn, position });
  else reportedBalances.replace(db, { institution, crn, position, cents });
}

export interface StatementLine extends Line {
  status: 'posted' | 'pending';
  currency: string;
  /** Absent while pending, as the balance is not yet touched. */
  balanceCents?: Cents;
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
export function postedLines(view: View, customer: Customer, account: BankAccount, period: Period): StatementLine[] {
  const { db, now } = view;
  const to = period.to < sydneyDate(now) ? period.to : sydneyDate(now);
  const added = listPostings(db, customer, account.position, period.from).filter((posting) => posting.postsAt <= now);
  const lines: StatementLine[] = [];
  let next = 0;
  let addedCents = sumOfPosted(view, customer, account.position, period.from);
  let workedOutCents = balanceBefore(customer, account, period.from);

  const takeAdded = (before: IsoDate | undefined): void => {
    for (let posting = added[next]; posting !== undefined; posting = added[++next]) {
      if (posting.postedOn > to || (before !== undefined && posting.postedOn >= before)) return;
      addedCents += posting.cents;
      lines.push({ ...toLine(posting), status: 'posted', balanceCents: workedOutCents + addedCents });
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
export function pendingLines({ db, now }: View, customer: Customer, account: BankAccount): StatementLine[] {
  const today = sydneyDate(now);
  const month = monthOf(today);
  const workedOut = [addMonths(month, -1), month]
    .flatMap((each) => statementMonth(customer, each).pending)
    .filter((line) => line.position === account.position && line.visibleAt <= now && now < sydneyInstant(line.day));
  const added = listPostings(db, customer, account.position, addDays(today, 1)) // a line of today is booked once seen
    .filter((posting) => posting.visibleAt <= now && now < posting.postsAt)
    .map(toLine);
  return [...workedOut, ...added].map((line) => ({ currency: 'AUD', ...line, status: 'pending' }));
}

export function balanceOf(view: View, customer: Customer, account: BankAccount): Cents {
  const today = sydneyDate(view.now);
  const workedOut = workedOutLines(customer, account, `${monthOf(today)}-01`, today).at(-1);
  return (
    (workedOut?.balanceCents ?? openingOf(customer, account.position, monthOf(today))) +
    sumOfPosted(view, customer, account.position, addDays(today, 1))
  );
}

function balanceBefore(customer: Customer, account: BankAccount, day: IsoDate): Cents {
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
