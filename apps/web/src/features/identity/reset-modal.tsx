import { type ReactNode, useState } from 'react';
import { OpenedPart } from '#ui/opened-part.tsx';

/** Equal for every address, so that it reveals none. */
export const resetSent = 'If we know that address, an email is on its way.';

/** Loaded when it is opened. */
const loadModal = () => import('./forgot-password-modal.tsx');

interface ResetModal {
  open: () => void;
  isSent: boolean;
  /** Can be placed anywhere; renders nothing while closed. */
  modal: ReactNode;
}

/** The "Forgot Password?" modal; `email` is filled in already. */
export function useResetModal(email: string): ResetModal {
  const [state, setState] = useState<'closed' | 'open' | 'sent'>('closed');
  const close = () => setState('closed');
  const modal = state === 'open' && (
    <OpenedPart load={loadModal} of={{ email, onClose: close, onSent: () => setState('sent') }} onFailed={close} />
  );
  return { open: () => setState('open'), isSent: state === 'sent', modal };
}
