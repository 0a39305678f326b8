import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { PayoutState } from '#features/payouts/payout-state.ts';
import { isDueAgain, isSubmitting, unansweredColumns } from '#features/submission/unanswered-payments.ts';

export interface Remittance {
  id: string;
  clubId: string;
  runDate: IsoDate;
  amount: Cents;
  reference: string;
  state: PayoutState;
  submittingAt: Date | null;
  attempts: number;
  unknownSince: Date | null;
  /** Failures of this money in a row. */
  failures: number;
}

/** A remittance with the club's current bank details. */
export interface PayableRemittance extends Remittance {
  payee: string;
  bsbSealed: Uint8Array;
  accountNumberSealed: Uint8Array;
}

const columns = (db: Db) => db`
  remittance.id, remittance.club_id as "clubId", remittance.run_date as "runDate", remittance.amount_cents as amount,
  remittance.reference, remittance.state, remittance.submitting_at as "submittingAt", remittance.failures,
  ${unansweredColumns(db, 'remittance')}`;

const payee = (db: Db) => db`
  coalesce(club.account_name, club.name) as payee, club.bsb_sealed as "bsbSealed",
  club.account_number_sealed as "accountNumberSealed"`;

/** Lists submissions without a conclusive answer that are due again. */
export const listDueRemittances = (db: Db, now: Date, limit: number): Promise<PayableRemittance[]> =>
  listSubmitting(db, isDueAgain(db, 'remittance', now), limit);

/** Finds a remittance that is being submitted, parked or not. */
export async function findSubmittingRemittance(db: Db, id: string): Promise<PayableRemittance | undefined> {
  const [remittance] = await listSubmitting(db, isSubmitting(db, 'remittance', id), 1);
  return remittance;
}

function listSubmitting(db: Db, which: ReturnType<typeof isSubmitting>, limit: number): Promise<PayableRemittance[]> {
  return db<PayableRemittance[]>`
    select ${columns(db)}, ${payee(db)} from remittances remittance join clubs club on club.id = remittance.club_id
    where ${which} order by remittance.next_attempt_at nulls first limit ${limit}`;
}

/** Claims planned remittances; clubs whose bank details were removed wait. */
export function claimRemittances(db: Db, now: Date, limit: number): Promise<PayableRemittance[]> {
  return db<PayableRemittance[]>`
    with next as (
      select waiting.id from remittances waiting join clubs on clubs.id = waiting.club_id
      where waiting.state = 'planned' and clubs.bsb_sealed is not null and clubs.account_number_sealed is not null
      order by waiting.run_date, waiting.club_id limit ${limit} for update of waiting
    )
    update remittances remittance set state = 'submitting', submitting_at = ${now},
      account_number_sealed = club.account_number_sealed
    from next, clubs club where remittance.id = next.id and club.id = remittance.club_id
    returning ${columns(db)}, ${payee(db)}`;
}

/** Claims again those the provider lacks, for current bank details. */
export function claimRemittancesAgain(db: Db, now: Date, remittances: Remittance[]): Promise<PayableRemittance[]> {
  return db<PayableRemittance[]>`
    update remittances remittance set submitting_at = ${now}, account_number_sealed = club.account_number_sealed
    from clubs club
    where remittance.id = any(${remittances.map(({ id }) => id)}::uuid[]) and remittance.state = 'submitting'
      and club.id = remittance.club_id and club.bsb_sealed is not null and club.account_number_sealed is not null
    returning ${columns(db)}, ${payee(db)}`;
}

const failedStates: readonly PayoutState[] = ['refused', 'returned', 'reversed'];

/** Moves a remittance between states and returns whether it did. */
export async function moveRemittance(
  db: Db,
  { id }: Pick<Remittance, 'id'>,
  from: PayoutState,
  to: PayoutState,
  facts: {
    at: Date;
    providerRef?: string;
    returnCode?: number | undefined;
    failure?: string | undefined;
    /** Day to retry a failed one; undefined until details change. */
    retryOn?: IsoDate | undefined;
  },
): Promise<boolean> {
  const moved = await db`
    update remittances set state = ${to}, parked_at = null,
      provider_ref = coalesce(${facts.providerRef ?? null}, provider_ref),
      return_code = coalesce(${facts.returnCode ?? null}, return_code),
      failure = coalesce(${facts.failure ?? null}, failure),
      failures = failures + case when ${failedStates.includes(to)} then 1 else 0 end, retry_on = ${facts.retryOn ?? null},
      submitted_at = case when ${to === 'submitted'} then ${facts.at}::timestamptz else submitted_at end,
      settled_at = case when ${to === 'submitted'} then settled_at else ${facts.at}::timestamptz end
    where id = ${id} and state = ${from}`;
  return moved.count === 1;
}

/** Locks a remittance by provider reference, so updates take turns. */
export async function lockRemittanceByProviderRef(db: Db, providerRef: string): Promise<Remittance | undefined> {
  const [remittance] = await db<Remittance[]>`
    select ${columns(db)} from remittances remittance where provider_ref = ${providerRef} for update`;
  return remittance;
}
