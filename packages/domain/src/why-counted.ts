import type { NotRounded } from './eligibility.ts';
import type { Cents } from './money.ts';

/** Reasons why a line counts other cents than expected. */
export type Why =
  | 'exact amount'
  | 'over the weekly limit'
  | 'refunded'
  | 'a refund'
  | 'paused'
  | 'a bill'
  | 'not a purchase'
  | 'waiting for your bank';

/** Returns why some spare change does not count; else undefined. */
export function whyNotFullyCounted(roundUp: { raw: Cents; counted: Cents; isRefunded: boolean }): Why | undefined {
  if (roundUp.isRefunded) return 'refunded';
  if (roundUp.raw === 0) return 'exact amount';
  return roundUp.counted < roundUp.raw ? 'over the weekly limit' : undefined;
}

/** Why a line that was seen at the bank gave no round-up: what is worth telling its owner. */
export type IneligibleReason = Extract<NotRounded, 'pending' | 'not a payment' | 'bill payment'> | 'paused';

const whyByReason: Record<IneligibleReason, Why> = {
  pending: 'waiting for your bank',
  'not a payment': 'not a purchase',
  'bill payment': 'a bill',
  paused: 'paused',
};

export const whyIneligible = (reason: IneligibleReason): Why => whyByReason[reason];

/** Returns whether a line is worth recording; incoming money, our own debits and lines without an amount are not. */
export const isWorthRecording = (reason: NotRounded): reason is Exclude<IneligibleReason, 'paused'> =>
  reason in whyByReason;
