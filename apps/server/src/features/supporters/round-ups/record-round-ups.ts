import { type Cents, cleanedText, type IsoDate, noCents } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';

/**
 * A posted purchase that passed the rules of eligibility; rules that depend on the supporter are applied here, in SQL.
 */
export interface Purchase {
  supporterId: string;
  providerAccountId: string;
  transactionId: string;
  day: IsoDate;
  purchaseCents: Cents;
  description: string;
  /** First day on which the supporter's campaign no longer runs. */
  endsOn: IsoDate | null;
}

export interface Recorded {
  roundUps: number;
  roundUpCents: Cents;
}

/**
 * Records purchases with their spare change, each once, however often the bank shows it and under any id, its account's
 * included (docs/decisions/accounts-and-round-ups.md#identity-of-an-account). `purchases` must hold whole days of an
 * account, because equal purchases are distinguished by how many the bank shows at the same time. Supporters are locked
 * in order, so that two workers never deadlock, with `for no key update`, so that foreign keys of a debit run do not
 * wait.
 */
export async function recordRoundUps(pool: Pool, now: Date, purchases: Purchase[]): Promise<Recorded> {
  if (purchases.length === 0 || !(await hasUnrecorded(pool, purchases))) return { roundUps: 0, roundUpCents: noCents };
  return pool.begin(async (tx) => {
    const ids = [...new Set(purchases.map((purchase) => purchase.supporterId))];
    await tx`select from supporters where supporter_id = any(${ids}) order by supporter_id for no key update`;
    return insertRoundUps(tx, now, onceEach(purchases));
  });
}

/** Returns, without a lock, whether a purchase is not recorded under its id: mostly the bank shows nothing new. */
async function hasUnrecorded(db: Db, purchases: Purchase[]): Promise<boolean> {
  const column = <K extends keyof Purchase>(name: K) => purchases.map((purchase) => purchase[name]);
  const [unrecorded] = await db`
    select from unnest(
      ${column('supporterId')}::uuid[], ${column('providerAccountId')}::text[], ${column('transactionId')}::text[]
    ) as bank (supporter_id, provider_account_id, transaction_id)
    join shown_accounts account using (supporter_id, provider_account_id)
    where account.is_tracked and not exists (select from round_ups known
      where known.supporter_id = bank.supporter_id and known.transaction_id = bank.transaction_id)
    limit 1`;
  return unrecorded !== undefined;
}

/**
 * Joins account, day, amount and cleaned text of a `bank` line on its `account`, which identify a purchase. Uses only
 * immutable parts, joined as `concat_ws` would: Citus cannot send an insert of a stable function's results to a node.
 */
export const purchaseFingerprint = (db: Db) => db`
  md5(account.supporter_id::text || E'\\n' || account.first_provider_account_id || E'\\n' || bank.day_text || E'\\n'
    || bank.cents::text || E'\\n' || bank.cleaned)::uuid`;

/** Removes duplicates, as pages of a bank's answer may overlap. */
function onceEach(purchases: Purchase[]): Purchase[] {
  const byId = new Map(purchases.map((purchase) => [`${purchase.supporterId} ${purchase.transactionId}`, purchase]));
  return [...byId.values()];
}

async function insertRoundUps(tx: Db, now: Date, purchases: Purchase[]): Promise<Recorded> {
  const column = <K extends keyof Purchase>(name: K) => purchases.map((purchase) => purchase[name]);
  const [recorded] = await tx<Recorded[]>`
    with bank as (
      select * from unnest(
        ${column('supporterId')}::uuid[], ${column('providerAccountId')}::text[], ${column('transactionId')}::text[],
        ${column('day')}::date[], ${column('purchaseCents')}::bigint[], ${column('description')}::text[],
        ${column('endsOn')}::date[], ${purchases.map(({ description }) => cleanedText(description))}::text[],
        ${column('day')}::text[]
      ) as line (supporter_id, provider_account_id, transaction_id, day, cents, description, ends_on, cleaned, day_text)
    ), eligible as (
      select bank.*, account.account_id, ${purchaseFingerprint(tx)} as fingerprint, supporter.round_up_step as step,
        supporter.weekly_limit_cents as week_limit, supporter.club_id, supporter.deleted_through_seq
      from bank
      join supporters supporter using (supporter_id)
      join shown_accounts account using (supporter_id, provider_account_id)
      where supporter.consent_active and account.is_tracked
        and bank.day >= greatest(supporter.rounds_from, account.round_ups_from)
        and supporter.rounds_from is not null
        and (bank.ends_on is null or bank.day < bank.ends_on)
        and not exists (
          select from pauses pause where pause.supporter_id = bank.supporter_id
          and (pause.resumed_on is null or (bank.day >= pause.paused_on and bank.day < pause.resumed_on)))
    ), shown as (
      select eligible.*, known.seq is not null as is_known,
        row_number() over (partition by eligible.supporter_id, eligible.fingerprint, eligible.provider_account_id
          order by known.seq, eligible.transaction_id) as occurrence
      from eligible
      left join round_ups known
        on known.supporter_id = eligible.supporter_id and known.transaction_id = eligible.transaction_id
      where known.seq is null or known.fingerprint = eligible.fingerprint
    ), fresh as (
      select distinct on (supporter_id, fingerprint, occurrence) shown.*,
        round_up(shown.cents, shown.step) as raw,
        date_trunc('week', shown.day::timestamp)::date as week
      from shown
      where not is_known and occurrence > (
        select count(*) from round_ups earlier
        where earlier.supporter_id = shown.supporter_id and earlier.fingerprint = shown.fingerprint)
      order by supporter_id, fingerprint, occurrence, transaction_id
    ), limited as (
      select fresh.*,
        sum(raw) over (partition by supporter_id, week order by day, transaction_id rows unbounded preceding) - raw as before,
        case when week_limit = 0 then 0 else (
          select coalesce(sum(counted_cents), 0) from round_ups earlier
          where earlier.supporter_id = fresh.supporter_id and posted_on between week and week + 6) end as used,
        row_number() over (partition by supporter_id order by day, transaction_id) as place
      from fresh
    ), added as (
      insert into round_ups (supporter_id, seq, account_id, transaction_id, fingerprint, occurrence, posted_on,
        purchase_cents, description, step_cents, limit_cents, raw_cents, counted_cents, recorded_at)
      select supporter_id,
        place + greatest(deleted_through_seq, (select max(seq) from round_ups earlier where earlier.supporter_id = limited.supporter_id)),
        account_id, transaction_id, fingerprint, occurrence, day, cents, description, step, week_limit, raw,
        counted_within_limit(raw, (used + before)::bigint, week_limit), ${now}
      from limited
      returning supporter_id, counted_cents
    ), totals as materialized (
      select supporter_id, sum(counted_cents) as cents, uuidv7() as source
      from added group by supporter_id having sum(counted_cents) > 0
    ), posted as (
      insert into ledger_entries (supporter_id, kind, source, account, cents, club_id, booked_on)
      select totals.supporter_id, 'recorded', source, leg.account, totals.cents * leg.sign, supporter.club_id,
        (${now}::timestamptz at time zone 'Australia/Sydney')::date
      from totals join supporters supporter using (supporter_id)
      cross join (values ('pledged'::ledger_account, 1), ('promised', -1)) as leg (account, sign)
    )
    select count(*) as "roundUps", coalesce(sum(counted_cents), 0)::bigint as "roundUpCents" from added`;
  return recorded ?? { roundUps: 0, roundUpCents: noCents };
}
