import { useNavigate } from 'react-router';
import { Button } from '#ui/button.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import type { BankPrompt } from './bank-prompt.ts';

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

export default function BankPromptModal({ prompt, onClose }: { prompt: BankPrompt; onClose: () => void }) {
  const navigate = useNavigate();
  const { title, text, action } = prompts[prompt];
  return (
    <Modal title={title} onClose={onClose}>
      <p>{text}</p>
      <ModalActions>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => void navigate('/launch-consent')}>{action}</Button>
      </ModalActions>
    </Modal>
  );
}
