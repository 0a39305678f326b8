import {
  type Cents,
  cleanedText,
  type IsoDate,
  matchPurchaseRefunds,
  merchantText,
  purchaseRefundDays,
} from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import type { BankTransaction } from '#ports/bank-link.ts';
import { isLost } from './withdraw-purchase-refunds.ts';

interface FreshCredit {
  transactionId: string;
  account: string;
  day: IsoDate;
  amount: Cents;
  description: string;
  fingerprint: string;
}

interface OpenPurchase {
  seq: number;
  account: string;
  day: IsoDate;
  amount: Cents;
  description: string;
  counted: Cents;
}

/**
 * Records which purchases were paid back in full: their round-ups are deducted from the supporter's next debit
 * (docs/decisions/savings-and-refunds.md#refunded-purchases). `credits` holds whole days; credits that pay nothing back
 * are not stored. Each purchase is refunded once at most, and equal credits count up to the number the bank has ever
 * shown at the same time. Returns how many are new.
 */
export async function recordPurchaseRefunds(
  pool: Pool,
  now: Date,
  supporterId: string,
  credits: BankTransaction[],
): Promise<number> {
  if (credits.length === 0) return 0;
  if ((await listRefunds(pool, supporterId, credits)).length === 0) return 0; // pay and gifts: most credits
  return pool.begin(async (tx) => {
    await tx`select from supporters where supporter_id = ${supporterId} for no key update`;
    const pairs = await listRefunds(tx, supporterId, credits);
    for (const { credit, purchase } of pairs) await insertRefund(tx, now, supporterId, credit, purchase);
    return pairs.length;
  });
}

/** Matches credits not yet recorded with the purchases they refund. */
async function listRefunds(db: Db, supporterId: string, credits: BankTransaction[]) {
  const fresh = await listFresh(db, supporterId, credits);
  const open = fresh.length === 0 ? [] : await listOpen(db, supporterId, fresh);
  const withText = <Line extends { description: string }>(line: Line) => ({
    ...line,
    text: merchantText(line.description),
  });
  return matchPurchaseRefunds(fresh.map(withText), open.map(withText));
}

/** Lists unrecorded credits, recognising recorded ones under new bank ids. */
function listFresh(db: Db, supporterId: string, credits: BankTransaction[]): Promise<FreshCredit[]> {
  const column = <K extends keyof BankTransaction>(name: K) => credits.map((credit) => credit[name]);
  return db<FreshCredit[]>`
    with bank as (
      select distinct on (transaction_id) * from unnest(
        ${column('accountId')}::text[], ${column('id')}::text[], ${column('day')}::date[], ${column('amount')}::bigint[],
        ${column('description')}::text[], ${credits.map(({ description }) => cleanedText(description))}::text[]
      ) as line (provider_account_id, transaction_id, day, cents, description, cleaned)
    ), owned as (
      select bank.*, account.account_id,
        md5(concat_ws(E'\\n', account.first_provider_account_id, to_char(day, 'YYYY-MM-DD'), cents, cleaned))::uuid as fingerprint
      from bank
      join shown_accounts account on account.supporter_id = ${supporterId}
        and account.provider_account_id = bank.provider_account_id
      where exists (select from supporters where supporter_id = ${supporterId} and consent_active)
    ), shown as (
      select bank.*, known.id is not null as is_known,
        row_number() over (partition by bank.fingerprint, bank.provider_account_id
          order by known.id, bank.transaction_id) as occurrence
      from owned bank
      left join purchase_refunds known on known.supporter_id = ${supporterId} and known.transaction_id = bank.transaction_id
      where known.id is null or known.fingerprint = bank.fingerprint
    )
    select * from (
      select distinct on (fingerprint, occurrence) transaction_id as "transactionId", account_id as account, day,
        cents as amount, description, fingerprint
      from shown
      where not is_known and occurrence > (
      select count(*) from purchase_refunds earlier
      where earlier.supporter_id = ${supporterId} and earlier.fingerprint = shown.fingerprint)
      order by fingerprint, occurrence, transaction_id
    ) fresh order by day, "transactionId"`;
}

/** Lists purchases not refunded yet that a credit may refund, except those of which nothing was given in the end. */
function listOpen(db: Db, supporterId: string, credits: FreshCredit[]): Promise<OpenPurchase[]> {
  const days = credits.map(({ day }) => day).sort();
  return db<OpenPurchase[]>`
    select seq, account_id as account, posted_on as day, purchase_cents as amount, description, counted_cents as counted
    from round_ups bought
    where supporter_id = ${supporterId} and posted_on between ${days[0] ?? ''}::date - ${purchaseRefundDays}::int and ${days.at(-1) ?? ''}::date
      and purchase_cents = any(${credits.map(({ amount }) => amount)}::bigint[])
      and not exists (select from purchase_refunds where purchase_refunds.supporter_id = bought.supporter_id
        and purchase_refunds.round_up_seq = bought.seq)
      and not ${isLost(db)}
    order by posted_on, seq`;
}

async function insertRefund(
  tx: Db,
  now: Date,
  supporterId: string,
  credit: FreshCredit,
  purchase: OpenPurchase,
): Promise<void> {
  await tx`
    insert into purchase_refunds (supporter_id, round_up_seq, account_id, transaction_id, fingerprint, occurrence, posted_on,
      description, cents, recorded_at)
    select ${supporterId}, ${purchase.seq}, ${credit.account}, ${credit.transactionId}, ${credit.fingerprint},
      1 + count(*), ${credit.day}, ${credit.description}, ${purchase.counted}, ${now}
    from purchase_refunds where supporter_id = ${supporterId} and fingerprint = ${credit.fingerprint}`;
}
