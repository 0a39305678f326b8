import { useSyncExternalStore } from 'react';
import { passwordQuestion } from '#api/recent-sign-in.ts';
import { OpenedPart } from '#ui/opened-part.tsx';

const loadModal = () => import('./confirm-password-modal.tsx');

/** Asks for the password when a call needs recent sign-in. */
export function PasswordPrompt() {
  const request = useSyncExternalStore(passwordQuestion.subscribe, passwordQuestion.current, passwordQuestion.current);
  if (!request) return null;
  return <OpenedPart load={loadModal} of={{ request }} onFailed={() => request.settle(false)} />;
}
