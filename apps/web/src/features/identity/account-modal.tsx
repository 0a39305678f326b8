import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { messages } from '../../messages.ts';
import { ChangeEmailModal } from './change-email-modal.tsx';
import { logOutEverywhere } from './forget-session.ts';

/** Your Account: the signed-in person and their choices. */
export default function AccountModal({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const [isChangingEmail, setChangingEmail] = useState(false);
  const everywhere = useMutation({
    mutationFn: logOutEverywhere,
    onSuccess: () => navigate('/', { replace: true }),
  });
  if (session.state !== 'signed-in') return null;
  const goToYourData = () => {
    onClose();
    void navigate('/terms#your-data');
  };
  const { userId, email } = session;
  if (isChangingEmail) return <ChangeEmailModal email={email} onClose={onClose} />;
  return (
    <Modal title="Your Account" onClose={onClose}>
      <p>
        You are signed in as <EmailAddress address={email} />.
      </p>
      <Button look="secondary" onClick={() => setChangingEmail(true)}>
        Change email address
      </Button>
      <Button look="secondary" isBusy={everywhere.isPending} onClick={() => everywhere.mutate(userId)}>
        Log out everywhere
      </Button>
      <Button look="secondary" onClick={goToYourData}>
        Pause, download or leave
      </Button>
      <ModalActions
        problem={{ words: messages.somethingWrong, isShown: everywhere.isError }}
        onCancel={onClose}
        cancel="Close"
      />
    </Modal>
  );
}
