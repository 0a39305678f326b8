import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { BankPromptModal } from '#features/consent/bank-prompt-modal.tsx';
import { DonateCard } from '#features/donations/donate-card.tsx';
import { DashboardProblem } from '#features/history/dashboard-problem.tsx';
import { DonationHistoryCard } from '#features/history/donation-history-card.tsx';
import { SummaryCard, SummaryFrame } from '#features/history/summary-card.tsx';
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
    <MemberPage>
      <ScreenTitle>Dashboard</ScreenTitle>
      <RequireSession waiting={<Skeletons />}>
        <Cards />
      </RequireSession>
    </MemberPage>
  );
}

function Cards() {
  const { userId } = useCaller();
  const { data: user, isError, refetch } = useQuery(userQuery(userId));
  return (
    <>
      <DashboardProblem isUserMissing={isError && !user} onRetry={() => void refetch()} />
      <Columns
        left={
          <>
            <SummaryCard clubId={user?.supportingClubId} />
            {user ? <RoundUpsCard user={user} /> : <CardSkeleton height={416} />}
          </>
        }
        right={
          user || isError ? (
            <>
              {hasSavings() && (user ? <SavingsCard user={user} /> : <CardSkeleton height={270} />)}
              <DonateCard />
              <DonationHistoryCard />
            </>
          ) : (
            <RightSkeletons />
          )
        }
      />
      {user && <BankPromptModal user={user} />}
    </>
  );
}

const Skeletons = () => (
  <Columns
    left={
      <>
        <SummaryFrame label="Donated This Year" />
        <CardSkeleton height={416} />
      </>
    }
    right={<RightSkeletons />}
  />
);

/** How tall the savings card is depends on the supporter, so what stands under it appears with it and never moves. */
const RightSkeletons = () => (
  <>
    {hasSavings() && <CardSkeleton height={270} />}
    <CardSkeleton height={146} />
    <CardSkeleton height={240} />
  </>
);

const Columns = ({ left, right }: { left: ReactNode; right: ReactNode }) => (
  <div className={styles.columns}>
    <div className={styles.column}>{left}</div>
    <div className={styles.column}>{right}</div>
  </div>
);
