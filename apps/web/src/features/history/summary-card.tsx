import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clubQuery } from '#features/clubs/clubs-query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { BrandMark } from '#features/tenants/brand-logo.tsx';
import { Rings } from '#features/tenants/rings.tsx';
import { Money } from '#ui/money.tsx';
import { RetryButton, type RetryProps } from '#ui/retry-button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { messages } from '../../messages.ts';
import { yearToDateQuery } from './history-queries.ts';
import styles from './summary-card.module.css';

const name = <Skeleton width={168} height={18} />;
const figure = <Skeleton width="5ch" height="0.75em" />;

interface SummaryCardProps {
  /** Undefined while it is on its way, null when it cannot be had. */
  clubId: string | null | undefined;
}

/** Whom do I support, and how much so far: the dashboard's answer at a glance. */
export function SummaryCard({ clubId }: SummaryCardProps) {
  const { cdrid } = useCaller();
  const club = useQuery({ ...clubQuery(clubId ?? ''), enabled: Boolean(clubId) });
  const donated = useQuery(yearToDateQuery(cdrid));
  return (
    <SummaryFrame
      label="Donated This Year"
      club={club.data?.name ?? (club.isError || clubId === null ? '–' : name)}
      donated={
        donated.isError ? (
          <Problem onRetry={donated.refetch} />
        ) : donated.data === undefined ? (
          figure
        ) : (
          <Money amountCents={donated.data} />
        )
      }
    />
  );
}

/** In the figure's place, and no taller than it. */
const Problem = ({ onRetry }: RetryProps) => (
  <span role="alert" className={styles.problem}>
    <span>{messages.dashboardFailed}</span>
    <RetryButton onRetry={onRetry} />
  </span>
);

interface SummaryFrameProps {
  label: string;
  club?: ReactNode;
  donated?: ReactNode;
}

/** The card by itself, with stand-ins for what is not known yet. */
export const SummaryFrame = ({ label, club = name, donated = figure }: SummaryFrameProps) => (
  <section className={styles.card} aria-label="Summary">
    <Rings className={styles.rings} />
    <div className={styles.club}>
      <BrandMark />
      <div>
        <p className={styles.label}>Supporting:</p>
        <p className={styles.name}>{club}</p>
      </div>
    </div>
    <div className={styles.donated}>
      <p className={styles.label}>{label}</p>
      <p className={styles.figure}>{donated}</p>
    </div>
  </section>
);
