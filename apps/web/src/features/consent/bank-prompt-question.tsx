import { useState } from 'react';
import { OpenedPart } from '#ui/opened-part.tsx';
import type { BankPrompt } from './bank-prompt.ts';

const loadModal = () => import('./bank-prompt-modal.tsx');

/** Asks supporters without a working bank connection to make one. The dialog loads on demand, as most have one. */
export function BankPromptQuestion({ prompt }: { prompt: BankPrompt }) {
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  const dismiss = () => setDismissed(true);
  return <OpenedPart load={loadModal} of={{ prompt, onClose: dismiss }} onFailed={dismiss} />;
}
