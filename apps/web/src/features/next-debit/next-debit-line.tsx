import type { UserRecord } from '@sparechange/contract';
import { isoDate, shortDay } from '@sparechange/domain';
import { lazy, Suspense, useState } from 'react';
import { Money } from '#ui/money.tsx';
import styles from './next-debit-line.module.css';

const NextDebitModal = lazy(() => import('./next-debit-modal.tsx'));

/** "Next debit Wed 25 Nov: $3.42", which opens all there is to know about it. */
export function NextDebitLine({ nextDebit }: { nextDebit: NonNullable<UserRecord['nextDebit']> }) {
  const [isOpen, setOpen] = useState(false);
  const { date, amountCents, skips } = nextDebit;
  return (
    <>
      <button type="button" className={styles.line} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span>
          Next debit {shortDay(isoDate(date))}: <Money amountCents={amountCents} />
        </span>
        {skips && ' '}
        {skips && <span className={styles.skipped}>{shortDay(isoDate(skips))} is skipped</span>}
      </button>
      {isOpen && (
        <Suspense>
          <NextDebitModal onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
