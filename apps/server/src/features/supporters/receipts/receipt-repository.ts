import type { Cents, GiftEntry, IsoDate, Month, ReceiptPeriod } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { ReceiptFacts } from './receipt-facts.ts';

export interface GivenMonth {
  month: Month;
  cents: Cents;
}

/** Lists the months with clearings or reversals for a club, with their totals. */
export async function listGivenMonths(db: Db, supporterId: string): Promise<GivenMonth[]> {
  const months = await db<GivenMonth[]>`
    select date_trunc('month', booked_on)::date as month, -sum(cents)::bigint as cents from ledger_entries
    where supporter_id = ${supporterId} and account = 'club_payable' group by 1 order by 1`;
  return [...months];
}

/** An entry with the part of its debit that was set aside; below zero for a reversal. */
export type BookedGift = GiftEntry & { savingsCents: Cents };

/** Lists cleared, reversed and refunded amounts by their booking day. */
export async function listGifts(db: Db, supporterId: string, from: IsoDate, until: IsoDate): Promise<BookedGift[]> {
  const gifts = await db<BookedGift[]>`
    select entry.club_id as "clubId", entry.booked_on as day, given.booked_on as "givenOn", entry.cents, -given.cents as "giftCents",
      case when entry.kind = 'reversed' then 'taken back' when entry.kind <> 'cleared' then 'refunded'
        when debit_kind = 'donation' then 'one-off gift' else 'round-ups' end as kind,
      entry.savings_cents as "savingsCents"
    from gift_entries entry
    join ledger_entries given on given.supporter_id = entry.supporter_id and given.source = entry.debit_id
      and given.kind = 'cleared' and given.account = 'club_payable'
    where entry.supporter_id = ${supporterId} and entry.booked_on between ${from} and ${until}
    order by entry.booked_on, entry.source, entry.kind`;
  return [...gifts];
}

export interface GiftClub {
  id: string;
  name: string;
  abn: string | null;
  dgrSince: IsoDate | null;
}

export async function listGiftClubs(db: Db, ids: string[]): Promise<GiftClub[]> {
  const clubs = await db<GiftClub[]>`
    select id, name, abn, dgr_since as "dgrSince" from clubs where id = any(${ids}::uuid[]) order by name, id`;
  return [...clubs];
}

export interface ReceiptSupporter {
  name: string;
  tenantKey: string;
}

export async function getReceiptSupporter(db: Db, supporterId: string): Promise<ReceiptSupporter> {
  const [supporter] = await db<ReceiptSupporter[]>`
    select first_name || ' ' || last_name as name, tenant_key as "tenantKey" from supporters where supporter_id = ${supporterId}`;
  if (!supporter) throw new Error(`There is no supporter ${supporterId}.`);
  return supporter;
}

export interface Receipt {
  number: string;
  pdf: Uint8Array;
  sha256: Uint8Array;
}

export async function findReceipt(db: Db, supporterId: string, period: ReceiptPeriod): Promise<Receipt | undefined> {
  const [receipt] = await db<Receipt[]>`
    select number, pdf, pdf_sha256 as sha256 from receipts
    where supporter_id = ${supporterId} and kind = ${period.kind} and first_day = ${period.firstDay}`;
  return receipt;
}

export interface IssuedReceipt extends ReceiptPeriod {
  number: string;
}

export async function listIssued(db: Db, supporterId: string): Promise<IssuedReceipt[]> {
  const issued = await db<IssuedReceipt[]>`
    select kind, first_day as "firstDay", number from receipts
    where supporter_id = ${supporterId} order by seq`;
  return [...issued];
}

/**
 * Stores a receipt once and for ever, next in the order of issuing. Changes nothing if its period has one already, or
 * if another one takes its place in that order at the same time.
 */
export async function keepReceipt(
  db: Db,
  supporterId: string,
  facts: ReceiptFacts,
  pdf: Uint8Array,
  issuedAt: Date,
): Promise<void> {
  const [next] = await db<{ seq: number }[]>`
    select coalesce(max(seq), 0) + 1 as seq from receipts where supporter_id = ${supporterId}`;
  await db`
    insert into receipts (supporter_id, seq, kind, first_day, last_day, number, total_cents, deductible_cents, facts, pdf,
      pdf_sha256, issued_at)
    values (${supporterId}, ${next?.seq ?? 1}, ${facts.kind}, ${facts.firstDay}, ${facts.lastDay}, ${facts.number},
      ${facts.totalCents}, ${facts.deductibleCents}, ${db.json(facts)}, ${pdf}, sha256(${pdf}::bytea), ${issuedAt})
    on conflict do nothing`;
}
