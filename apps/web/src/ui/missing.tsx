import type { ReactNode } from 'react';
import styles from './missing.module.css';
import { RetryButton, type RetryProps } from './retry-button.tsx';

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
