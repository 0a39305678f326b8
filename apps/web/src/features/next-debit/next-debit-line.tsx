import type { UserRecord } from '@sparechange/contract';
import { formatCents, isoDate, shortDay } from '@sparechange/domain';
import { useState } from 'react';
import { Money } from '#ui/money.tsx';
import { OpenedPart } from '#ui/opened-part.tsx';
import { usePreload } from '#ui/when-idle.ts';
import styles from './next-debit-line.module.css';

const loadModal = () => import('./next-debit-modal.tsx');

/** Opens the details of "Next debit Wed 25 Nov: $3.42". */
export function NextDebitLine({ nextDebit }: { nextDebit: NonNullable<UserRecord['nextDebit']> }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { date, amountCents, skips, minimumCents } = nextDebit;
  usePreload(loadModal);
  return (
    <>
      <button type="button" className={styles.line} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span>
          Next debit {shortDay(isoDate(date))}: <Money amountCents={amountCents} />
        </span>
        {skips && ' '}
        {skips && <span className={styles.aside}>{shortDay(isoDate(skips))} is skipped</span>}
        {minimumCents && ' '}
        {minimumCents && <span className={styles.aside}>Debited once it reaches {formatCents(minimumCents)}</span>}
      </button>
      {isOpen && <OpenedPart load={loadModal} of={{ onClose: close }} onFailed={close} />}
    </>
  );
}
