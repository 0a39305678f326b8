import type { ConsoleOperation } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { type ReactNode, useState } from 'react';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Acts } from '../../ui/cells.tsx';

interface FailedWorkDialogProps {
  title: string;
  error: string;
  /** The label of the retry button. */
  retry: string;
  mayAct: boolean;
  /** Asks whether to try it again. */
  retrying: ReactNode;
  /** Asks for the reason to drop it. */
  dropping: ReactNode;
  onClose: () => void;
  /** Says what failed. */
  children: ReactNode;
}

/** Shows failed work with its error, to retry or drop. */
export function FailedWorkDialog(props: FailedWorkDialogProps) {
  const { title, error, retry, mayAct, retrying, dropping, onClose, children } = props;
  const [chosen, setChosen] = useState<'retry' | 'drop'>();
  if (chosen) return chosen === 'retry' ? retrying : dropping;
  return (
    <Modal title={title} onClose={onClose}>
      <p>{children}</p>
      <Notice>{error}</Notice>
      {mayAct && (
        <Acts>
          <Button look="secondary" onClick={() => setChosen('retry')}>
            {retry}
          </Button>
          <Button look="quiet" isDangerous onClick={() => setChosen('drop')}>
            Drop
          </Button>
        </Acts>
      )}
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}

interface DropDialogProps {
  title: string;
  drop: (reason: string) => Promise<unknown>;
  changes: readonly ConsoleOperation[];
  onClose: () => void;
  /** Says what is lost. */
  children: ReactNode;
}

/** Drops failed work, with a reason. */
export const DropDialog = ({ title, drop, changes, onClose, children }: DropDialogProps) => (
  <ActDialog
    title={title}
    action="Drop"
    isDangerous
    act={(form) => drop(String(form.get('reason')))}
    changes={changes}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>{children}</p>
        <TextField label="Reason" name="reason" maxLength={200} required error={problem('reason')} />
      </>
    )}
  </ActDialog>
);
