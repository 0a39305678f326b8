import { lazy, Suspense, useSyncExternalStore } from 'react';
import { passwordQuestion } from '#api/recent-sign-in.ts';

const ConfirmPasswordModal = lazy(() => import('./confirm-password-modal.tsx'));

/** Asks for the password when a call needs recent sign-in. */
export function PasswordPrompt() {
  const request = useSyncExternalStore(passwordQuestion.subscribe, passwordQuestion.current, passwordQuestion.current);
  if (!request) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmPasswordModal request={request} />
    </Suspense>
  );
}
