import type { Cents } from '@sparechange/domain';
import type { ReactNode } from 'react';
import { SupportedMark } from '#features/clubs/supported-mark.tsx';
import { Rings } from '#features/tenants/brand-logo.tsx';
import { Skeleton } from '#ui/card.tsx';
import { Money } from '#ui/money.tsx';
import { type Donated, inFlightWords } from './history-queries.ts';
import styles from './total-card.module.css';

interface TotalCardProps {
  /** The supported club; undefined while loading, null if unavailable. */
  clubId: string | null | undefined;
  /** Undefined while loading, null if unavailable. */
  donated: Donated | null | undefined;
  /** Round-ups waiting for their debit, not yet in the total. */
  pendingCents: Cents | null | undefined;
}

interface FigureProps {
  amountCents: Cents | null | undefined;
  standIn: ReactNode;
}

function Figure({ amountCents, standIn }: FigureProps) {
  if (amountCents === undefined) return standIn;
  return amountCents === null ? '–' : <Money amountCents={amountCents} />;
}

/** The marks, the total so far and the amounts coming. */
export const TotalCard = ({ clubId, donated, pendingCents }: TotalCardProps) => (
  <section className={styles.card} aria-label="Total">
    <Rings className={styles.rings} />
    <SupportedMark clubId={clubId} />
    <div>
      <p className={styles.label}>Total Donated To Date</p>
      <p className={styles.figure}>
        <Figure
          amountCents={donated === null ? null : donated?.cents}
          standIn={<Skeleton width="5ch" height="0.75em" />}
        />
      </p>
      <p className={styles.inFlight}>
        {donated === undefined ? (
          <Skeleton width="14ch" height="0.75em" />
        ) : (
          donated && inFlightWords(donated, 'Nothing debited yet')
        )}
      </p>
      <p className={styles.pending}>
        Waiting: <Figure amountCents={pendingCents} standIn={<Skeleton width="4ch" height="0.75em" />} />
      </p>
    </div>
  </section>
);
