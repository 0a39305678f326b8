import { useNavigate } from 'react-router';
import { askForBank } from '#features/onboarding/navigation.ts';
import { Modal, ModalActions } from '#ui/modal.tsx';
import type { BankPrompt } from './bank-prompt.ts';

const prompts = {
  'no bank connection': {
    title: 'No Bank Connection',
    text: "We noticed you don't have an active bank account connected for round-ups.",
    action: 'Connect',
    state: askForBank,
  },
  'finish setting up': {
    title: 'Finish Setting Up Your Account',
    text: "We noticed you haven't finished selecting your Round-Up and Funding Accounts.",
    action: 'Finish',
    state: null,
  },
} as const;

export default function BankPromptModal({ prompt, onClose }: { prompt: BankPrompt; onClose: () => void }) {
  const navigate = useNavigate();
  const { title, text, action, state } = prompts[prompt];
  return (
    <Modal title={title} onClose={onClose}>
      <p>{text}</p>
      <ModalActions onCancel={onClose} action={action} onAction={() => void navigate('/launch-consent', { state })} />
    </Modal>
  );
}
