import { type PointerEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import styles from './dialog.module.css';

interface DialogProps {
  isOpen?: boolean;
  /** Called for Escape and for a press outside the panel. */
  onClose: () => void;
  /** The side from which the panel slides in; without it, it stands in the middle. */
  side?: 'right';
  className?: string | undefined;
  'aria-label'?: string;
  'aria-labelledby'?: string;
  children: ReactNode;
}

/**
 * A modal dialog of the browser, which traps the focus and gives it back. While it holds something marked with
 * `data-keeps-open`, which is shown only once, only its own button closes it.
 */
export function Dialog({ isOpen = true, onClose, side, className, children, ...names }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  const isKeptOpen = () => ref.current?.querySelector('[data-keeps-open]') != null;
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog || !isOpen) return undefined;
    const page = document.documentElement;
    page.style.setProperty('--scrollbar-width', `${window.innerWidth - page.clientWidth}px`);
    // The dialog takes the focus immediately: a field would open a phone's keyboard, and count as empty when left.
    const panel = dialog.querySelector('div');
    panel?.toggleAttribute('inert', true);
    dialog.showModal();
    dialog.focus();
    panel?.toggleAttribute('inert', false);
    return () => dialog.close();
  }, [isOpen]);
  const isOutside = ({ target, currentTarget }: PointerEvent | React.MouseEvent) => target === currentTarget;
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by onCancel
    <dialog
      {...names}
      ref={ref}
      tabIndex={-1}
      className={`${styles.dialog} ${side ? styles[side] : ''}`}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isKeptOpen()) onClose();
      }}
      // Browsers close without asking on a second Escape.
      onClose={() => {
        if (!isOpen || ref.current?.open) return;
        if (isKeptOpen()) ref.current?.showModal();
        else onClose();
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = isOutside(event);
      }}
      // The second press of a double click on the opener falls outside the dialog, and must not close it.
      onClick={(event) => {
        if (event.detail < 2 && isOutside(event) && isPressedOutside.current && !isKeptOpen()) onClose();
      }}
    >
      <div className={`${styles.panel} ${className ?? ''}`}>{children}</div>
    </dialog>,
    document.body,
  );
}
