import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db, Statement } from '#db/connect.ts';
import type { Rows } from './check.ts';

/** Cents of a bucket in one platform account on a day; for a club, those owed to it. */
export interface DaySum {
  day: IsoDate;
  account: string;
  club: string | null;
  cents: Cents;
}

/** Sums the entries of a bucket after one day and up to another; without limits, from the first to the last. */
export const sumDays = (bucket: Db, after: IsoDate | null, until: IsoDate | null): Statement<DaySum[]> => bucket<
  DaySum[]
>`
  select booked_on as day, platform_account_of(account) as account,
    case account when 'club_payable' then club_id end as club, sum(cents)::bigint as cents
  from ledger_entries
  where account not in ('pledged', 'in_flight', 'promised')
    and booked_on > coalesce(${after}::date, '-infinity') and booked_on <= coalesce(${until}::date, 'infinity')
  group by 1, 2, 3 having sum(cents) <> 0`;

export const daySums: Rows = {
  columns: 'day date, account platform_account, club uuid, cents bigint',
  select: (bucket, since) => sumDays(bucket, since, null),
};

/** Lists amounts cleared in a bucket for all clubs, or one, on the days since the last roll-up. */
export const listOpenDays = (bucket: Db, after: IsoDate | null, clubId: string | null = null) => bucket<
  { club: string; cents: Cents }[]
>`
  select club_id as club, -sum(cents)::bigint as cents from ledger_entries
  where account = 'club_payable' and booked_on > coalesce(${after}::date, '-infinity')
    and (${clubId}::uuid is null or club_id = ${clubId}) group by club_id`;

/** Selects the movements of payouts in the platform's accounts; further conditions on `booked_on` may follow. */
export const movedByPayouts = (db: Db) => db`
  select booked_on as day, case account when 'remitted' then 'provider_float' else 'owed_to_clubs' end::platform_account as account, cents
  from club_entries where kind::text not in ('collected', 'corrected')`;
