import { type BalanceFloor, type Cents, type IsoDate, sydneyDay } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export type DebitState =
  | 'planned'
  | 'submitting'
  | 'submitted'
  | 'cleared'
  | 'returned'
  | 'reversed'
  | 'refused'
  | 'waited';

export interface Debit {
  supporterId: string;
  id: string;
  runDate: IsoDate;
  kind: 'round-up' | 'donation';
  attempt: number;
  clubId: string;
  amount: Cents;
  savings: Cents;
  reference: string;
  mandateRef: string;
  state: DebitState;
  providerRef: string | null;
}

const columns = (db: Db) => db`
  debit.supporter_id as "supporterId", debit.id, debit.run_date as "runDate", debit.kind, debit.attempt,
  debit.club_id as "clubId", debit.amount_cents as amount, debit.savings_cents as savings, debit.reference,
  authority.mandate_ref as "mandateRef", debit.state, debit.provider_ref as "providerRef"`;

/** Its tenant was stopped meanwhile: asked for at the provider, and not repeated. */
export type UnfinishedDebit = Debit & { isStopped: boolean };

/** What was being submitted when its program ended: nobody knows whether the provider has it. */
export function listUnfinished(db: Db, kinds: Debit['kind'][], limit: number): Promise<UnfinishedDebit[]> {
  return db<UnfinishedDebit[]>`
    select ${columns(db)}, stopped.tenant_key is not null as "isStopped" from debits debit
    join supporters giver on giver.supporter_id = debit.supporter_id
    left join stopped_tenants stopped on stopped.tenant_key = giver.tenant_key
    join debit_authorities authority on authority.supporter_id = debit.supporter_id and authority.id = debit.authority_id
    where debit.state = 'submitting' and debit.kind = any(${kinds}) order by debit.run_date, debit.supporter_id limit ${limit}`;
}

/**
 * Planned debits that may go now. What is not yet submitted waits while its supporter has paused, skips the run of today
 * or has no consent (design 7.4, section 8), or its tenant is stopped; a one-off donation is no round-up.
 */
const mayGo = (db: Db, kinds: Debit['kind'][], now: Date) => db`
  waiting.state = 'planned' and waiting.kind = any(${kinds}) and giver.consent_active
    and not exists (select from stopped_tenants stopped where stopped.tenant_key = giver.tenant_key)
    and (waiting.kind = 'donation' or not exists (
      select from pauses where pauses.supporter_id = waiting.supporter_id and resumed_on is null) and not exists (
      select from debit_skips skip where skip.supporter_id = waiting.supporter_id and run_date = ${sydneyDay(now)}))`;

/** A planned debit, and what the balance guard needs to know of it. */
export interface NextToSubmit {
  supporterId: string;
  id: string;
  amount: Cents;
  /** 0 for a gift: whoever makes one knows what they have. */
  floor: BalanceFloor;
  /** Whether the debit before it waited, in an earlier submission, because the balance could not be read. */
  wasUnread: boolean;
  bankCustomerId: string | null;
  /** The bank link's id of the account; null where it is not shared any more. */
  providerAccountId: string | null;
}

/** The next planned debits to submit, the oldest first. `beganAt` is when the submission began. */
export function listNextToSubmit(
  db: Db,
  kinds: Debit['kind'][],
  { now, beganAt, limit }: { now: Date; beganAt: Date; limit: number },
): Promise<NextToSubmit[]> {
  return db<NextToSubmit[]>`
    select waiting.supporter_id as "supporterId", waiting.id, waiting.amount_cents as amount,
      case when waiting.kind = 'donation' then 0 else giver.balance_floor_cents end as floor,
      coalesce((select before.waited_because = 'not readable' and before.settled_at < ${beganAt} from debits before
        where before.supporter_id = waiting.supporter_id and before.kind = 'round-up' and before.run_date < waiting.run_date
        order by before.run_date desc limit 1), false) as "wasUnread",
      giver.bank_customer_id as "bankCustomerId", account.provider_account_id as "providerAccountId"
    from debits waiting join supporters giver using (supporter_id)
    join debit_authorities authority on authority.supporter_id = waiting.supporter_id and authority.id = waiting.authority_id
    left join accounts account on account.supporter_id = waiting.supporter_id and account.id = authority.account_id
      and account.is_listed
    where ${mayGo(db, kinds, now)}
    order by waiting.run_date, waiting.supporter_id limit ${limit}`;
}

/** Takes planned debits to submit them; from here on they may be at the provider. Those that may no longer go are left. */
export function claimPlanned(
  db: Db,
  kinds: Debit['kind'][],
  now: Date,
  debits: Pick<Debit, 'supporterId' | 'id'>[],
): Promise<Debit[]> {
  return db<Debit[]>`
    with next as (
      select waiting.supporter_id, waiting.id
      from unnest(${debits.map(({ supporterId }) => supporterId)}::uuid[], ${debits.map(({ id }) => id)}::uuid[])
        as wanted (supporter_id, id)
      join debits waiting on waiting.supporter_id = wanted.supporter_id and waiting.id = wanted.id
      join supporters giver on giver.supporter_id = waiting.supporter_id
      where ${mayGo(db, kinds, now)}
      order by waiting.run_date, waiting.supporter_id for update of waiting
    )
    update debits debit set state = 'submitting', submitting_at = ${now}
    from next, debit_authorities authority
    where debit.supporter_id = next.supporter_id and debit.id = next.id
      and authority.supporter_id = debit.supporter_id and authority.id = debit.authority_id
    returning ${columns(db)}`;
}

/** Moves a debit from one state to another; says whether it did, so that a repeated notification does nothing twice. */
export async function moveDebit(
  db: Db,
  debit: Pick<Debit, 'supporterId' | 'id'>,
  from: DebitState[],
  to: DebitState,
  facts: { at: Date; providerRef?: string; returnCode?: number | undefined; refusal?: string },
): Promise<boolean> {
  const moved = await db`
    update debits set state = ${to},
      provider_ref = coalesce(${facts.providerRef ?? null}, provider_ref),
      return_code = coalesce(${facts.returnCode ?? null}, return_code),
      refusal = coalesce(${facts.refusal ?? null}, refusal),
      submitted_at = case when ${to === 'submitted'} then ${facts.at}::timestamptz else submitted_at end,
      settled_at = case when ${to === 'submitted'} then settled_at else ${facts.at}::timestamptz end
    where supporter_id = ${debit.supporterId} and id = ${debit.id} and state = any(${from}::debit_state[])`;
  return moved.count === 1;
}

/** The debit with that reference of the provider, locked: notifications about one debit take turns. */
export async function lockByProviderRef(db: Db, providerRef: string): Promise<Debit | undefined> {
  const [debit] = await db<Debit[]>`
    select ${columns(db)} from debits debit
    join debit_authorities authority on authority.supporter_id = debit.supporter_id and authority.id = debit.authority_id
    where debit.provider_ref = ${providerRef} for update of debit`;
  return debit;
}

/** Whether a debit asks again for what had already come back with code 6. */
export async function repeatsReturnWithCode6(db: Db, debit: Pick<Debit, 'supporterId' | 'id'>): Promise<boolean> {
  const [earlier] = await db`
    select 1 from debits
    where supporter_id = ${debit.supporterId} and repeated_by = ${debit.id} and return_code = 6 limit 1`;
  return earlier !== undefined;
}

export async function countOpen(db: Db): Promise<number> {
  const [open] = await db<{ count: number }[]>`
    select count(*) as count from debits where state in ('submitting', 'submitted')`;
  return open?.count ?? 0;
}
