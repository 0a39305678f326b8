import { BrandMark } from '#features/tenants/brand-logo.tsx';
import { Rings } from '#features/tenants/rings.tsx';
import { Money } from '#ui/money.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import styles from './total-card.module.css';

interface TotalCardProps {
  donatedCents: number | undefined;
  /** Round-ups that wait for their debit; they are not in the total yet. */
  pendingCents: number | undefined;
}

/** The logo, everything donated so far, and what is on its way. */
export const TotalCard = ({ donatedCents, pendingCents }: TotalCardProps) => (
  <section className={styles.card} aria-label="Total">
    <Rings className={styles.rings} />
    <BrandMark />
    <div>
      <p className={styles.label}>Total Donated To Date</p>
      <p className={styles.figure}>
        {donatedCents === undefined ? <Skeleton width="5ch" height="0.75em" /> : <Money amountCents={donatedCents} />}
      </p>
      <p className={styles.pending}>
        {pendingCents === undefined ? (
          <Skeleton width="11ch" height="0.75em" />
        ) : (
          <>
            Waiting: <Money amountCents={pendingCents} />
          </>
        )}
      </p>
    </div>
  </section>
);
