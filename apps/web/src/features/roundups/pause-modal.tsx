import { isoDate, longDay, sydneyDay } from '@sparechange/domain';
import { useRef, useState } from 'react';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { TextField } from '#ui/text-field.tsx';

interface PauseModalProps {
  onCancel: () => void;
  /** Receives the day the pause ends, where one was chosen. */
  onConfirm: (until: string | undefined) => void;
}

export default function PauseModal({ onCancel, onConfirm }: PauseModalProps) {
  const [until, setUntil] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const [first, last] = [dayFromToday(1), dayFromToday(365)];
  const isChosen = first <= until && until <= last;

  /** Keeps the dialog open for a day that cannot be meant: browsers treat a half-typed day as empty. */
  function confirm() {
    if (field.current?.validity.badInput) setProblem('Please enter the whole day, or clear it');
    else if (until && !isChosen)
      setProblem(`Please choose a day from ${longDay(isoDate(first))} to ${longDay(isoDate(last))}`);
    else onConfirm(until || undefined);
  }
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
            : "Optional. We'll resume your round-ups that day and email you."
        }
        error={problem}
        ref={field}
        type="date"
        min={first}
        max={last}
        value={until}
        onChange={(event) => {
          setUntil(event.target.value);
          setProblem(undefined);
        }}
      />
      <ModalActions onCancel={onCancel} action="Confirm" onAction={confirm} />
    </Modal>
  );
}

/** Counts from today in Sydney, in UTC days, which are all of equal length. */
function dayFromToday(days: number): string {
  const today = Date.parse(sydneyDay(new Date()));
  return new Date(today + days * 86_400_000).toISOString().slice(0, 10);
}
