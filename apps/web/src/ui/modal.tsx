import { type MouseEvent, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './modal.module.css';
import { FormProblem, type FormProblemProps } from './notice.tsx';

interface ModalProps {
  title: string;
  /** A sign above the title. */
  sign?: ReactNode;
  onClose: () => void;
  className?: string | undefined;
  children: ReactNode;
}

/** 400 px at most, unless its class says otherwise; Escape and outside presses close it. */
export function Modal({ title, sign, onClose, className, children }: ModalProps) {
  const titleId = useId();
  return (
    <Dialog onClose={onClose} aria-labelledby={titleId} className={className}>
      <div className={styles.content}>
        {sign}
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {children}
      </div>
    </Dialog>
  );
}

/** Style of a short form at the end of a long modal, which stays in sight with its actions. */
export const modalFoot = styles.foot;

interface ModalActionsProps {
  /** The problem with the main action, if there is one. */
  problem?: FormProblemProps;
  onCancel?: () => void;
  cancel?: 'Cancel' | 'Close';
  /** The main action's label; it submits the form around it unless `onAction` is given. */
  action?: string;
  /** A line under the label, such as an amount; read out as its description. */
  actionDetail?: string | undefined;
  onAction?: () => void;
  /** True if the main action ends or loses something. */
  isDangerous?: boolean | undefined;
  isBusy?: boolean;
  /** True while the main action cannot be taken yet. */
  isUnavailable?: boolean;
  children?: ReactNode;
}

/** The second press of a double click was meant for the element that the first removed. */
const pressed = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act();
};

/** Cancel on the left, the main action on the right; stacked where they do not fit. */
export const ModalActions = ({
  problem,
  onCancel,
  cancel = 'Cancel',
  action,
  actionDetail,
  onAction,
  isDangerous,
  isBusy = false,
  isUnavailable = false,
  children,
}: ModalActionsProps) => (
  <>
    {problem && (
      <div className={styles.room}>
        <FormProblem {...problem} isShown={false} />
      </div>
    )}
    <div className={styles.actions}>
      {problem?.isShown && (
        <div className={styles.problem}>
          <FormProblem {...problem} />
        </div>
      )}
      {onCancel && (
        <Button look="quiet" onClick={pressed(onCancel)}>
          {cancel}
        </Button>
      )}
      {action && (
        <Button
          type={onAction ? 'button' : 'submit'}
          isBusy={isBusy}
          disabled={isUnavailable}
          isDangerous={isDangerous}
          onClick={onAction && pressed(onAction)}
          aria-description={actionDetail}
        >
          <span className={styles.action}>
            {action}
            {actionDetail !== undefined && (
              <span aria-hidden="true" className={styles.detail}>
                {actionDetail}
              </span>
            )}
          </span>
        </Button>
      )}
      {children}
    </div>
  </>
);
