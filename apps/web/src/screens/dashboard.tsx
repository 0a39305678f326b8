import { useQuery } from '@tanstack/react-query';
import { BankPromptModal } from '#features/consent/bank-prompt-modal.tsx';
import { DonateCard } from '#features/donations/donate-card.tsx';
import { DashboardProblem } from '#features/history/dashboard-problem.tsx';
import { DonationHistoryCard } from '#features/history/donation-history-card.tsx';
import { SummaryCard } from '#features/history/summary-card.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { RoundUpsCard } from '#features/roundups/round-ups-card.tsx';
import { SavingsCard } from '#features/savings/savings-card.tsx';
import { hasSavings } from '#features/savings/savings-query.ts';
import { MemberPage } from '#features/tenants/member-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import { CardSkeleton } from '#ui/card-skeleton.tsx';
import styles from './dashboard.module.css';

/** Dashboard — /dashboard (spec section 2). */
export default function Dashboard() {
  return (
    <RequireSession>
      <MemberPage>
        <ScreenTitle>Dashboard</ScreenTitle>
        <Cards />
      </MemberPage>
    </RequireSession>
  );
}

function Cards() {
  const { userId } = useCaller();
  const { data: user, isError, refetch } = useQuery(userQuery(userId));
  return (
    <>
      <DashboardProblem isUserMissing={isError && !user} onRetry={() => void refetch()} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <SummaryCard clubId={user?.supportingClubId} />
          {user ? <RoundUpsCard user={user} /> : <CardSkeleton height={334} />}
        </div>
        <div className={styles.column}>
          <DonateCard />
          <DonationHistoryCard />
          {hasSavings() && (user ? <SavingsCard user={user} /> : <CardSkeleton height={190} />)}
        </div>
      </div>
      {user && <BankPromptModal user={user} />}
    </>
  );
}
