import { type Cents, noCents } from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clubQuery } from '#features/clubs/clubs-query.ts';
import { SupportedMark } from '#features/clubs/supported-mark.tsx';
import { useCaller } from '#features/identity/caller.tsx';
import { Rings } from '#features/tenants/brand-logo.tsx';
import { Skeleton } from '#ui/card.tsx';
import { Money } from '#ui/money.tsx';
import { NotLoaded, RetryButton, type RetryProps } from '#ui/retry.tsx';
import { useIsOffline } from '#ui/status-line.tsx';
import { messages } from '../../messages.ts';
import { arrivedCents, inFlightWords, yearToDateQuery } from './history-queries.ts';
import { useMoment } from './moment.ts';
import styles from './summary-card.module.css';

const name = <Skeleton width={168} height={18} />;
const waiting = <Skeleton width="5ch" height="0.75em" />;

const clubFailed = (
  <span role="alert" className={styles.clubProblem}>
    <NotLoaded>{messages.clubsFailed}</NotLoaded>
  </span>
);

/** Stands for the name of a club whose supporter could not be loaded. */
const Unknown = () => (useIsOffline() ? <span className={styles.clubProblem}>{messages.offline}</span> : '–');

interface SummaryCardProps {
  /** Undefined while loading, null if unavailable. */
  clubId: string | null | undefined;
}

interface SoFarProps extends SummaryCardProps {
  /** Waits for the next debit; undefined while loading, null where nothing can be debited. */
  waitingCents: Cents | null | undefined;
}

/** Shows the club and the amount so far, and before the first debit the amount that waits for it. */
export function SummaryCard({ clubId, waitingCents }: SoFarProps) {
  const { cdrid } = useCaller();
  const club = useQuery({ ...clubQuery(clubId ?? ''), enabled: Boolean(clubId) });
  const donated = useQuery(yearToDateQuery(cdrid));
  const moment = useMoment(donated.data && arrivedCents(donated.data));
  const isBeforeFirst = donated.data && (donated.data.allTimeCents ?? donated.data.cents) === 0;
  if (isBeforeFirst && waitingCents)
    return (
      <SummaryFrame
        label="Ready for your first debit"
        clubId={clubId}
        club={club.data?.name ?? (club.isError ? clubFailed : name)}
        figure={<Money amountCents={waitingCents} />}
        note={
          <dl className={styles.soFar}>
            <dt>Donated This Year</dt>{' '}
            <dd>
              <Money amountCents={noCents} />
            </dd>
          </dl>
        }
      />
    );
  return (
    <SummaryFrame
      label="Donated This Year"
      isCheered={moment !== undefined}
      clubId={clubId}
      toDate={donated.data?.allTimeCents}
      club={club.data?.name ?? (club.isError ? clubFailed : clubId === null ? <Unknown /> : name)}
      aside={club.isError && !club.data && <RetryButton onRetry={club.refetch} />}
      figure={
        donated.data !== undefined && !(isBeforeFirst && waitingCents === undefined) ? (
          <Money amountCents={donated.data.cents} />
        ) : donated.isError ? (
          <Problem onRetry={donated.refetch} />
        ) : (
          waiting
        )
      }
      note={moment ?? (donated.data && inFlightWords(donated.data, 'Nothing debited yet this year'))}
    />
  );
}

/** In the figure's place, and no taller than it. */
const Problem = ({ onRetry }: RetryProps) => (
  <span role="alert" className={styles.problem}>
    <span>
      <NotLoaded>{messages.dashboardFailed}</NotLoaded>
    </span>
    <RetryButton onRetry={onRetry} />
  </span>
);

interface SummaryFrameProps extends SummaryCardProps {
  label: string;
  club?: ReactNode;
  /** At the end of the club's line. */
  aside?: ReactNode;
  figure?: ReactNode;
  /** Beside the label, where it differs from the figure. */
  toDate?: Cents | undefined;
  /** Beneath the figure. */
  note?: ReactNode;
  /** Sets the rings in motion, once. */
  isCheered?: boolean;
}

/** The card alone, with stand-ins for facts not yet known. */
export const SummaryFrame = ({
  label,
  clubId,
  club = name,
  aside,
  figure = waiting,
  toDate,
  note,
  isCheered = false,
}: SummaryFrameProps) => (
  <section className={styles.card} aria-label="Summary">
    <Rings className={isCheered ? `${styles.rings} ${styles.cheered}` : styles.rings} />
    <div className={styles.club}>
      <SupportedMark clubId={clubId} />
      <dl>
        <dt className={styles.label}>Supporting:</dt>
        <dd className={styles.name}>{club}</dd>
      </dl>
      {aside}
    </div>
    <div className={styles.donated}>
      <dl>
        <dt className={styles.label}>{label}</dt>
        <dd className={styles.figure}>{figure}</dd>
        <dd className={styles.note}>{note}</dd>
      </dl>
      {toDate !== undefined && (
        <dl className={styles.toDate}>
          <dt>To Date</dt>
          <dd>
            <Money amountCents={toDate} />
          </dd>
        </dl>
      )}
    </div>
  </section>
);
