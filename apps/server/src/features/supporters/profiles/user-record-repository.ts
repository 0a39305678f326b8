import {
  add,
  type Cents,
  type IsoDate,
  noCents,
  type RoundUpStep,
  subtract,
  type WeeklyLimit,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import {
  hasParkedDebit,
  isHeld,
  isInEffect,
  isOpenPause,
  isPaused,
  isUncollected,
  isUsableFunding,
} from '#features/core/debiting/conditions.ts';

export interface MissingAccount {
  name: string;
  /** Masked. */
  accountNumber: string;
  isDebited: boolean;
  isTracked: boolean;
}

export interface ReturnedDebit {
  kind: 'round-up' | 'donation';
  date: IsoDate;
  amountCents: Cents;
  returnedOn: IsoDate;
}

/** Row behind the answer of get-user. */
export interface UserRecordRow {
  supporterId: string;
  bankCustomerId: string | null;
  clubId: string;
  clubParentId: string | null;
  /** The day from which the club is retired. */
  clubEndsOn: IsoDate | null;
  tenantKey: string;
  consentActive: boolean;
  isOnboarded: boolean;
  isPaused: boolean;
  pausedUntil: IsoDate | null;
  roundUpStep: RoundUpStep;
  weeklyLimitCents: WeeklyLimit;
  savingsEnabled: boolean;
  consentEnd: 'expired' | 'withdrawn' | null;
  /** Sydney days; ended consents and permissions have theirs, too. */
  consentEndsOn: IsoDate | null;
  bankEndsOn: IsoDate | null;
  hasBankEnded: boolean;
  dataOn: IsoDate | null;
  hasUsableFunding: boolean;
  /** Reason the funding account stopped taking debits, if it did. */
  unusableBecause: 'returned' | 'mandate_cancelled' | 'account_missing' | null;
  /** Accounts they chose that the bank no longer shows. */
  missingAccounts: MissingAccount[];
  tracksNoAccount: boolean;
  undoableDonations: { requestId: string; amountCents: Cents; until: string }[];
  isPausedByReturns: boolean;
  /** Debits that the bank returned and that have not been re-presented, newest first, without faults of ours. */
  returned: ReturnedDebit[];
  /** Debits that the bank reversed after clearing, newest first. */
  takenBack: ReturnedDebit[];
  /** True if an operator holds their debits. */
  isOnHold: boolean;
  /** Round-ups the next debit would take, less refunds to deduct. */
  waitingCents: Cents;
  /** Cents dropped and booked since their campaign ended, less refunds. */
  droppedByEndCents: Cents;
  /** Cents the next debit takes, at most the mandate's ceiling. */
  nextCents: Cents;
  /** True if they skip that run. */
  isSkipped: boolean;
}

/** Selects everything in one statement, as every screen starts with it. `run` is the next debit day. */
export async function findUserRecordRow(db: Db, supporterId: string, run: IsoDate): Promise<UserRecordRow | undefined> {
  const [row] = await db<(Omit<UserRecordRow, 'nextCents'> & { plannedCents: Cents; ceilingCents: Cents | null })[]>`
    select supporter_id as "supporterId", bank_customer_id as "bankCustomerId", club_id as "clubId",
      club.parent_id as "clubParentId", club.ends_on as "clubEndsOn", tenant_key as "tenantKey", consent_active as "consentActive", onboarded_on is not null as "isOnboarded",
      ${isPaused(db, 'supporters')} as "isPaused",
      (select until from pauses where pauses.supporter_id = supporters.supporter_id and ${isOpenPause(db)}) as "pausedUntil",
      round_up_step as "roundUpStep", weekly_limit_cents as "weeklyLimitCents", savings_enabled as "savingsEnabled",
      consent_end as "consentEnd", coalesce(consent_ended_on, (consent_expires_at at time zone 'Australia/Sydney')::date) as "consentEndsOn",
      (connection_ends_at at time zone 'Australia/Sydney')::date as "bankEndsOn", connection_ended_on is not null as "hasBankEnded",
      (bank_data_at at time zone 'Australia/Sydney')::date as "dataOn",
      exists (select from accounts where accounts.supporter_id = supporters.supporter_id and ${isUsableFunding(db)}) as "hasUsableFunding",
      (select coalesce(unusable_because, case when missing_since is not null then 'account_missing' end) from accounts
        where accounts.supporter_id = supporters.supporter_id and is_funding) as "unusableBecause",
      (select coalesce(json_agg(json_build_object('name', name, 'accountNumber', masked_number, 'isDebited', is_funding,
          'isTracked', round_ups_on) order by name, id), '[]') from accounts
        where accounts.supporter_id = supporters.supporter_id and consent_active and missing_since is not null
          and (round_ups_on or is_funding)) as "missingAccounts",
      (select coalesce(json_agg(json_build_object('requestId', request_id, 'amountCents', amount_cents,
          'until', to_char(coalesce(held_until, planned_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
          order by planned_at), '[]')
        from debits gift where gift.supporter_id = supporters.supporter_id
          and gift.kind = 'donation' and gift.state = 'planned') as "undoableDonations",
      not exists (select from accounts where accounts.supporter_id = supporters.supporter_id
        and is_listed and round_ups_on) as "tracksNoAccount",
      exists (select from pauses where pauses.supporter_id = supporters.supporter_id and ${isOpenPause(db)}
        and reason = 'two returns') as "isPausedByReturns",
      (select coalesce(json_agg(json_build_object('kind', kind, 'date', run_date, 'amountCents', amount_cents,
          'returnedOn', (outcome_at at time zone 'Australia/Sydney')::date) order by run_date desc, failed.id desc), '[]')
        from debits failed where failed.supporter_id = supporters.supporter_id and failed.state = 'returned'
          and ${isUncollected(db, 'failed')} and return_code is distinct from 8) as "returned",
      (select coalesce(json_agg(json_build_object('kind', kind, 'date', run_date, 'amountCents', amount_cents,
          'returnedOn', (outcome_at at time zone 'Australia/Sydney')::date) order by outcome_at desc, taken.id), '[]')
        from debits taken where taken.supporter_id = supporters.supporter_id and taken.state = 'reversed'
          and return_code is distinct from 8) as "takenBack",
      ${isHeld(db, 'supporters')} or ${hasParkedDebit(db, 'supporters')} as "isOnHold",
      (select coalesce(sum(amount_cents), 0)::bigint from debits planned where planned.supporter_id = supporters.supporter_id
        and planned.kind = 'round-up' and planned.state = 'planned') as "plannedCents",
      (select ceiling_cents from mandates mandate join accounts on accounts.supporter_id = mandate.supporter_id
          and accounts.id = mandate.account_id and is_funding
        where mandate.supporter_id = supporters.supporter_id and ${isInEffect(db, 'mandate')}
        order by agreed_at desc, mandate.id limit 1) as "ceilingCents",
      greatest(0, coalesce((select cents from ledger_balances balance
          where balance.supporter_id = supporters.supporter_id and account = 'pledged'), 0)
        - (select coalesce(sum(amount_cents), 0) from debits other where other.supporter_id = supporters.supporter_id
          and (other.state = 'submitting' or (other.kind = 'donation' and other.state = 'planned')))
        - (select coalesce(sum(cents), 0) from purchase_refunds
          where purchase_refunds.supporter_id = supporters.supporter_id and taken_off_by is null and cents > 0))::bigint as "waitingCents",
      (select coalesce(greatest(0, sum(counted_cents + failed_cents) - max(refunds_cents)), 0)::bigint from campaign_drops
        where campaign_drops.supporter_id = supporters.supporter_id) as "droppedByEndCents",
      exists (select from debit_skips skip where skip.supporter_id = supporters.supporter_id and run_date = ${run}) as "isSkipped"
    from supporters join clubs club on club.id = club_id where supporter_id = ${supporterId}`;
  if (!row) return undefined;
  const { plannedCents, ceilingCents, ...rest } = row;
  const unplanned = subtract(rest.waitingCents, plannedCents);
  if (ceilingCents === null || unplanned <= ceilingCents) return { ...rest, nextCents: rest.waitingCents };
  const [within] = await db<{ cents: Cents | null }[]>`
    select (debit_within(${supporterId}, ${ceilingCents})).cents as cents`;
  return { ...rest, nextCents: add(plannedCents, within?.cents ?? noCents) };
}
