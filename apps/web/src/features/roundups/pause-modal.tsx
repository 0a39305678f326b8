import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { TextField } from '#ui/text-field.tsx';

interface PauseModalProps {
  onCancel: () => void;
  /** With the day on which the pause ends by itself, where one was chosen. */
  onConfirm: (until: string | undefined) => void;
}

export default function PauseModal({ onCancel, onConfirm }: PauseModalProps) {
  const [until, setUntil] = useState('');
  return (
    <Modal title="Pause Round-Ups" onClose={onCancel}>
      <p>
        Are you sure you want to pause your round-ups? There may still be pending direct-debits which will complete,
        even if you pause.
      </p>
      <TextField
        label="Pause until"
        hint="If you choose a day, your round-ups resume on it and we mail you."
        type="date"
        min={dayFromNow(1)}
        max={dayFromNow(365)}
        value={until}
        onChange={(event) => setUntil(event.target.value)}
      />
      <ModalActions>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={() => onConfirm(until || undefined)}>Confirm</Button>
      </ModalActions>
    </Modal>
  );
}

/** The server knows the day in Sydney and has the last word; this is for the calendar that the browser shows. */
const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
