import { checkConsent, type UserRecord } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { call } from '#api/call.ts';
import { bankPrompt } from './bank-prompt.ts';

const BankPromptModal = lazy(() => import('./bank-prompt-modal.tsx'));

/** Asks whoever has no working bank connection to make one. Most have: what they are asked with is loaded when it is needed. */
export function BankPromptQuestion({ user }: { user: UserRecord }) {
  const [isDismissed, setDismissed] = useState(false);
  const externalUserId = user.externalUserId ?? '';
  const consent = useQuery({
    queryKey: ['active consents', externalUserId],
    queryFn: async () => (await call(checkConsent, { externalUserId })).activeConsents,
    enabled: externalUserId !== '' && user.isConsent,
  });
  const prompt = bankPrompt(user, consent.data);

  if (!prompt || isDismissed) return null;
  return (
    <Suspense>
      <BankPromptModal prompt={prompt} onClose={() => setDismissed(true)} />
    </Suspense>
  );
}
