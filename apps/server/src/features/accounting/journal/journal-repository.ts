import { type Cents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

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
}

/** Sum of an account before a day. */
export type OpeningSum = Pick<JournalEntry, 'account' | 'club' | 'cents'>;

/** Entries per page: some hundred kilobytes. */
const pageSize = 2_000;

/** Reads a day's entries in a bucket of supporters, page by page. */
export const supporterEntries = (bucket: Db, day: IsoDate): AsyncGenerator<JournalEntry[]> =>
  bucket<JournalEntry[]>`
    select supporter_id::text as transfer, kind, source::text as source, account,
      case account when 'club_payable' then club_id end as club, cents, null as reason
    from ledger_entries where booked_on = ${day}
    order by source, kind, supporter_id, account`.cursor(pageSize);

/** Reads a day's entries of clubs, page by page. */
export const clubEntries = (db: Db, day: IsoDate): AsyncGenerator<JournalEntry[]> =>
  db<JournalEntry[]>`
    select club_id::text as transfer, kind, source, account, club_id as club, cents, null as reason
    from club_entries where booked_on = ${day} order by club_id, source, kind, account`.cursor(pageSize);

const ofNoClub = '00000000-0000-0000-0000-000000000000';

/** Reads a day's entries of the platform, page by page. */
export const platformEntries = (db: Db, day: IsoDate): AsyncGenerator<JournalEntry[]> =>
  db<JournalEntry[]>`
    select '' as transfer, kind, source, account, nullif(club_id, ${ofNoClub}) as club, cents, reason
    from platform_entries where booked_on = ${day} order by kind, source, account, club_id`.cursor(pageSize);

/** Sums the entries of a bucket of supporters before a day. */
export const supportersBefore = (bucket: Db, day: IsoDate) => bucket<OpeningSum[]>`
  select account, case account when 'club_payable' then club_id end as club, sum(cents)::bigint as cents
  from ledger_entries where booked_on < ${day} group by 1, 2`;

export const clubsBefore = (db: Db, day: IsoDate) => db<OpeningSum[]>`
  select account, club_id as club, sum(cents)::bigint as cents from club_entries where booked_on < ${day} group by 1, 2`;

export const platformBefore = (db: Db, day: IsoDate) => db<OpeningSum[]>`
  select account, nullif(club_id, ${ofNoClub}) as club, sum(cents)::bigint as cents
  from platform_entries where booked_on < ${day} group by 1, 2`;

/** Returns the first day with an entry in control or a bucket; null in empty books. */
export async function findFirstDay(db: Db, table: 'ledger_entries' | 'club_entries' | 'platform_entries') {
  const [row] = await db<{ day: IsoDate | null }[]>`select min(booked_on) as day from ${db(table)}`;
  return row?.day ?? null;
}

/** An entry of one account of the platform. */
export interface AccountEntry extends Pick<JournalEntry, 'kind' | 'source' | 'club' | 'cents' | 'reason'> {
  day: IsoDate;
}

/** Reads the entries of one account of the platform in the order of their days, page by page. */
export const accountEntries = (db: Db, account: string, { from, to }: { from: IsoDate; to: IsoDate }) =>
  db<AccountEntry[]>`
    select booked_on as day, kind, source, nullif(club_id, ${ofNoClub}) as club, cents, reason
    from platform_entries where account = ${account} and booked_on between ${from} and ${to}
    order by booked_on, kind, source, club_id`.cursor(pageSize);

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
