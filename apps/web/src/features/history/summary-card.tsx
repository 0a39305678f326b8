import { useQuery } from '@tanstack/react-query';
import { clubQuery } from '#features/clubs/clubs-query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { BrandMark } from '#features/tenants/brand-logo.tsx';
import { Rings } from '#features/tenants/rings.tsx';
import { Money } from '#ui/money.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { yearToDateQuery } from './history-queries.ts';
import styles from './summary-card.module.css';

/** Whom do I support, and how much so far: the dashboard's answer at a glance. */
export function SummaryCard({ clubId }: { clubId: string | undefined }) {
  const { cdrid } = useCaller();
  const club = useQuery({ ...clubQuery(clubId ?? ''), enabled: clubId !== undefined });
  const donated = useQuery(yearToDateQuery(cdrid));
  return (
    <section className={styles.card} aria-label="Summary">
      <Rings className={styles.rings} />
      <div className={styles.club}>
        <BrandMark />
        <div>
          <p className={styles.label}>Supporting:</p>
          <p className={styles.name}>{club.data?.name ?? (club.isError ? '' : <Skeleton width={168} height={18} />)}</p>
        </div>
      </div>
      <div>
        <p className={styles.label}>Donated This Year</p>
        <p className={styles.figure}>
          {donated.data === undefined ? <Skeleton width="5ch" height="0.75em" /> : <Money amountCents={donated.data} />}
        </p>
      </div>
    </section>
  );
}
