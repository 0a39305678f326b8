import { lazy, type ReactNode, Suspense, useState } from 'react';

/** Equal for every address, so that it reveals none. */
export const resetSent = 'If we know that address, an email is on its way.';

/** Loaded when it is opened. */
const ForgotPasswordModal = lazy(() => import('./forgot-password-modal.tsx'));

interface ResetModal {
  open: () => void;
  isSent: boolean;
  /** Can be placed anywhere; renders nothing while closed. */
  modal: ReactNode;
}

/** The "Forgot Password?" modal; `email` is filled in already. */
export function useResetModal(email: string): ResetModal {
  const [state, setState] = useState<'closed' | 'open' | 'sent'>('closed');
  const modal = state === 'open' && (
    <Suspense>
      <ForgotPasswordModal email={email} onClose={() => setState('closed')} onSent={() => setState('sent')} />
    </Suspense>
  );
  return { open: () => setState('open'), isSent: state === 'sent', modal };
}
