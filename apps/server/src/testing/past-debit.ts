import { randomUUID } from 'node:crypto';
import { cents, isoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { type Legs, legsOf, postTransfer, type TransferKind } from '#features/core/ledger/post.ts';
import type { TestSupporter } from './makers.ts';

export interface PastDebitOverrides {
  /** On which it cleared. */
  day: string;
  amount?: number;
  savings?: number;
  kind?: 'round-up' | 'donation';
  clubId?: string;
  /** On which the bank took it back, if it did. */
  reversedOn?: string;
}

/** A debit that cleared on a day of the past, with all that is booked of it. Returns its id. */
export async function aPastDebit(
  whole: Db,
  { supporterId, clubId: ownClub }: Pick<TestSupporter, 'supporterId' | 'clubId'>,
  overrides: PastDebitOverrides,
): Promise<string> {
  const { day, amount = 430, savings = 0, kind = 'round-up', clubId = ownClub, reversedOn } = overrides;
  const db = whole.of(supporterId);
  const id = randomUUID();
  const state = reversedOn ? 'reversed' : 'cleared';
  const at = new Date(day);
  await db`
    insert into debits (supporter_id, id, run_date, kind, attempt, club_id, amount_cents, savings_cents, mandate_id, reference,
      request_id, state, provider_ref, planned_at, submitted_at, outcome_at)
    select ${supporterId}, ${id}, ${day}, ${kind}, count(*) + 1, ${clubId}, ${amount}, ${savings}, ${randomUUID()}, ${`RU${id.slice(0, 8)}`},
      ${kind === 'donation' ? id : null}, ${state}, ${`PR.${id}`}, ${at}, ${at}, ${new Date(reversedOn ?? day)}
    from debits where supporter_id = ${supporterId}`;
  const amounts = { amount: cents(amount), savings: cents(savings), kind };
  const book = (step: TransferKind, legs: Legs, on = day) =>
    postTransfer(db.of(supporterId), { supporterId, kind: step, source: id, clubId, bookedOn: isoDate(on), legs });
  await book(kind === 'donation' ? 'donation' : 'recorded', legsOf.donation(amounts));
  await book('submitted', legsOf.submitted(amounts));
  await book('cleared', legsOf.cleared(amounts));
  if (reversedOn) await book('reversed', legsOf.reversed(amounts), reversedOn);
  return id;
}
