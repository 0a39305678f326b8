import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** What could not be had, and the way to ask for it once more. */
export const TryAgain = ({ children, onRetry }: { children: ReactNode; onRetry: () => void }) => (
  <Notice>
    {children}
    <Button look="secondary" onClick={onRetry}>
      Retry
    </Button>
  </Notice>
);
