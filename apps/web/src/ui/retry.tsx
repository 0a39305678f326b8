import { type ReactNode, useState } from 'react';
import { messages } from '../messages.ts';
import { Button } from './button.tsx';
import styles from './missing.module.css';
import { Notice } from './notice.tsx';
import { useIsOffline } from './status-line.tsx';

export interface RetryProps {
  /** Asks once more; settles with any answer, even a failure. */
  onRetry: () => Promise<unknown>;
}

/** Names the part that could not be loaded; offline that is no failure. */
export const NotLoaded = ({ children }: { children: ReactNode }) => (useIsOffline() ? messages.offline : children);

/** Retries; hidden offline: the returning network retries without a press. */
export function RetryButton({ onRetry }: RetryProps) {
  const [isBusy, setBusy] = useState(false);
  const isOffline = useIsOffline();
  if (isOffline) return null;

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

/** Names the part that failed to load; offers to retry. */
export const TryAgain = ({ children, onRetry }: RetryProps & { children: ReactNode }) => (
  <Notice>
    <NotLoaded>{children}</NotLoaded>
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

/** Replaces a large part that could not be loaded with the reason and a retry. */
export function Missing({ children, help, onRetry, height }: MissingProps) {
  const isOffline = useIsOffline();
  return (
    <div role="alert" className={styles.missing} style={{ minHeight: height }}>
      <p className={isOffline ? styles.help : undefined}>
        <NotLoaded>{children}</NotLoaded>
      </p>
      {help && !isOffline && <p className={styles.help}>{help}</p>}
      <RetryButton onRetry={onRetry} />
    </div>
  );
}
