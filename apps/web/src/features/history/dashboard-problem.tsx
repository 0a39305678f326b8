import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '#features/identity/caller.tsx';
import { TryAgain } from '#ui/try-again.tsx';
import { messages } from '../../messages.ts';
import { monthlyQuery, yearToDateQuery } from './history-queries.ts';

interface DashboardProblemProps {
  isUserMissing: boolean;
  onRetry: () => void;
}

/** The user failing and the figures failing have messages of their own (spec section 8). */
export function DashboardProblem({ isUserMissing, onRetry }: DashboardProblemProps) {
  const { cdrid } = useCaller();
  const client = useQueryClient();
  const year = useQuery(yearToDateQuery(cdrid));
  const months = useQuery(monthlyQuery(cdrid));
  if (!isUserMissing && !year.isError && !months.isError) return null;

  function retry() {
    onRetry();
    void client.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }
  return (
    <div style={{ marginTop: 24 }}>
      <TryAgain onRetry={retry}>{isUserMissing ? messages.registerFailed : messages.dashboardFailed}</TryAgain>
    </div>
  );
}
