import { add, type Cents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { sourceOfLine } from '#features/accounting/bank-statements/statement-line-repository.ts';
import type { LedgerName } from './journal-accounts.ts';

/** An entry of one of the ledgers; entries of one transfer follow each other. */
export interface JournalEntry {
  /** Distinguishes transfers that follow each other. */
  transfer: string;
  kind: string;
  source: string;
  account: string;
  /** Club whose part of the account it is; null for an account that clubs do not divide. */
  club: string | null;
  cents: Cents;
  reason: string | null;
  /** Day and words of the bank's line that it books, account numbers masked; null for any other entry. */
  bankDay: IsoDate | null;
  bankWords: string | null;
}

/** Sum of an account, or of a club's part of it. */
export type AccountSum = Pick<JournalEntry, 'account' | 'club' | 'cents'>;

/** Entries per page: some hundred kilobytes. */
const pageSize = 2_000;

/** Characters of a statement's id, with the blank before it, at the end of the source of a line booked a second time. */
const idAfterSource = 37;

const ofNoLine = (db: Db) => db`null as "bankDay", null as "bankWords"`;

/** Accounts whose statements were imported, with which the sources of their lines begin. */
const withAccounts = (db: Db) => db`with known as materialized (select distinct account as name from bank_statements)`;

/** Joins the line of a bank statement that an entry of the platform books; those taken back are gone. */
const joinLine = (db: Db) => db`
  left join lateral (
    select line.booked_on as "bankDay", line.description as "bankWords"
    from known cross join lateral (select substr(entry.source, length(known.name) + 2) as id) as said
    join bank_statement_lines line on line.account = known.name
      and line.line_id in (said.id, left(said.id, ${-idAfterSource}))
    where starts_with(entry.source, known.name || ' ') and ${sourceOfLine(db)} = entry.source
    limit 1
  ) as line on entry.kind in ('statement_line', 'statement_line_matched')`;

/** Reads a day's entries in a bucket of supporters, page by page. */
export const supporterEntries = (bucket: Db, day: IsoDate): AsyncGenerator<JournalEntry[]> =>
  bucket<JournalEntry[]>`
    select supporter_id::text as transfer, kind, source::text as source, account,
      case account when 'club_payable' then club_id end as club, cents, null as reason, ${ofNoLine(bucket)}
    from ledger_entries where booked_on = ${day}
    order by source, kind, supporter_id, account`.cursor(pageSize);

/** Reads a day's entries of clubs, page by page. */
export const clubEntries = (db: Db, day: IsoDate): AsyncGenerator<JournalEntry[]> =>
  db<JournalEntry[]>`
    select club_id::text as transfer, kind, source, account, club_id as club, cents, null as reason,
      ${ofNoLine(db)}
    from club_entries where booked_on = ${day} order by club_id, source, kind, account`.cursor(pageSize);

const ofNoClub = '00000000-0000-0000-0000-000000000000';

/** Reads a day's entries of the platform, page by page. */
export const platformEntries = (db: Db, day: IsoDate): AsyncGenerator<JournalEntry[]> =>
  db<JournalEntry[]>`
    ${withAccounts(db)}
    select '' as transfer, kind, source, entry.account, nullif(club_id, ${ofNoClub}) as club, cents, reason, line.*
    from platform_entries entry ${joinLine(db)}
    where entry.booked_on = ${day} order by kind, source, entry.account, club_id`.cursor(pageSize);

/** Days of sums; from the first entry on if `from` is null. */
export interface SumDays {
  from: IsoDate | null;
  to: IsoDate;
}

const within = (db: Db, { from, to }: SumDays) => db`
  booked_on >= coalesce(${from}::date, '-infinity') and booked_on <= ${to}`;

/** Sums the entries of some days in a bucket of supporters. */
const sumsOfSupporters = (bucket: Db, days: SumDays) => bucket<AccountSum[]>`
  select account, case account when 'club_payable' then club_id end as club, sum(cents)::bigint as cents
  from ledger_entries where ${within(bucket, days)} group by 1, 2`;

const sumsOfClubs = (db: Db, days: SumDays) => db<AccountSum[]>`
  select account, club_id as club, sum(cents)::bigint as cents from club_entries where ${within(db, days)} group by 1, 2`;

const sumsOfPlatform = (db: Db, days: SumDays) => db<AccountSum[]>`
  select account, nullif(club_id, ${ofNoClub}) as club, sum(cents)::bigint as cents
  from platform_entries where ${within(db, days)} group by 1, 2`;

/** Sums the entries of some days in one ledger, over all buckets. */
export async function sumAccounts(db: Pool, ledger: LedgerName, days: SumDays): Promise<AccountSum[]> {
  if (ledger === 'clubs') return sumsOfClubs(db, days);
  if (ledger === 'platform') return sumsOfPlatform(db, days);
  return addSums((await inEachBucket(db, (bucket) => sumsOfSupporters(bucket, days))).flat());
}

/** Adds up sums of the same account, without those of zero. */
export function addSums(sums: AccountSum[]): AccountSum[] {
  const accounts = new Map<string, AccountSum>();
  for (const { account, club, cents } of sums) {
    const key = `${account} ${club ?? ''}`;
    accounts.set(key, { account, club, cents: add(cents, accounts.get(key)?.cents ?? noCents) });
  }
  return [...accounts.values()].filter(({ cents }) => cents !== 0);
}

/** Returns the first day with an entry in control or a bucket; null in empty books. */
export async function findFirstDay(db: Db, table: 'ledger_entries' | 'club_entries' | 'platform_entries') {
  const [row] = await db<{ day: IsoDate | null }[]>`select min(booked_on) as day from ${db(table)}`;
  return row?.day ?? null;
}

/** An entry of one account of the platform. */
export interface AccountEntry extends Omit<JournalEntry, 'transfer' | 'account'> {
  day: IsoDate;
}

/** Reads the entries of one account of the platform in the order of their days, page by page. */
export const accountEntries = (db: Db, account: string, { from, to }: { from: IsoDate; to: IsoDate }) =>
  db<AccountEntry[]>`
    ${withAccounts(db)}
    select entry.booked_on as day, kind, source, nullif(club_id, ${ofNoClub}) as club, cents, reason, line.*
    from platform_entries entry ${joinLine(db)}
    where entry.account = ${account} and entry.booked_on between ${from} and ${to}
    order by entry.booked_on, kind, source, club_id`.cursor(pageSize);

/** Sums the entries of one account of the platform up to a day. */
export async function sumUntil(db: Db, account: string, day: IsoDate): Promise<Cents> {
  const [row] = await db<{ cents: Cents }[]>`
    select coalesce(sum(cents), 0)::bigint as cents from platform_entries
    where account = ${account} and booked_on <= ${day}`;
  return row?.cents ?? noCents;
}

export interface JournalClub {
  id: string;
  slug: string;
  name: string;
}

export const listJournalClubs = (db: Db) => db<JournalClub[]>`select id, slug, name from clubs order by slug`;
