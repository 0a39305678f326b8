import { checkConsent, type UserRecord } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { Button } from '#ui/button.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { bankPrompt } from './bank-prompt.ts';

const prompts = {
  'no bank connection': {
    title: 'No Bank Connection',
    text: "We noticed you don't have an active bank account connected for round-ups.",
    action: 'Connect',
  },
  'finish setting up': {
    title: 'Finish Setting Up Your Account',
    text: "We noticed you haven't finished selecting your Round-Up and Funding Accounts.",
    action: 'Finish',
  },
} as const;

export function BankPromptModal({ user }: { user: UserRecord }) {
  const navigate = useNavigate();
  const [isDismissed, setDismissed] = useState(false);
  const externalUserId = user.externalUserId ?? '';
  const consent = useQuery({
    queryKey: ['active consents', externalUserId],
    queryFn: async () => (await call(checkConsent, { externalUserId })).activeConsents,
    enabled: externalUserId !== '' && user.isConsent,
  });
  const prompt = bankPrompt(user, consent.data);

  if (!prompt || isDismissed) return null;
  const { title, text, action } = prompts[prompt];
  return (
    <Modal title={title} onClose={() => setDismissed(true)}>
      <p>{text}</p>
      <ModalActions>
        <Button look="quiet" onClick={() => setDismissed(true)}>
          Cancel
        </Button>
        <Button onClick={() => void navigate('/launch-consent')}>{action}</Button>
      </ModalActions>
    </Modal>
  );
}
