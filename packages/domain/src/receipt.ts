import type { IsoDate } from './days.ts';
import { type Cents, cents, noCents } from './money.ts';
import { lastDayOfPeriod, type ReceiptPeriod } from './receipt-period.ts';

/** Deductible from $2 (Income Tax Assessment Act 1997, section 30-15). */
const smallestDeductibleGift = cents(200);

/** The club's part of one debit, or of its reversal. */
export interface GiftEntry {
  clubId: string;
  day: IsoDate;
  kind: 'round-ups' | 'one-off gift' | 'taken back' | 'refunded';
  /** Below zero for what was taken back or refunded. */
  cents: Cents;
  /** The day the gift cleared; earlier for what was reversed. */
  givenOn: IsoDate;
  /** The club's part of the whole gift, of which a refund may give back less; the entry's own cents when absent. */
  giftCents?: Cents;
}

/**
 * Returns the deductible part of an entry: all of it, if the club was a deductible gift recipient when the gift cleared
 * and it was $2 or more; a reversal of such a gift counts against it.
 */
export function deductibleCents(
  { cents: given, givenOn, giftCents = given }: GiftEntry,
  recipientSince: IsoDate | null,
): Cents {
  const isRecipient = recipientSince !== null && givenOn >= recipientSince;
  return isRecipient && Math.abs(giftCents) >= smallestDeductibleGift ? given : noCents;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's, without letters that look like digits

/**
 * Returns the number of a receipt: ten letters of the supporter, then the month, or FY and the year in which the financial
 * year ends. The letters are the first 50 bits of the supporter's id, 48 of
 * them hashed, which need no counter: of a million supporters, two have the same letters in one of some 560 installations.
 */
export function receiptNumber(supporterId: string, period: ReceiptPeriod): string {
  let rest = BigInt(`0x${supporterId.replaceAll('-', '')}`) >> 78n;
  let code = '';
  for (let at = 0; at < 10; at += 1) {
    code = alphabet[Number(rest & 31n)] + code;
    rest >>= 5n;
  }
  const lastDay = lastDayOfPeriod(period);
  const suffix = period.kind === 'month' ? lastDay.slice(0, 7) : `FY${lastDay.slice(0, 4)}`;
  return `${code.slice(0, 5)}-${code.slice(5)}-${suffix}`;
}
