import { useQuery } from '@tanstack/react-query';
import { useCaller } from '#features/identity/caller.tsx';
import { Card, Skeleton } from '#ui/card.tsx';
import { Money } from '#ui/money.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { useIsOffline } from '#ui/status-line.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import styles from './donation-history-card.module.css';
import { monthlyQuery } from './history-queries.ts';
import { monthsNewestFirst } from './newest-first.ts';

/** Each month as "monthYear: $total", newest first, with a bar that shows its share of the largest. */
export function DonationHistoryCard() {
  const { cdrid } = useCaller();
  const months = useQuery(monthlyQuery(cdrid));
  const isOffline = useIsOffline();
  const most = Math.max(1, ...(months.data ?? []).map(({ totalDebitAmount }) => totalDebitAmount));
  return (
    <Card title="Donation History" control={<TextLink to="/history">View All</TextLink>}>
      {months.isPending && (
        <ul className={styles.list} aria-hidden="true">
          {[0, 1, 2].map((row) => (
            <li key={row}>
              <Skeleton width="45%" height={14} />
            </li>
          ))}
        </ul>
      )}
      {months.isError && !months.data && <TryAgain onRetry={months.refetch}>{messages.dashboardFailed}</TryAgain>}
      {months.data?.length === 0 && (
        <p className={styles.empty}>
          {isOffline
            ? 'Nothing had been debited when this was loaded.'
            : 'Your donations appear here, month by month, after your first debit.'}
        </p>
      )}
      {months.data && months.data.length > 0 && (
        <ul className={styles.list}>
          {monthsNewestFirst(months.data).map(({ monthYear, totalDebitAmount }) => (
            <li key={monthYear}>
              <span className={styles.month}>{monthYear}:</span>{' '}
              <Money amountCents={totalDebitAmount} className={styles.amount} />
              <span className={styles.track} aria-hidden="true">
                {totalDebitAmount > 0 && (
                  <span className={styles.bar} style={{ width: `${(totalDebitAmount / most) * 100}%` }} />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
