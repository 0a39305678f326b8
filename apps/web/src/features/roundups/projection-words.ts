import type { WeeklyOutlook } from '@sparechange/contract';
import { cents, formatCents, noCents, type RoundUpStep, type WeeklyLimit } from '@sparechange/domain';

type LookingBack = NonNullable<WeeklyOutlook['lookingBack']>;

const weekWith = ({ weeks }: LookingBack, step: RoundUpStep, limit: WeeklyLimit): string =>
  formatCents(weeks.find(({ stepCents, limitCents }) => stepCents === step && limitCents === limit)?.cents ?? noCents);

const basedOn = ({ days }: LookingBack): string => `Based on your last ${days} days:`;

/** Stands in the place of the sentence on the steps until there are days to look back on. */
export const firstWeek = 'After a week, this line shows what each choice gives.';

/** Returns the limit's rule, shown until there are past days. */
export const limitRule = (limit: WeeklyLimit): string =>
  limit === 0 ? 'Every round-up counts, however many a week has.' : 'Round-ups above it are dropped, never debited.';

/** Says once what would be said of every limit. */
const underEvery = (week: string): string => `Your usual ${week} a week is under every limit.`;

/** Returns the sentence on each step under the present limit. */
export function stepOutlook(lookingBack: LookingBack, limit: WeeklyLimit): string {
  const [one, two, five] = ([100, 200, 500] as const).map((step) => weekWith(lookingBack, step, limit));
  if (one === two && two === five) return `${basedOn(lookingBack)} about ${one} a week, whichever you choose.`;
  return `${basedOn(lookingBack)} about ${one} a week at $1, ${two} at $2, ${five} at $5.`;
}

/**
 * Returns the sentence on each limit, at the step as it is; while there is none, on the one that switching on begins
 * with.
 */
export function limitOutlook(
  lookingBack: LookingBack,
  step: RoundUpStep,
  limit: WeeklyLimit,
  usual: WeeklyLimit,
): string {
  const week = (other: WeeklyLimit) => weekWith(lookingBack, step, other);
  const free = week(0);
  if (([750, 1000, 1250] as const).every((other) => week(other) === free)) return underEvery(free);
  const last = `${basedOn(lookingBack)} about`;
  if (limit === 0)
    return `${last} ${week(usual)} a week with a limit of ${formatCents(cents(usual))}, ${week(0)} without.`;
  return `${last} ${week(750)} a week with a limit of $7.50, ${week(1000)} with $10.00, ${week(1250)} with $12.50, ${week(0)} without.`;
}
