import type { PaymentState } from '@sparechange/contract/console';
import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import type { PaymentTable } from '#features/core/submission/unanswered-payments.ts';
import { isUuid } from '#uuid.ts';
import type { PaymentKind } from './parked-payments.ts';

export interface PaymentRecord {
  kind: PaymentKind;
  id: string;
  supporterId: string | null;
  clubId: string | null;
  /** Ours; its first nine letters appear on a payer's statement. */
  reference: string;
  amount: Cents;
  state: Exclude<PaymentState, 'parked'>;
  providerRef: string | null;
  returnCode: number | null;
  /** Reason why it was refused or returned. */
  failure: string | null;
  /** The last inconclusive answer. */
  lastAnswer: string | null;
  attempts: number;
  unknownSince: Date | null;
  nextAttemptAt: Date | null;
  parkedAt: Date | null;
  plannedAt: Date;
  submittingAt: Date | null;
  submittedAt: Date | null;
  outcomeAt: Date | null;
}

/** Returns the state for people: a parked payment is no longer retried. */
export const stateOf = ({ state, parkedAt }: Pick<PaymentRecord, 'state' | 'parkedAt'>): PaymentState =>
  state === 'submitting' && parkedAt ? 'parked' : state;

export interface BookedEntry {
  transfer: string;
  account: string;
  cents: Cents;
  bookedOn: IsoDate;
}

/** Selects the same state. */
export const stateColumn = (db: Db) => db`
  case when state = 'submitting' and parked_at is not null then 'parked' else state::text end`;

const shared = (db: Db) => db`
  provider_ref as "providerRef", return_code as "returnCode", last_answer as "lastAnswer", attempts,
  unknown_since as "unknownSince", next_attempt_at as "nextAttemptAt", parked_at as "parkedAt", planned_at as "plannedAt",
  submitting_at as "submittingAt", submitted_at as "submittedAt", outcome_at as "outcomeAt"`;

/** Number of letters of our reference on a payer's statement. */
export const shortestReference = 9;

/** Selects payments by the beginning of our reference, or by the provider's. */
export const hasReference = (db: Db, text: string) => {
  const ours = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return ours === '' ? db`provider_ref = ${text}` : db`(reference like ${`${ours}%`} or provider_ref = ${text})`;
};

/** Lists payments of any kind by our reference or the start of it, by their id or by the provider's reference. */
export async function listPayments(pool: Pool, text: string, limit: number): Promise<PaymentRecord[]> {
  const which = isUuid(text) ? pool`id = ${text}` : hasReference(pool, text);
  const ofBuckets = pool.inBuckets().map(
    (db) => db<PaymentRecord[]>`
    select case kind when 'donation' then 'donation' else 'debit' end as kind, id, supporter_id as "supporterId",
      club_id as "clubId", reference, amount_cents as amount, state::text, refusal as failure, ${shared(db)}
    from debits where ${which}
    union all
    select 'deposit', id, supporter_id, null, reference, amount_cents, state::text, failure, ${shared(db)}
    from deposits where ${which}
    union all
    select 'repayment', id, supporter_id, null, reference, amount_cents, state::text, failure, ${shared(db)}
    from repayments where ${which}
    limit ${limit}`,
  );
  const ofClubs = pool<PaymentRecord[]>`
    select 'remittance' as kind, id, null as "supporterId", club_id as "clubId", reference, amount_cents as amount, state,
      failure, ${shared(pool)}
    from remittances where ${which} limit ${limit}`;
  return (await Promise.all([ofClubs, ...ofBuckets])).flat().slice(0, limit);
}

/** Lists a supporter's payments of every kind, latest first. */
export function listPaymentsOf(db: Db, supporterId: string, limit: number): Promise<PaymentRecord[]> {
  return db<PaymentRecord[]>`
    select * from (
      select case kind when 'donation' then 'donation' else 'debit' end as kind, id, supporter_id as "supporterId",
        club_id as "clubId", reference, amount_cents as amount, state::text, refusal as failure, ${shared(db)}
      from debits where supporter_id = ${supporterId}
      union all
      select 'deposit', id, supporter_id, null, reference, amount_cents, state::text, failure, ${shared(db)}
      from deposits where supporter_id = ${supporterId}
      union all
      select 'repayment', id, supporter_id, null, reference, amount_cents, state::text, failure, ${shared(db)}
      from repayments where supporter_id = ${supporterId}
    ) payment order by "plannedAt" desc, id limit ${limit}`;
}

/** Lists a payment's bookings in the order of the steps. */
export function listEntries(db: Db, { id, supporterId }: PaymentRecord): Promise<BookedEntry[]> {
  return supporterId
    ? db<BookedEntry[]>`
        select kind::text as transfer, account::text, cents, booked_on as "bookedOn" from ledger_entries
        where supporter_id = ${supporterId} and source = ${id} order by booked_on, kind, account`
    : db<BookedEntry[]>`
        select kind::text as transfer, account::text, cents, booked_on as "bookedOn" from club_entries
        where source = ${id} order by booked_on, kind, account`;
}

export const tableOf: Record<PaymentKind, PaymentTable> = {
  debit: 'debits',
  donation: 'debits',
  deposit: 'deposits',
  remittance: 'remittances',
  repayment: 'repayments',
};
