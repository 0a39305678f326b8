import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface NoticeProps {
  /** An error is read out at once, anything else when the reader pauses. */
  kind?: 'error' | 'information';
  children: ReactNode;
}

export function Notice({ kind = 'error', children }: NoticeProps) {
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className={`${styles.notice} ${styles[kind]}`}>
      {children}
    </div>
  );
}

/** What went wrong with a form or a control, in red beside it. */
export const FormError = ({ children }: { children: ReactNode }) => (
  <p role="alert" className={styles.formError}>
    {children}
  </p>
);
