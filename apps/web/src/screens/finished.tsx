import { type Backdating, onboardingComplete, retrieveBackdating } from '@sparechange/contract';
import { formatCents, isoDate, shortDay } from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { queryOf } from '#api/query.ts';
import { clubQuery } from '#features/clubs/clubs-query.ts';
import { ShareClub } from '#features/clubs/share-club.tsx';
import { SummaryFrame } from '#features/history/summary-card.tsx';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { firstVisit } from '#features/identity/use-first-sync.ts';
import { useUserSetting } from '#features/identity/use-user-setting.ts';
import { SettingUpStepper } from '#features/onboarding/onboarding-stepper.tsx';
import { markFinished, StepActions, StepPage } from '#features/onboarding/step-page.tsx';
import { useOnboardingState } from '#features/onboarding/use-onboarding-state.ts';
import { Button } from '#ui/button.tsx';
import { FormProblem, Help } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { WaitingPage } from '#ui/waiting.tsx';
import { messages } from '../messages.ts';
import styles from './finished.module.css';

/** Onboarding complete — /finished. Leads to a missing step, if any. */
export default function Finished() {
  return (
    <RequireSession waiting={<WaitingPage />}>
      <OnceSetUp />
    </RequireSession>
  );
}

function OnceSetUp() {
  const { cdrid } = useCaller();
  const state = useOnboardingState();
  if (state.kind === 'loading') return <WaitingPage />;
  if (state.kind === 'unknown') {
    return (
      <StepPage stepper={null} title="Setting Up">
        <TryAgain onRetry={state.retry}>{messages.dashboardFailed}</TryAgain>
      </StepPage>
    );
  }
  switch (state.missing) {
    case 'bank':
      return <Navigate to="/launch-consent" replace />;
    case 'round-up accounts':
      return <Navigate to="/roundup-accounts" replace />;
    case 'funding account':
      return <Navigate to="/funding-accounts" replace state={{ accounts: state.accounts, cdrid }} />;
    case undefined:
      return (
        <StepPage stepper={<SettingUpStepper active={4} />} title="Thankyou">
          <p>Onboarding has been complete:</p>
          <WhatBegins clubId={state.user.supportingClubId} hadAnswered={state.user.onboardingComplete} />
          <p>Would you like to backdate your round-ups from the start of this month?</p>
          <Backdate hadAnswered={state.user.onboardingComplete} />
          <Share clubId={state.user.supportingClubId} />
        </StepPage>
      );
  }
}

/** Shows the effect of the answer before it is given. */
function WhatYesAdds() {
  const { data, isPending } = useBackdating();
  return (
    <div role="status" className={styles.adds}>
      <Help>{isPending ? 'Looking at your purchases…' : backdatingWords(data?.backdating ?? null)}</Help>
    </div>
  );
}

function useBackdating() {
  const { cdrid } = useCaller();
  return useQuery({ ...queryOf(retrieveBackdating, { cdrid }, (answer) => answer), retry: false });
}

/** Shows the club and the day of the first debit to a supporter who has not answered yet. */
function WhatBegins({ clubId, hadAnswered }: { clubId: string; hadAnswered: boolean }) {
  const [isAnswered] = useState(hadAnswered);
  const club = useQuery(clubQuery(clubId));
  const { data, isPending } = useBackdating();
  const day = data?.firstDebitOn;
  if (isAnswered) return null;
  return (
    <SummaryFrame
      label="First debit"
      clubId={clubId}
      club={club.data?.name ?? (club.isError ? '–' : undefined)}
      figure={isPending ? undefined : day ? <span className={styles.day}>{shortDay(isoDate(day))}</span> : 'Soon'}
      note="At the earliest"
    />
  );
}

function Share({ clubId }: { clubId: string }) {
  const { data } = useQuery(clubQuery(clubId));
  return data && <ShareClub name={data.name} slug={data.slug} />;
}

/** Asks once; says so if an earlier answer stands, including one from another tab or with a lost confirmation. */
function Backdate({ hadAnswered }: { hadAnswered: boolean }) {
  const { cdrid } = useCaller();
  const [wasAnswered] = useState(hadAnswered);
  const navigate = useNavigate();
  const complete = useUserSetting(
    (syncBeginningOfMonth: boolean) => call(onboardingComplete, { cdrid, syncBeginningOfMonth }),
    { hasWords: true },
  );
  const goOn = () => {
    markFinished();
    void navigate('/dashboard', { replace: true, state: firstVisit });
  };
  const isOwn = complete.isPending || complete.isSuccess;
  const isAnswered = wasAnswered || (hadAnswered && !isOwn);
  const answer = (isYes: boolean) => complete.isPending || complete.mutate(isYes, { onSuccess: goOn });

  return (
    <>
      {isAnswered ? <Help>You have answered this before, and your answer stays as it is.</Help> : <WhatYesAdds />}
      <FormProblem words={messages.somethingWrong} isShown={complete.isError} />
      <StepActions>
        <Button
          isBusy={complete.isPending && complete.variables}
          disabled={complete.isPending}
          onClick={() => answer(true)}
        >
          Yes
        </Button>
        <Button
          look="secondary"
          isBusy={complete.isPending && !complete.variables}
          disabled={complete.isPending}
          onClick={() => answer(false)}
        >
          No
        </Button>
      </StepActions>
    </>
  );
}

/** Shown until the bank answers. */
const notKnown = 'What this adds shows on your dashboard a moment later.';

/** Says how much "Yes" adds, as far as known. */
function backdatingWords(backdating: Backdating | null): string {
  if (!backdating) return notKnown;
  const { purchases } = backdating;
  if (purchases === 0) return 'Your bank shows nothing to round up this month yet, so for now Yes adds nothing.';
  const from = purchases === 1 ? 'one purchase' : `${purchases} purchases`;
  return `Yes adds ${formatCents(backdating.cents)} from ${from} this month to your first debit.`;
}
