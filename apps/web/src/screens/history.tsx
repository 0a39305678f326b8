import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { linesOf, notDebitedCents } from '#features/history/history-lines.ts';
import { allTimeQuery, monthlyQuery } from '#features/history/history-queries.ts';
import { HistoryTable, HistoryTableSkeleton } from '#features/history/history-table.tsx';
import { historyQuery } from '#features/history/round-up-history-query.ts';
import { TotalCard } from '#features/history/total-card.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { useAgeOfFigures } from '#features/identity/last-figures.ts';
import { userQuery } from '#features/identity/user-query.ts';
import { ReceiptsCard, receiptsQuery } from '#features/receipts/receipts-card.tsx';
import { MemberPage } from '#features/tenants/member-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import { CardSkeleton, Stack } from '#ui/card.tsx';
import { FaultBoundary } from '#ui/fault-boundary.tsx';
import { PartFault } from '#ui/opened-part.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { messages } from '../messages.ts';
import styles from './history.module.css';

const MonthsCard = lazy(() => import('#features/history/months-card.tsx'));
const waiting = (
  <div className={styles.columns}>
    <HistoryTableSkeleton />
    <CardSkeleton height={306} bars={[48]} />
  </div>
);

/** Round-Up History — /history. */
export default function History() {
  return (
    <MemberPage>
      <Stack>
        <ScreenTitle>Round-Up History</ScreenTitle>
        <RequireSession waiting={<Skeletons />}>
          <RoundUps />
        </RequireSession>
      </Stack>
    </MemberPage>
  );
}

/** Returns true where nothing loaded, not even before a failure. */
const isMissing = ({ isError, data }: UseQueryResult<unknown>): boolean => isError && data === undefined;

function RoundUps() {
  const { userId, cdrid } = useCaller();
  const user = useQuery(userQuery(userId));
  const donated = useQuery(allTimeQuery(cdrid));
  const history = useQuery(historyQuery(cdrid));
  const receipts = useQuery(receiptsQuery(cdrid));
  const months = useQuery(monthlyQuery(cdrid));
  const lines = history.data && linesOf(history.data);
  // The heights of the parts under the total depend on their answers: they appear together, so that none moves.
  const isSettled = [donated, history, receipts, months].every(({ isFetched }) => isFetched);

  useAgeOfFigures();

  const retry = () => Promise.all([donated, history, months].map(({ refetch }) => refetch()));
  return (
    <>
      <TotalCard
        clubId={user.data?.supportingClubId ?? (user.isError ? null : undefined)}
        donated={donated.isError ? (donated.data ?? null) : donated.data}
        pendingCents={lines ? notDebitedCents(lines) : history.isError ? null : undefined}
      />
      {isSettled ? (
        <Suspense fallback={waiting}>
          {(isMissing(donated) || isMissing(history)) && (
            <TryAgain onRetry={retry}>{messages.dashboardFailed}</TryAgain>
          )}
          <div className={styles.columns}>
            {history.data && lines && (
              <Stack>
                <p className={styles.jump}>
                  <a href="#receipts">Receipts</a>
                </p>
                <HistoryTable
                  all={lines}
                  olderLinesLeftOut={history.data.olderLinesLeftOut}
                  bankDataDeletedOn={history.data.bankDataDeletedOn}
                />
              </Stack>
            )}
            <Stack>
              {months.data && months.data.length > 0 && (
                <FaultBoundary fault={<PartFault />}>
                  <MonthsCard months={months.data} />
                </FaultBoundary>
              )}
              <div id="receipts" className={styles.receipts}>
                <ReceiptsCard receipts={receipts} lines={lines ?? []} />
              </div>
            </Stack>
          </div>
        </Suspense>
      ) : (
        waiting
      )}
    </>
  );
}

const Skeletons = () => (
  <>
    <TotalCard clubId={undefined} donated={undefined} pendingCents={undefined} />
    {waiting}
  </>
);
