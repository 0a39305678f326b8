import { useState } from 'react';
import { Button } from './button.tsx';

export interface RetryProps {
  /** Asks once more; settles with any answer, even a failure. */
  onRetry: () => Promise<unknown>;
}

export function RetryButton({ onRetry }: RetryProps) {
  const [isBusy, setBusy] = useState(false);

  async function retry() {
    setBusy(true);
    await onRetry();
    setBusy(false);
  }
  return (
    <Button look="secondary" isBusy={isBusy} onClick={() => void retry()}>
      Retry
    </Button>
  );
}
