import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';
import { RetryButton, type RetryProps } from './retry-button.tsx';

/** Says what could not be loaded and offers to retry. */
export const TryAgain = ({ children, onRetry }: RetryProps & { children: ReactNode }) => (
  <Notice>
    {children}
    <RetryButton onRetry={onRetry} />
  </Notice>
);
