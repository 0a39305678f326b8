import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';
import { RetryButton, type RetryProps } from './retry-button.tsx';

/** What could not be had, and the way to ask for it once more. */
export const TryAgain = ({ children, onRetry }: RetryProps & { children: ReactNode }) => (
  <Notice>
    {children}
    <RetryButton onRetry={onRetry} />
  </Notice>
);
