import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import styles from './missing.module.css';
import { Notice } from './notice.tsx';
import { isOfflinePage } from './status-line.tsx';

export interface RetryProps {
  /** Asks once more; settles with any answer, even a failure. */
  onRetry: () => Promise<unknown>;
}

/** Asks once more; not on a page without a network, which is loaded anew by itself. */
export function RetryButton({ onRetry }: RetryProps) {
  const [isBusy, setBusy] = useState(false);
  if (isOfflinePage()) return null;

  async function retry() {
    setBusy(true);
    await onRetry().catch((error: unknown) => console.error(error));
    setBusy(false);
  }
  return (
    <Button look="secondary" isBusy={isBusy} onClick={() => void retry()}>
      Retry
    </Button>
  );
}

/** Says what could not be loaded and offers to retry. */
export const TryAgain = ({ children, onRetry }: RetryProps & { children: ReactNode }) => (
  <Notice>
    {children}
    <RetryButton onRetry={onRetry} />
  </Notice>
);

interface MissingProps extends RetryProps {
  children: ReactNode;
  /** The next step or a way out, beside the words. */
  help?: string;
  /** As tall as its stand-in, so that nothing moves. */
  height: number | string;
}

/** In the place of something large that could not be had: why, and the way to ask for it once more. */
export const Missing = ({ children, help, onRetry, height }: MissingProps) => (
  <div role="alert" className={styles.missing} style={{ minHeight: height }}>
    <p>{children}</p>
    {help && <p className={styles.help}>{help}</p>}
    <RetryButton onRetry={onRetry} />
  </div>
);
