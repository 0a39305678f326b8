import { useEffect } from 'react';
import { CheckIcon } from '#ui/icons.tsx';
import { Modal } from '#ui/modal.tsx';
import styles from './one-off-donation-modal.module.css';

const closesAfterMs = 4000;

const sign = (
  <span className={styles.coin}>
    <CheckIcon size={40} />
  </span>
);

/** Closes by itself. */
export function ThankYou({ onDone }: { onDone: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onDone, closesAfterMs);
    return () => clearTimeout(timer);
  }, [onDone]);

  return (
    <Modal title="Thank You!" sign={sign} onClose={onDone}>
      <p role="status">Your donation request has been received and may take 2-3 days to process</p>
    </Modal>
  );
}
