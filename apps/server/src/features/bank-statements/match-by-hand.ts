import type { Cents } from '@sparechange/domain';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import type { Clock } from '#ports/clock.ts';

/** Accounts that may explain a line, decided by no sub-ledger. */
export const handAccounts = ['fees', 'operator_funds', 'operator_loss', 'provider_float'] as const;
export type HandAccount = (typeof handAccounts)[number];

/** Moves an open line from suspense to an account. A line that is explained already stays as it is. */
export function matchByHand(
  { db, clock }: { db: Pool; clock: Clock },
  account: string,
  lineId: string,
  to: HandAccount,
  reason: string,
): Promise<'matched' | 'matched before' | 'unknown'> {
  return db.begin(async (tx) => {
    const now = clock.now();
    const [line] = await tx<{ cents: Cents; isOpen: boolean }[]>`
      select cents, matched_kind is null as "isOpen" from bank_statement_lines
      where account = ${account} and line_id = ${lineId} for update`;
    if (!line) return 'unknown';
    if (!line.isOpen) return 'matched before';
    await tx`
      update bank_statement_lines set matched_kind = 'by_hand', matched_with = ${to}, matched_at = ${now}
      where account = ${account} and line_id = ${lineId}`;
    await tx`
      insert into platform_entries (kind, source, account, cents, booked_on)
      select 'statement_line_matched', ${`${account} ${lineId}`}, leg.account, leg.cents, ${await bookingDay(tx, clock)}
      from (values ('suspense'::platform_account, ${line.cents}::bigint), (${to}::platform_account, ${-line.cents}::bigint))
        as leg (account, cents)`;
    const details = { account, line: lineId, to, cents: line.cents, reason };
    await appendToAuditLog(tx, {
      supporterId: operatorsChain,
      at: now,
      actor: 'operator',
      action: 'matched a bank line',
      details,
    });
    return 'matched';
  });
}
