import { daysBetween, type IsoDate } from './days.ts';
import type { StatementLine } from './eligibility.ts';
import type { Cents } from './money.ts';

/** A purchase or a credit, by what makes a refund: where, when, how much and the merchant's text. */
export interface Refundable {
  account: string;
  day: IsoDate;
  amount: Cents;
  text: string;
}

/** Days after a purchase for a matching full refund. */
export const purchaseRefundDays = 60;

/** Only posted, incoming Australian dollars may be a refund. */
export const mayBePurchaseRefund = ({ status, direction, currency, amount }: StatementLine): boolean =>
  status === 'posted' && direction === 'credit' && currency === 'AUD' && amount > 0;

/** Returns whether a credit equals a purchase in amount, account and text, up to 60 days after it. */
export function isPurchaseRefundOf(credit: Refundable, purchase: Refundable): boolean {
  const days = daysBetween(purchase.day, credit.day);
  return (
    days >= 0 &&
    days <= purchaseRefundDays &&
    credit.account === purchase.account &&
    credit.amount === purchase.amount &&
    credit.text === purchase.text
  );
}

const byDay = (one: Refundable, other: Refundable): number => daysBetween(other.day, one.day);

/**
 * Pairs credits with the purchases they pay back, each at most once: the oldest credit with the oldest purchase it can
 * be for, which pairs as many as can be paired.
 */
export function matchPurchaseRefunds<Credit extends Refundable, Purchase extends Refundable>(
  credits: readonly Credit[],
  purchases: readonly Purchase[],
): { credit: Credit; purchase: Purchase }[] {
  const open = purchases.toSorted(byDay);
  return credits.toSorted(byDay).flatMap((credit) => {
    const place = open.findIndex((purchase) => isPurchaseRefundOf(credit, purchase));
    return place < 0 ? [] : open.splice(place, 1).map((purchase) => ({ credit, purchase }));
  });
}
