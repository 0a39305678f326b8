import type { Cents } from '@sparechange/domain';
import { nobody, noteInAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import type { Clock } from '#ports/clock.ts';

/** Accounts that an operator may correct: what is owed, and by whom, follows from the ledgers below alone. */
export const correctableAccounts = ['provider_float', 'fees', 'operator_loss', 'operator_funds', 'suspense'] as const;
export type CorrectableAccount = (typeof correctableAccounts)[number];

export interface Correction {
  /** The operator's own, permanent: the same id books once. */
  id: string;
  debit: CorrectableAccount;
  credit: CorrectableAccount;
  amount: Cents;
  reason: string;
}

/**
 * Books a correction once: the amount to the debit of one account and the credit of another. Answers 'another' when the
 * id was used for something else.
 */
export function correctLedger(
  { db, clock }: { db: Pool; clock: Clock },
  { id, debit, credit, amount, reason }: Correction,
): Promise<'booked' | 'booked before' | 'another'> {
  return db.begin(async (tx) => {
    const legs = { [debit]: amount, [credit]: -amount };
    const posted = await tx`
      insert into platform_entries (kind, source, account, cents, booked_on)
      select 'correction', ${id}, leg.account, leg.cents, ${await bookingDay(tx, clock)}
      from unnest(${Object.keys(legs)}::platform_account[], ${Object.values(legs)}::bigint[]) as leg (account, cents)
      where not exists (select from platform_entries where kind = 'correction' and source = ${id})
      on conflict do nothing`;
    if (posted.count === 0) {
      const before = await tx<{ account: string; cents: number }[]>`
        select account, cents from platform_entries where kind = 'correction' and source = ${id}`;
      const isSame = before.every(({ account, cents }) => legs[account] === cents);
      return isSame ? 'booked before' : 'another';
    }
    const details = { correction: id, debit, credit, cents: amount, reason };
    await noteInAuditLog(tx, {
      supporterId: nobody,
      at: clock.now(),
      actor: 'operator',
      action: 'corrected the ledger',
      details,
    });
    return 'booked';
  });
}
