import { lazy, Suspense, useSyncExternalStore } from 'react';
import { currentPasswordRequest, subscribeToPasswordRequests } from '#api/recent-sign-in.ts';

const ConfirmPasswordModal = lazy(() => import('./confirm-password-modal.tsx'));

/** Stands above every screen and asks for the password where a call wants a recent sign-in. */
export function PasswordPrompt() {
  const request = useSyncExternalStore(subscribeToPasswordRequests, currentPasswordRequest);
  if (!request) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmPasswordModal request={request} />
    </Suspense>
  );
}
