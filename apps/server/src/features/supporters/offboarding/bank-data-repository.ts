import { type Cents, type IsoDate, noCents, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { isToBeRepresented } from '#features/core/debiting/conditions.ts';
import type { ConsentEnd } from '#features/supporters/consents/consent-repository.ts';

/** States in which payments need the bank data: a refund goes to the debited account, which is read when it is sent. */
const statesUnderWay = {
  debits: ['submitting', 'submitted'],
  repayments: ['planned', 'submitting', 'submitted'],
} as const;

/** Sums a supporter's payments of a table that need the bank data. */
export async function sumUnderWay(
  db: Db,
  supporterId: string,
  table: keyof typeof statesUnderWay,
): Promise<{ count: number; totalCents: Cents }> {
  const [open] = await db<{ count: number; totalCents: Cents }[]>`
    select count(*) as count, coalesce(sum(amount_cents), 0)::bigint as "totalCents" from ${db(table)}
    where supporter_id = ${supporterId} and state::text = any(${[...statesUnderWay[table]]})`;
  return open ?? { count: 0, totalCents: noCents };
}

export interface EndedConsent {
  end: ConsentEnd;
  endedOn: IsoDate;
  clubId: string;
  isClosed: boolean;
}

/** Locks the ended consent against renewal; undefined if still active. */
export async function lockEndedConsent(tx: Db, supporterId: string, day: IsoDate): Promise<EndedConsent | undefined> {
  const [consent] = await tx<EndedConsent[]>`
    select coalesce(consent_end, 'withdrawn') as "end", coalesce(consent_ended_on, ${day}) as "endedOn", club_id as "clubId",
      closed_on is not null as "isClosed"
    from supporters where supporter_id = ${supporterId} and not consent_active for update`;
  return consent;
}

export interface RefusedDebit {
  id: string;
  clubId: string;
  kind: 'round-up' | 'donation';
  amount: Cents;
  savings: Cents;
}

export function refusePlannedDebits(
  tx: Db,
  supporterId: string,
  now: Date,
  why: string,
  kinds: RefusedDebit['kind'][] = ['round-up', 'donation'],
): Promise<RefusedDebit[]> {
  return tx<RefusedDebit[]>`
    update debits set state = 'refused', refusal = ${why}, outcome_at = ${now}
    where supporter_id = ${supporterId} and state = 'planned' and kind = any(${kinds})
    returning id, club_id as "clubId", kind, amount_cents as amount, savings_cents as savings`;
}

/** Drops uncollected amounts of earlier debits and returns their sum. */
export async function dropFailedDebits(tx: Db, supporterId: string, day: IsoDate): Promise<Cents> {
  const dropped = await tx<{ amount: Cents }[]>`
    update debits set dropped_on = ${day}
    where supporter_id = ${supporterId} and ${isToBeRepresented(tx)}
    returning amount_cents - released_cents as amount`;
  return total(dropped.map(({ amount }) => amount));
}

export async function deleteAccounts(tx: Db, supporterId: string): Promise<number> {
  await tx`delete from confirmed_connections where supporter_id = ${supporterId}`;
  await tx`delete from holder_reviews where supporter_id = ${supporterId}`;
  return (await tx`delete from accounts where supporter_id = ${supporterId}`).count;
}

/** Deletes the other lines from the bank: ineligible ones, and refunds, deducted from a debit or not. */
export async function deleteOtherLines(tx: Db, supporterId: string): Promise<void> {
  await tx`delete from ineligible_transactions where supporter_id = ${supporterId}`;
  await tx`delete from purchase_refunds where supporter_id = ${supporterId}`;
}

export interface DeletedRoundUps {
  count: number;
  /** The newest of them; 0 if there was none. */
  throughSeq: number;
  countedCents: Cents;
  /** Cents of those covered by a debit. */
  debitedCents: Cents;
  /** Cents of those dropped before, when their campaign ended. */
  droppedBeforeCents: Cents;
}

export async function deleteRoundUps(tx: Db, supporterId: string): Promise<DeletedRoundUps> {
  const [deleted] = await tx<DeletedRoundUps[]>`
    with gone as (
      delete from round_ups where supporter_id = ${supporterId} returning seq, counted_cents
    )
    select count(*) as count, coalesce(max(gone.seq), 0)::bigint as "throughSeq",
      coalesce(sum(counted_cents), 0)::bigint as "countedCents",
      coalesce(sum(counted_cents) filter (where exists (select from debits
        where debits.supporter_id = ${supporterId} and gone.seq between first_seq and last_seq)), 0)::bigint as "debitedCents", (
        select coalesce(sum(dropped.counted_cents), 0) from campaign_drops dropped join supporters using (supporter_id)
        where dropped.supporter_id = ${supporterId} and through_seq > deleted_through_seq)::bigint as "droppedBeforeCents"
    from gone`;
  return (
    deleted ?? { count: 0, throughSeq: 0, countedCents: noCents, debitedCents: noCents, droppedBeforeCents: noCents }
  );
}

export interface DeletionRecord {
  supporterId: string;
  at: Date;
  day: IsoDate;
  askedBy: string;
  end: ConsentEnd;
  endedOn: IsoDate;
  accounts: number;
  roundUps: DeletedRoundUps;
  droppedCents: Cents;
}

/**
 * Saves the proof, and makes the supporter start from scratch: later round-ups are numbered after the deleted ones, and
 * purchases up to today never count again, because no record remains of those that did. Returns the id of the deletion,
 * a UUIDv7 like all sources of ledger entries.
 */
export async function saveDeletion(tx: Db, deletion: DeletionRecord): Promise<string> {
  const { supporterId, day, roundUps } = deletion;
  const [{ id } = { id: '' }] = await tx<{ id: string }[]>`
    insert into bank_data_deletions (supporter_id, id, deleted_at, deleted_on, reason, asked_by, consent_ended_on, accounts,
      round_ups, through_seq, counted_cents, debited_cents, dropped_before_cents, dropped_cents)
    values (${supporterId}, uuidv7(), ${deletion.at}, ${day}, ${deletion.end}, ${deletion.askedBy}, ${deletion.endedOn},
      ${deletion.accounts}, ${roundUps.count}, ${roundUps.throughSeq}, ${roundUps.countedCents}, ${roundUps.debitedCents},
      ${roundUps.droppedBeforeCents}, ${deletion.droppedCents})
    returning id`;
  await tx`
    update supporters set deleted_through_seq = greatest(deleted_through_seq, ${roundUps.throughSeq}),
      rounds_from = case when rounds_from <= ${day} then ${day}::date + 1 else rounds_from end, synced_at = null,
      bank_data_at = null, statement_digest = null
    where supporter_id = ${supporterId}`;
  return id;
}

/** Returns the day a supporter's bank data was last deleted. */
export async function findDeletionDay(db: Db, supporterId: string): Promise<IsoDate | null> {
  const [newest] = await db<{ day: IsoDate | null }[]>`
    select max(deleted_on) as day from bank_data_deletions where supporter_id = ${supporterId}`;
  return newest?.day ?? null;
}
