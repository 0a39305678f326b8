import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ClubCard } from '#features/clubs/club-card.tsx';
import { useBankPrompt } from '#features/consent/bank-prompt.ts';
import { BankPromptQuestion } from '#features/consent/bank-prompt-question.tsx';
import { ConsentLine } from '#features/consent/consent-line.tsx';
import { DonateCard } from '#features/donations/donate-card.tsx';
import { DonationHistoryCard } from '#features/history/donation-history-card.tsx';
import { monthlyQuery } from '#features/history/history-queries.ts';
import { SummaryCard, SummaryFrame } from '#features/history/summary-card.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { useAgeOfFigures } from '#features/identity/last-figures.ts';
import { useFirstSync } from '#features/identity/use-first-sync.ts';
import { userQuery } from '#features/identity/user-query.ts';
import { RoundUpsCard } from '#features/roundups/round-ups-card.tsx';
import { SavingsCard } from '#features/savings/savings-card.tsx';
import { CampaignEndedCard } from '#features/tenants/campaign-ended-card.tsx';
import { MemberPage } from '#features/tenants/member-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import { hasSavings } from '#tenant/pages.ts';
import { CardSkeleton } from '#ui/card.tsx';
import { Missing } from '#ui/retry.tsx';
import { slides } from '#ui/slides.ts';
import { messages } from '../messages.ts';
import styles from './dashboard.module.css';

/** Heights of cards' contents with round-ups on and savings off. */
const bars = { roundUps: [48, 162, 130], savings: [44, 48], donate: [48], history: [32, 32, 32] };

/** Beside words that the specification also uses for registering. */
const loadHelp = 'Your account could not be loaded just now. Nothing about it has changed.';

/** Height of the skeleton of the Round-Ups card. */
const roundUpsHeight = 470;

/** Dashboard — /dashboard. */
export default function Dashboard() {
  return (
    <MemberPage>
      <ScreenTitle>Dashboard</ScreenTitle>
      <RequireSession waiting={<Skeletons />} problem={{ words: messages.registerFailed, help: loadHelp }}>
        <Cards />
      </RequireSession>
    </MemberPage>
  );
}

function Cards() {
  const { userId, cdrid } = useCaller();
  const { data: user, errorUpdateCount, refetch } = useQuery(userQuery(userId));
  const months = useQuery(monthlyQuery(cdrid)); // the last card comes when the one above it has its height
  const isMissing = errorUpdateCount > 0 && !user; // also while it is asked for again: an open dialog stays
  const ended = user?.campaignEnded;
  const prompt = useBankPrompt(user);
  const isLooking = useFirstSync(user, userId);
  useAgeOfFigures();
  return (
    <>
      <div ref={slides} className={styles.columns}>
        <Column>
          <SummaryCard
            clubId={isMissing ? null : user?.supportingClubId}
            waitingCents={isMissing ? null : user && (user.nextDebit?.amountCents ?? null)}
          />
          {user && !ended && <ConsentLine health={user.consentHealth} />}
          {user && !ended && <RoundUpsCard user={user} lacks={prompt} isLooking={isLooking} />}
          {user && ended && (
            <CampaignEndedCard user={user} ended={ended} isSaving={hasSavings() && user.savingsAccountEnabled} />
          )}
          {isMissing && (
            <Missing height={roundUpsHeight} onRetry={refetch} help={loadHelp}>
              {messages.registerFailed}
            </Missing>
          )}
          {!user && !isMissing && <CardSkeleton bars={bars.roundUps} />}
        </Column>
        {user || isMissing ? (
          <Column key="cards">
            {user && !ended && hasSavings() && <SavingsCard user={user} />}
            {!ended && <DonateCard user={user} />}
            <DonationHistoryCard />
            {user && !ended && !months.isPending && <ClubCard clubId={user.supportingClubId} />}
          </Column>
        ) : (
          <SkeletonsOfRight key="skeletons" />
        )}
      </div>
      {prompt && !ended && <BankPromptQuestion prompt={prompt} />}
    </>
  );
}

const Skeletons = () => (
  <div ref={slides} className={styles.columns}>
    <Column>
      <SummaryFrame label="Donated This Year" clubId={undefined} />
      <CardSkeleton bars={bars.roundUps} />
    </Column>
    <SkeletonsOfRight />
  </div>
);

/**
 * Shows the skeletons of the right column. A card's height depends on the supporter, so what follows appears with it
 * and never moves.
 */
const SkeletonsOfRight = () => (
  <Column>
    {hasSavings() && <CardSkeleton bars={bars.savings} />}
    <CardSkeleton bars={bars.donate} />
    <CardSkeleton bars={bars.history} />
  </Column>
);

const Column = ({ children }: { children: ReactNode }) => (
  <div ref={slides} className={styles.column}>
    {children}
  </div>
);
