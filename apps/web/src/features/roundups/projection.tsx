import { retrieveWeeklyOutlook, type WeeklyProjection } from '@sparechange/contract';
import {
  type Cents,
  cents,
  formatCents,
  isoDate,
  leftOfLimit,
  noCents,
  type RoundUpStep,
  shortDay,
  type WeeklyLimit,
} from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '#api/query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import styles from './projection.module.css';

export interface ProjectionProps {
  /** The control it belongs to. */
  of: 'step' | 'limit';
  step: RoundUpStep;
  limit: WeeklyLimit;
  /** The limit that switching on begins with. */
  usual?: WeeklyLimit;
}

/** Shows a control's past effect before it is touched, and the use of the limit. */
export default function Projection({ of, step, limit, usual = 1000 }: ProjectionProps) {
  const { cdrid } = useCaller();
  const { data } = useQuery(queryOf(retrieveWeeklyOutlook, { cdrid }, ({ weeklyOutlook }) => weeklyOutlook));
  if (!data) return null;
  const { lookingBack } = data;
  return (
    <>
      {of === 'limit' && limit > 0 && <LimitMeter limit={limit} {...data} />}
      <p className={styles.projection}>
        {of === 'step'
          ? lookingBack
            ? stepProjection(lookingBack, limit)
            : firstWeek
          : lookingBack
            ? limitProjection(lookingBack, step, limit, usual)
            : limitRule(limit)}
      </p>
    </>
  );
}

type LimitMeterProps = Pick<WeeklyProjection, 'usedCents' | 'startsAgainOn'> & { limit: WeeklyLimit };

/** Shows the limit's use, its rest, and its next start. */
function LimitMeter({ limit, usedCents, startsAgainOn }: LimitMeterProps) {
  const words = `${formatCents(usedCents)} used, ${formatCents(leftOfLimit(usedCents, limit))} left`;
  return (
    <div>
      <meter
        className={styles.meter}
        style={{ backgroundSize: `${Math.min(100, (usedCents / limit) * 100)}% 100%` }}
        aria-label="Weekly limit"
        max={limit}
        value={usedCents}
        aria-valuetext={words}
      />
      <p className={styles.used}>
        <span>{words}</span> <span className={styles.again}>Resets {shortDay(isoDate(startsAgainOn))}</span>
      </p>
    </div>
  );
}

type LookingBack = NonNullable<WeeklyProjection['lookingBack']>;

const centsWith = ({ weeks }: LookingBack, step: RoundUpStep, limit: WeeklyLimit): Cents =>
  weeks.find(({ stepCents, limitCents }) => stepCents === step && limitCents === limit)?.cents ?? noCents;

const weekWith = (lookingBack: LookingBack, step: RoundUpStep, limit: WeeklyLimit): string =>
  formatCents(centsWith(lookingBack, step, limit));

function basedOn({ days, wholeWeeks }: LookingBack): string {
  if (wholeWeeks === null) return `Based on your last ${days} days:`;
  return wholeWeeks === 1 ? 'Based on last week:' : `Based on your last ${wholeWeeks} weeks:`;
}

const steps = [100, 200, 500] as const;
const limits = [750, 1000, 1250] as const;

/** "$10", or "$7.50". */
const inShort = (limit: WeeklyLimit): string => formatCents(cents(limit)).replace('.00', '');

/** Names the limit where it makes any step's week less: " (with your $10 limit)". */
function withLimit(lookingBack: LookingBack, limit: WeeklyLimit): string {
  const isLess = steps.some((step) => centsWith(lookingBack, step, limit) < centsWith(lookingBack, step, 0));
  return limit > 0 && isLess ? ` (with your ${inShort(limit)} limit)` : '';
}

/** Replaces the sentence on the steps until past days exist. */
const firstWeek = "In a week you'll see what each choice would give.";

/** Returns the limit's rule, shown until there are past days. */
const limitRule = (limit: WeeklyLimit): string =>
  limit === 0 ? 'No limit: every round-up counts.' : 'Round-ups above it are dropped, never debited.';

/** Returns the sentence on each step under the present limit. */
export function stepProjection(lookingBack: LookingBack, limit: WeeklyLimit): string {
  const [one, two, five] = steps.map((step) => weekWith(lookingBack, step, limit));
  const named = withLimit(lookingBack, limit);
  if (one === two && two === five) return `${basedOn(lookingBack)} about ${one} a week${named}, whichever you choose.`;
  return `${basedOn(lookingBack)} about ${one} a week at $1, ${two} at $2, ${five} at $5${named}.`;
}

/**
 * Returns the sentence on each limit that makes a week less at the current step; while no limit is set, the comparison
 * is with the default limit.
 */
export function limitProjection(
  lookingBack: LookingBack,
  step: RoundUpStep,
  limit: WeeklyLimit,
  usual: WeeklyLimit,
): string {
  const week = (other: WeeklyLimit) => weekWith(lookingBack, step, other);
  const free = week(0);
  const lower = (limit === 0 ? [usual] : limits).filter((other) => week(other) !== free);
  if (lower.length === 0) return `A ${inShort(limit || usual)} limit wouldn't change much.`;
  const named = lower.map(
    (other, at) => `${week(other)} ${at === 0 ? 'a week with a limit of' : 'with'} ${formatCents(cents(other))}, `,
  );
  return `${limit === 0 ? 'About' : `${basedOn(lookingBack)} about`} ${named.join('')}${free} without.`;
}
