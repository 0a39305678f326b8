import { BrandMark } from '#features/tenants/brand-logo.tsx';
import { Rings } from '#features/tenants/rings.tsx';
import { Money } from '#ui/money.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import styles from './total-card.module.css';

/** The logo and everything donated so far. */
export const TotalCard = ({ donatedCents }: { donatedCents: number | undefined }) => (
  <section className={styles.card} aria-label="Total">
    <Rings className={styles.rings} />
    <BrandMark />
    <div>
      <p className={styles.label}>Total Donated To Date</p>
      <p className={styles.figure}>
        {donatedCents === undefined ? <Skeleton width="5ch" height="0.75em" /> : <Money amountCents={donatedCents} />}
      </p>
    </div>
  </section>
);
