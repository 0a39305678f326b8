import type { IsoDate } from './days.ts';
import { type Cents, cents, noCents } from './money.ts';

/** Gifts of money are deductible from $2 on (Income Tax Assessment Act 1997, section 30-15). */
const smallestDeductibleGift = cents(200);

/** The club's part of one debit, or of its reversal. */
export interface GiftEntry {
  clubId: string;
  day: IsoDate;
  kind: 'round-ups' | 'one-off gift' | 'taken back' | 'refunded';
  /** Below zero for what was taken back or refunded. */
  cents: Cents;
  /** The day the gift itself cleared: for what was taken back, an earlier one. */
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

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's, without letters that look like digits

/**
 * The number of a supporter's nth paper: ten letters of the supporter, then 1, 2, 3 ... without a gap. Nobody else's
 * begins with the same letters (50 bits of their id), so it is unique in the whole product without a counter for all.
 */
export function receiptNumber(supporterId: string, nth: number): string {
  let rest = BigInt(`0x${supporterId.replaceAll('-', '')}`) >> 78n;
  let code = '';
  for (let at = 0; at < 10; at += 1) {
    code = letters[Number(rest & 31n)] + code;
    rest >>= 5n;
  }
  return `${code.slice(0, 5)}-${code.slice(5)}-${String(nth).padStart(4, '0')}`;
}
