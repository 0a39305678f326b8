import { setPaused, setRoundUpAmount, type UserRecord } from '@sparechange/contract';
import { isoDate, type RoundUpStep, shortDay } from '@sparechange/domain';
import { lazy, Suspense, useState } from 'react';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { useUserSetting } from '#features/identity/use-user-setting.ts';
import { NextDebitLine } from '#features/next-debit/next-debit-line.tsx';
import { Choice } from '#ui/choice.tsx';
import { Money } from '#ui/money.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import { OutlookSpace } from './outlook-space.tsx';
import styles from './round-ups-card.module.css';
import { WeeklyLimit } from './weekly-limit.tsx';

const PauseModal = lazy(() => import('./pause-modal.tsx'));

const steps = [
  { value: 100, label: '$1' },
  { value: 200, label: '$2' },
  { value: 500, label: '$5' },
] as const;

/** On when not paused and the amount is not "0" (spec section 4, round-ups status). */
export const areRoundUpsOn = ({ isUserPausedRoundUp, roundupAmountCents }: UserRecord): boolean =>
  !isUserPausedRoundUp && roundupAmountCents !== '0';

export function RoundUpsCard({ user }: { user: UserRecord }) {
  const { cdrid } = useCaller();
  const [isAsking, setAsking] = useState(false);
  const pause = useUserSetting(({ isPaused, until }: { isPaused: boolean; until?: string | undefined }) =>
    call(setPaused, { cdrid, isUserPausedRoundUp: isPaused, ...(until && { until }) }),
  );
  const amount = useUserSetting((roundupAmountCents: RoundUpStep) =>
    call(setRoundUpAmount, { cdrid, roundupAmountCents }),
  );

  const isOn = pause.isPending ? !pause.variables.isPaused : areRoundUpsOn(user);
  const until = pause.isPending ? pause.variables.until : user.pausedUntil;
  const held = user.roundupAmountCents === '0' ? 100 : user.roundupAmountCents;
  const step = amount.isPending ? amount.variables : held;

  return (
    <Panel label="Round-Ups">
      <Switch
        look="heading"
        label={isOn ? 'Round-Ups On' : 'Round-Ups Paused'}
        isOn={isOn}
        onChange={(turnsOn) => (turnsOn ? pause.mutate({ isPaused: false }) : setAsking(true))}
      />
      <FormProblem words={messages.somethingWrong} isShown={pause.isError} />
      {!isOn && until && <p className={styles.until}>Paused until {shortDay(isoDate(until))}, when they resume.</p>}
      {isOn && user.nextDebit && <NextDebitLine nextDebit={user.nextDebit} />}
      {isOn && pause.isPending && !user.nextDebit && <Skeleton width="100%" height={48} />}
      {isOn && user.waitsForAccountCents !== undefined && (
        <p className={styles.until}>
          {user.waitsForAccountCents > 0 && (
            <>
              <Money amountCents={user.waitsForAccountCents} /> waits.{' '}
            </>
          )}
          Nothing is debited until you choose an account. <TextLink to="/linked-accounts">Choose one</TextLink>
        </p>
      )}
      {isOn && (
        <>
          <Choice
            legend="Round-Up to the nearest..."
            options={steps}
            value={step}
            onChange={(cents) => amount.mutate(cents)}
          />
          <OutlookSpace of="step" step={step} limit={user.weeklyMaximumLimit} />
        </>
      )}
      <hr className={styles.rule} />
      <WeeklyLimit user={user} step={step} />
      {isAsking && (
        <Suspense>
          <PauseModal
            onCancel={() => setAsking(false)}
            onConfirm={(until) => {
              setAsking(false);
              pause.mutate({ isPaused: true, until });
            }}
          />
        </Suspense>
      )}
    </Panel>
  );
}
