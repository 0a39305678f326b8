import type { WeeklyOutlook } from '@sparechange/contract';
import { formatCents, isoDate, leftOfLimit, shortDay, type WeeklyLimit } from '@sparechange/domain';
import styles from './outlook.module.css';

type LimitMeterProps = Pick<WeeklyOutlook, 'usedCents' | 'startsAgainOn'> & { limit: WeeklyLimit };

/** Shows the limit's use, its rest, and its next start. */
export function LimitMeter({ limit, usedCents, startsAgainOn }: LimitMeterProps) {
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
