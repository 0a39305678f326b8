import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';

/** Says that a role of owner or finance counts once somebody else has agreed. */
export const SecondPerson = ({ onClose }: { onClose: () => void }) => (
  <Modal title="A second person has to agree" onClose={onClose}>
    <p>
      Owners and finance move money, so somebody else has to agree to this role within seven days. They find it on
      Today. Until then nothing changes, and an invitation is not mailed.
    </p>
    <ModalActions onCancel={onClose} cancel="Close" />
  </Modal>
);
