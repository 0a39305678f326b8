import { retrieveSavingsSplit } from '@sparechange/contract';
import { isoDate, shortDay } from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '#api/query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Money } from '#ui/money.tsx';
import { FormError } from '#ui/notice.tsx';
import { NotLoaded } from '#ui/retry.tsx';
import { messages } from '../../messages.ts';
import styles from './giving-and-saving.module.css';
import { GivingAndSavingWaiting } from './giving-and-saving-waiting.tsx';

/** This year's debits as one bar of the club's and the savings part, and the next deposit. */
export default function GivingAndSaving() {
  const { cdrid } = useCaller();
  const { data, isPending } = useQuery(queryOf(retrieveSavingsSplit, { cdrid }, (split) => split));
  if (isPending) return <GivingAndSavingWaiting />;
  if (!data) {
    return (
      <div className={styles.split}>
        <FormError>
          <NotLoaded>{messages.dashboardFailed}</NotLoaded>
        </FormError>
      </div>
    );
  }
  const { clubCents, savingsCents, nextDeposit, waitingCents } = data;
  return (
    <div className={styles.split}>
      <div className={styles.bar} aria-hidden="true">
        {clubCents > 0 && <span className={styles.giving} style={{ flexGrow: clubCents }} />}
        {savingsCents > 0 && <span className={styles.saving} style={{ flexGrow: savingsCents }} />}
      </div>
      <ul className={styles.parts} aria-label="This year">
        <li>
          <span className={styles.giving} aria-hidden="true" />
          Given this year: <Money amountCents={clubCents} className={styles.amount} />
        </li>
        <li>
          <span className={styles.saving} aria-hidden="true" />
          Saved this year: <Money amountCents={savingsCents} className={styles.amount} />
        </li>
      </ul>
      <p className={styles.deposit}>
        {nextDeposit ? (
          <>
            Next deposit {shortDay(isoDate(nextDeposit.date))}: <Money amountCents={nextDeposit.amountCents} /> so far
          </>
        ) : waitingCents ? (
          <>
            Set aside for you: <Money amountCents={waitingCents} />. Please link another account.
          </>
        ) : (
          'Half is saved once an account takes it.'
        )}
      </p>
    </div>
  );
}
