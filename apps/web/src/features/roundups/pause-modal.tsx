import { Button } from '#ui/button.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';

export const PauseModal = ({ onCancel, onConfirm }: { onCancel: () => void; onConfirm: () => void }) => (
  <Modal title="Pause Round-Ups" onClose={onCancel}>
    <p>
      Are you sure you want to pause your round-ups? There may still be pending direct-debits which will complete, even
      if you pause.
    </p>
    <ModalActions>
      <Button look="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <Button onClick={onConfirm}>Confirm</Button>
    </ModalActions>
  </Modal>
);
