import { addDays, type Cents, fullDay, type IsoDate } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { JournalText, remarkText } from '#features/disbursements/remittance-advice/journal-text.ts';
import { clubPart, journalAccount, journalTitle, type LedgerName, ledgerNames } from './journal-accounts.ts';
import {
  addSums,
  clubEntries,
  findFirstDay,
  type JournalClub,
  type JournalEntry,
  listJournalClubs,
  platformEntries,
  sumAccounts,
  supporterEntries,
} from './journal-repository.ts';

export interface JournalDays {
  from: IsoDate;
  to: IsoDate;
}

/** Returns the first day of the books; null if nothing is booked. */
export async function findFirstBookedDay(db: Pool): Promise<IsoDate | null> {
  const days = [
    await findFirstDay(db, 'platform_entries'),
    await findFirstDay(db, 'club_entries'),
    ...(await inEachBucket(db, (bucket) => findFirstDay(bucket, 'ledger_entries'))),
  ];
  return days.filter((day) => day !== null).toSorted()[0] ?? null;
}

/** Counts transactions as they are written. */
export interface JournalProgress {
  day: IsoDate;
  transactions: number;
}

/**
 * Writes the books of some closed days as a plain-text journal, in pieces of one page: first the balances at the end of
 * the day before, then every transfer of the three ledgers day by day. The last line counts the transactions, so that a
 * part of a journal is not taken for the whole.
 */
export async function* writeJournal(
  db: Pool,
  days: JournalDays,
  onDay: (progress: JournalProgress) => void = () => {},
): AsyncGenerator<string> {
  const clubs = await listJournalClubs(db);
  const nameOf = accountNames(clubs);
  const text = new JournalText();
  let transactions = 0;
  yield heading(days, clubs);
  const before = addDays(days.from, -1);
  for (const ledger of ledgerNames) {
    const sums = addSums(await sumAccounts(db, ledger, { from: null, to: before }));
    if (sums.length === 0) continue;
    transactions += 1;
    const legs = sums.map((sum) => ({ account: nameOf(ledger, sum), cents: sum.cents }));
    yield text.transaction({ day: before, title: `Opening balances of ${ledger}`, remarks: [], legs: inOrder(legs) });
  }
  for (let day = days.from; day <= days.to; day = addDays(day, 1)) {
    for (const [ledger, pages] of entriesOf(db, day))
      for await (const transfers of wholeTransfers(pages)) {
        transactions += transfers.length;
        yield transfers
          .map((entries) => {
            const [{ kind, source, reason, bankDay, bankWords }] = entries;
            const remarks: [string, string | null][] = [
              ['ref', source],
              ['reason', reason],
              ['bank-day', bankDay],
              ['bank-words', bankWords],
            ];
            const legs = entries.map((entry) => ({ account: nameOf(ledger, entry), cents: entry.cents }));
            return text.transaction({ day, title: journalTitle(ledger, kind), remarks, legs });
          })
          .join('');
      }
    onDay({ day, transactions });
  }
  yield `; end: ${counted(transactions, 'transaction')}\n`;
}

/** Returns what names an account in a journal, with the part of its club. */
export function accountNames(clubs: readonly JournalClub[]) {
  const parts = new Map(clubs.map((club) => [club.id, clubPart(club.id, club.slug)]));
  return (ledger: LedgerName, { account, club }: Pick<JournalEntry, 'account' | 'club'>): string =>
    journalAccount(ledger, account, club === null ? undefined : (parts.get(club) ?? clubPart(club)));
}

/** Sentences about the two days of a line of a bank statement. */
const linesOfBanks = [
  'A line of a bank statement is booked on the day on which it is imported, as closed days stay closed.',
  "The bank's own day and words stand beside it as bank-day and bank-words.",
];

const heading = ({ from, to }: JournalDays, clubs: readonly JournalClub[]): string =>
  [
    `Books of ${fullDay(from)} to ${fullDay(to)}, for beancount, ledger and hledger.`,
    'Debits are positive, credits negative. Supporters, Clubs and Platform are three ledgers that each balance;',
    'the same money is in all three, so read them one at a time.',
    ...linesOfBanks,
    ...clubs.map((club) => `${clubPart(club.id, club.slug)} is ${remarkText(club.name)}, ${club.id}.`),
  ]
    .map((line) => `; ${line}\n`)
    .concat('\n')
    .join('');

const inOrder = <Leg extends { account: string; cents: Cents }>(legs: Leg[]): Leg[] =>
  legs.toSorted((one, other) => (one.account < other.account ? -1 : 1));

/** Opens a day's entries of each ledger, one after another. */
function* entriesOf(db: Pool, day: IsoDate): Generator<[LedgerName, AsyncGenerator<JournalEntry[]>]> {
  for (const bucket of db.inBuckets()) yield ['supporters', supporterEntries(bucket, day)];
  yield ['clubs', clubEntries(db, day)];
  yield ['platform', platformEntries(db, day)];
}

type Entries = [JournalEntry, ...JournalEntry[]];

const isOfOne = (one: JournalEntry, other: JournalEntry): boolean =>
  one.transfer === other.transfer && one.kind === other.kind && one.source === other.source;

/** Puts the entries of each transfer together, which may begin on one page and end on the next. */
export async function* wholeTransfers(pages: AsyncGenerator<JournalEntry[]>): AsyncGenerator<Entries[]> {
  let last: Entries | undefined;
  for await (const page of pages) {
    const ended: Entries[] = [];
    for (const entry of page)
      if (last && isOfOne(last[0], entry)) last.push(entry);
      else {
        if (last) ended.push(last);
        last = [entry];
      }
    if (ended.length > 0) yield ended;
  }
  if (last) yield [last];
}
