import { isoDate, longDay } from '@sparechange/domain';
import { useState } from 'react';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { TextField } from '#ui/text-field.tsx';

interface PauseModalProps {
  onCancel: () => void;
  /** Receives the day the pause ends, where one was chosen. */
  onConfirm: (until: string | undefined) => void;
}

export default function PauseModal({ onCancel, onConfirm }: PauseModalProps) {
  const [until, setUntil] = useState('');
  const [first, last] = [dayFromNow(1), dayFromNow(365)];
  const isChosen = first <= until && until <= last;
  return (
    <Modal title="Pause Round-Ups" onClose={onCancel}>
      <p>
        Are you sure you want to pause your round-ups? There may still be pending direct-debits which will complete,
        even if you pause.
      </p>
      <TextField
        label="Pause until"
        hint={
          // In words as well: the browser writes the day in the order of its own language.
          isChosen
            ? `Your round-ups resume on ${longDay(isoDate(until))} and we email you.`
            : 'If you choose a day, your round-ups resume on it and we email you.'
        }
        type="date"
        min={first}
        max={last}
        value={until}
        onChange={(event) => setUntil(event.target.value)}
      />
      <ModalActions onCancel={onCancel} action="Confirm" onAction={() => onConfirm(until || undefined)} />
    </Modal>
  );
}

/** The server knows the day in Sydney and has the last word; this is for the calendar that the browser shows. */
const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
