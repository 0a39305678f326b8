import { setPaused, setRoundUpAmount, setWeeklyLimit, type UserRecord } from '@sparechange/contract';
import {
  type Cents,
  formatCents,
  isoDate,
  type WeeklyLimit as Limit,
  noCents,
  type RoundUpStep,
  shortDay,
} from '@sparechange/domain';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { describeMissingAccounts } from '#features/accounts/missing-account-words.ts';
import type { BankPrompt } from '#features/consent/bank-prompt.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { useUserSetting } from '#features/identity/use-user-setting.ts';
import { NextDebitLine } from '#features/next-debit/next-debit-line.tsx';
import { askForBank } from '#features/onboarding/navigation.ts';
import { Panel, Skeleton } from '#ui/card.tsx';
import { Choice } from '#ui/choice.tsx';
import { Money } from '#ui/money.tsx';
import { FormNote, FormProblem, Warning } from '#ui/notice.tsx';
import { OpenedPart } from '#ui/opened-part.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { usePreload } from '#ui/when-idle.ts';
import { messages } from '../../messages.ts';
import { ProjectionSpace } from './projection-space.tsx';
import { debitName, ReturnedDebit, ReversedDebit } from './returned-debit.tsx';
import styles from './round-ups-card.module.css';

const loadPauseModal = () => import('./pause-modal.tsx');

const steps = [
  { value: 100, label: '$1' },
  { value: 200, label: '$2' },
  { value: 500, label: '$5' },
] as const;

/** Says why the chosen account takes no debits, and names the returned debit where it is known. */
function whyNoAccountWords({ whyNoAccount, returnedDebit }: UserRecord): string {
  if (whyNoAccount === 'mandate_cancelled') return 'Your direct debit was cancelled at your bank. ';
  if (whyNoAccount !== 'returned') return '';
  return `Your bank returned ${returnedDebit ? debitName(returnedDebit) : 'a debit'} from the account you chose. `;
}

/** On unless paused or the amount is "0" (docs/rules.md#pause). */
const areRoundUpsOn = ({ isUserPausedRoundUp, roundupAmountCents }: UserRecord): boolean =>
  !isUserPausedRoundUp && roundupAmountCents !== '0';

/** States a pause's end and the fate of waiting amounts. */
function pausedWords(until: string | undefined, waiting: Cents): string {
  const ends = until ? `Paused until ${shortDay(isoDate(until))}, when they resume. ` : '';
  if (waiting === 0) return `${ends}Nothing is waiting to be debited.`;
  return `${ends}${formatCents(waiting)} waits until ${until ? 'then' : 'you resume'}.`;
}

interface RoundUpsCardProps {
  user: UserRecord;
  /** The missing step that keeps anything from being rounded up. */
  lacks: BankPrompt | undefined;
  /** The first purchases are on their way from the bank. */
  isLooking: boolean;
}

const missingStep = {
  'no bank connection': {
    words: 'Nothing can be rounded up until your bank is connected.',
    action: 'Connect your bank',
    state: askForBank,
  },
  'finish setting up': {
    words: 'Nothing is rounded up until you have chosen your accounts.',
    action: 'Finish setting up',
    state: null,
  },
} as const;

/** Returns true where round-ups are on but nothing can be rounded up or debited. */
const isStuck = ({ isOnHold, tracksNoAccount, waitsForAccountCents, consentHealth }: UserRecord): boolean =>
  isOnHold === true ||
  tracksNoAccount === true ||
  waitsForAccountCents !== undefined ||
  consentHealth.state === 'bank ended';

export function RoundUpsCard({ user, lacks, isLooking }: RoundUpsCardProps) {
  const { cdrid } = useCaller();
  const [isAsking, setAsking] = useState(false);
  usePreload(loadPauseModal);
  const pause = useUserSetting(
    ({ isPaused, until }: { isPaused: boolean; until?: string | undefined }) =>
      call(setPaused, { cdrid, isUserPausedRoundUp: isPaused, ...(until && { until }) }),
    { hasWords: true },
  );
  const amount = useUserSetting((roundupAmountCents: RoundUpStep) =>
    call(setRoundUpAmount, { cdrid, roundupAmountCents }),
  );

  const isOn = pause.isPending ? !pause.variables.isPaused : areRoundUpsOn(user);
  const until = pause.isPending ? pause.variables.until : user.pausedUntil;
  const waiting = user.waitsForResumeCents ?? (pause.isPending ? user.nextDebit?.amountCents : undefined) ?? noCents;
  const held = user.roundupAmountCents === '0' ? 100 : user.roundupAmountCents;
  const missing = user.missingAccounts && describeMissingAccounts(user.missingAccounts);
  const step = amount.isPending ? amount.variables : held;

  return (
    <Panel label="Round-Ups">
      <Switch
        look="heading"
        label={isOn ? 'Round-Ups On' : 'Round-Ups Paused'}
        isOn={isOn}
        isIdle={lacks !== undefined || isStuck(user)}
        onChange={(turnsOn) => (turnsOn ? pause.mutate({ isPaused: false }) : setAsking(true))}
      />
      <FormProblem words={messages.somethingWrong} isShown={pause.isError}>
        {isOn && !lacks && isLooking && <FormNote>Looking at your purchases…</FormNote>}
      </FormProblem>
      {isOn && lacks && user.consentHealth.state !== 'expired' && (
        <Warning>
          {missingStep[lacks].words}{' '}
          <TextLink to="/launch-consent" state={missingStep[lacks].state}>
            {missingStep[lacks].action}
          </TextLink>
        </Warning>
      )}
      {!isOn && !lacks && (waiting > 0 || user.returnedDebit?.next !== 'two_returns') && (
        <p className={styles.paused}>{pausedWords(until, waiting)}</p>
      )}
      {isOn && !lacks && user.nextDebit && <NextDebitLine nextDebit={user.nextDebit} />}
      {user.returnedDebit && <ReturnedDebit debit={user.returnedDebit} />}
      {user.takenBackDebit && <ReversedDebit debit={user.takenBackDebit} />}
      {isOn && pause.isPending && !user.nextDebit && <Skeleton width="100%" height={48} />}
      {isOn && user.isOnHold && (
        <Warning>
          Your debits are on hold. <TextLink to="/support">Contact support</TextLink>. Your round-ups still count.
        </Warning>
      )}
      {isOn && user.waitsForAccountCents !== undefined && (
        <Warning>
          {user.waitsForAccountCents > 0 && (
            <>
              <Money amountCents={user.waitsForAccountCents} /> waits.{' '}
            </>
          )}
          {user.whyNoAccount === 'account_missing'
            ? missing
            : `${whyNoAccountWords(user)}Nothing is debited until you choose an account.`}{' '}
          <TextLink to="/linked-accounts">Choose account to debit</TextLink>
        </Warning>
      )}
      {isOn && !lacks && user.tracksNoAccount && !missing && (
        <Warning>
          Nothing is rounded up until you have chosen an account.{' '}
          <TextLink to="/linked-accounts">Choose accounts to round up</TextLink>
        </Warning>
      )}
      {isOn && missing && user.whyNoAccount !== 'account_missing' && (
        <Warning>
          {missing} <TextLink to="/linked-accounts">Look at your accounts</TextLink>
        </Warning>
      )}
      {isOn && (
        <>
          <Choice
            legend="Round-Up to the nearest..."
            options={steps}
            value={step}
            onChange={(cents) => amount.mutate(cents)}
          />
          <ProjectionSpace of="step" step={step} limit={user.weeklyMaximumLimit} />
        </>
      )}
      <hr className={styles.rule} />
      <WeeklyLimit user={user} step={step} />
      {isAsking && (
        <OpenedPart
          load={loadPauseModal}
          of={{
            onCancel: () => setAsking(false),
            onConfirm: (until) => {
              setAsking(false);
              pause.mutate({ isPaused: true, until });
            },
          }}
          onFailed={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

const limits = [
  { value: 750, label: '$7.50' },
  { value: 1000, label: '$10.00' },
  { value: 1250, label: '$12.50' },
] as const;

/** The limit that switching on begins with. */
const usual: Limit = 1000;

export function WeeklyLimit({ user, step }: { user: UserRecord; step: RoundUpStep }) {
  const { cdrid } = useCaller();
  const save = useUserSetting((weeklyMaximumLimit: Limit) => call(setWeeklyLimit, { cdrid, weeklyMaximumLimit }));
  const limit = save.isPending ? save.variables : user.weeklyMaximumLimit;

  return (
    <>
      <Switch
        look="part"
        label={limit > 0 ? 'Weekly Limit On' : 'Weekly Limit Off'}
        isOn={limit > 0}
        onChange={(turnsOn) => save.mutate(turnsOn ? limit || usual : 0)}
      />
      {limit > 0 && (
        <Choice
          legend="Limit round-up amount per week:"
          options={limits}
          value={limit === 0 ? undefined : limit}
          onChange={(chosen) => save.mutate(chosen)}
        />
      )}
      <ProjectionSpace of="limit" step={step} limit={limit} usual={usual} />
    </>
  );
}
