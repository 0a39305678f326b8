import { type Cents, formatCents, type IsoDate, magnitude, shortDay } from '@sparechange/domain';
import { type Actor, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { refuseRequestsOf } from '#features/core/approvals/approve.ts';
import { refuseAboveOfDay } from '#features/core/approvals/limit-of-day.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import type { Clock } from '#ports/clock.ts';
import { lockLines, sourceOfLine } from './statement-line-repository.ts';

/** The act that matches a line. */
export const lineMatchName = 'statement_line_match';

/** Accounts that may explain a line without a sub-ledger. */
export const handAccounts = ['fees', 'operator_funds', 'operator_loss', 'provider_float'] as const;
export type HandAccount = (typeof handAccounts)[number];

export interface HandMatch {
  account: string;
  lineId: string;
  to: HandAccount;
  reason: string;
}

/** Describes the request, without the line's text. */
export const lineMatchInWords = ({ to }: Pick<HandMatch, 'to'>, line: { bookedOn: IsoDate; cents: Cents }): string =>
  `Bank line of ${formatCents(line.cents)}, ${shortDay(line.bookedOn)}, booked to ${to.replaceAll('_', ' ')}`;

interface How {
  limit?: Cents;
  /** Records more in the transaction of the match. */
  recordEnd?: (tx: Db) => Promise<void>;
}

/**
 * Moves an open line from suspense to an account, and refuses other requests to do so. A line already explained stays
 * as it is. Throws NeedsSecondPerson if the day's manual bookings would exceed `limit`.
 */
export function matchByHand(
  { db, clock, by }: { db: Pool; clock: Clock; by: Actor },
  { account, lineId, to, reason }: HandMatch,
  { limit, recordEnd }: How = {},
): Promise<'matched' | 'matched before' | 'unknown'> {
  return db.begin(async (tx) => {
    await lockLines(tx);
    const now = clock.now();
    const [line] = await tx<{ cents: Cents; isOpen: boolean; source: string }[]>`
      select cents, matched_kind is null as "isOpen", ${sourceOfLine(tx)} as source from bank_statement_lines
      where account = ${account} and line_id = ${lineId}`;
    if (!line) return 'unknown';
    if (!line.isOpen) return 'matched before';
    const day = await bookingDay(tx, clock);
    await refuseAboveOfDay(tx, limit, { day, amount: magnitude(line.cents) });
    await tx`
      update bank_statement_lines set matched_kind = 'by_hand', matched_with = ${to}, matched_at = ${now}
      where account = ${account} and line_id = ${lineId}`;
    await tx`
      insert into platform_entries (kind, source, account, cents, booked_on)
      select 'statement_line_matched', ${line.source}, leg.account, leg.cents, ${day}
      from (values ('suspense'::platform_account, ${line.cents}::bigint), (${to}::platform_account, ${-line.cents}::bigint))
        as leg (account, cents)`;
    const details = { account, line: lineId, to, cents: line.cents, reason };
    await appendOperatorsAct(tx, { at: now, by, action: 'matched a bank line', details });
    await recordEnd?.(tx);
    const why = { by, at: now, because: 'The line has since been matched.' };
    await refuseRequestsOf(tx, lineMatchName, why, { account, lineId });
    return 'matched';
  });
}
