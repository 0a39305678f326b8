import { lazy, Suspense, useState } from 'react';
import type { BankPrompt } from './bank-prompt.ts';

const BankPromptModal = lazy(() => import('./bank-prompt-modal.tsx'));

/** Asks supporters without a working bank connection to make one. The dialog loads on demand, as most have one. */
export function BankPromptQuestion({ prompt }: { prompt: BankPrompt }) {
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  return (
    <Suspense>
      <BankPromptModal prompt={prompt} onClose={() => setDismissed(true)} />
    </Suspense>
  );
}
