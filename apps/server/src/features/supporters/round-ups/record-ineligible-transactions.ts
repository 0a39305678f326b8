import {
  addDays,
  cleanedText,
  type IneligibleReason,
  type IsoDate,
  isWorthRecording,
  reasonNotRounded,
  sydneyDay,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { BankTransaction } from '#ports/bank-link.ts';
import { type Purchase, purchaseFingerprint } from './record-round-ups.ts';

/** A line that gave no round-up. A purchase without a reason of its own may have fallen into a pause. */
export interface UnroundedLine extends Purchase {
  reason: Exclude<IneligibleReason, 'paused'> | null;
}

/** Days a line without a round-up is kept (docs/decisions/ledger.md#trace-of-a-purchase). */
export const daysKept = 90;

const oldestKept = (now: Date): IsoDate => addDays(sydneyDay(now), -daysKept);

/** Lines of a bank's answer that the supporter may ask about, with the line's own reason. */
export function selectIneligible(
  transactions: BankTransaction[],
  ownDebitMark: string,
  toPurchase: (transaction: BankTransaction) => Purchase,
): UnroundedLine[] {
  return transactions.flatMap((transaction): UnroundedLine[] => {
    if (transaction.direction !== 'debit' || transaction.currency !== 'AUD' || transaction.amount <= 0) return [];
    const reason = reasonNotRounded(transaction, ownDebitMark);
    if (reason !== undefined && !isWorthRecording(reason)) return [];
    return [{ ...toPurchase(transaction), reason: reason ?? null }];
  });
}

/**
 * Stores lines of tracked accounts from `since` on that gave no round-up, replacing earlier records of those days;
 * called after the round-ups were recorded. Pending lines are read again each time: the bank gives them another id when
 * it posts them.
 */
export async function recordIneligible(
  db: Db,
  now: Date,
  supporterId: string,
  since: IsoDate,
  lines: UnroundedLine[],
): Promise<void> {
  const column = <K extends keyof UnroundedLine>(name: K) => lines.map((line) => line[name]);
  await db`
    with bank as (
      select distinct on (transaction_id) * from unnest(
        ${column('providerAccountId')}::text[], ${column('transactionId')}::text[], ${column('day')}::date[],
        ${column('purchaseCents')}::bigint[], ${column('description')}::text[], ${column('endsOn')}::date[],
        ${column('reason')}::text[], ${lines.map(({ description }) => cleanedText(description))}::text[],
        ${column('day')}::text[]
      ) as line (provider_account_id, transaction_id, day, cents, description, ends_on, own_reason, cleaned, day_text)
    ), decided as (
      select supporter.supporter_id, bank.*, account.account_id, case
        when own_reason is not null then own_reason
        when exists (select from round_ups recorded where recorded.supporter_id = supporter.supporter_id
          and (recorded.transaction_id = bank.transaction_id or recorded.fingerprint = ${purchaseFingerprint(db)})) then null
        when exists (select from pauses pause where pause.supporter_id = supporter.supporter_id
          and bank.day >= pause.paused_on and (pause.resumed_on is null or bank.day < pause.resumed_on)) then 'paused'
        end as reason
      from bank
      join supporters supporter on supporter.supporter_id = ${supporterId}
      join shown_accounts account on account.supporter_id = supporter.supporter_id
        and account.provider_account_id = bank.provider_account_id
      where supporter.consent_active and account.is_tracked
        and bank.day >= greatest(supporter.rounds_from, account.round_ups_from, ${oldestKept(now)}::date)
        and (bank.ends_on is null or bank.day < bank.ends_on)
    ), kept as (
      select distinct on (account_id, day, cents, description, reason, nth) * from (
        select decided.*, row_number() over (
          partition by account_id, provider_account_id, day, cents, description, reason order by transaction_id) as nth
        from decided where reason is not null
      ) numbered order by account_id, day, cents, description, reason, nth, transaction_id
    ), gone as (
      delete from ineligible_transactions old
      where old.supporter_id = ${supporterId} and (old.day >= ${since} or old.reason = 'pending')
        and not exists (select from kept where kept.transaction_id = old.transaction_id)
    )
    insert into ineligible_transactions as known (supporter_id, transaction_id, account_id, day, cents, description, reason, recorded_at)
    select supporter_id, transaction_id, account_id, day, cents, description, reason, ${now} from kept
    on conflict (supporter_id, transaction_id) do update set account_id = excluded.account_id, day = excluded.day,
      cents = excluded.cents, description = excluded.description, reason = excluded.reason
    where (known.account_id, known.day, known.cents, known.description, known.reason)
      is distinct from (excluded.account_id, excluded.day, excluded.cents, excluded.description, excluded.reason)`;
}
