import { type ComponentProps, type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './button.module.css';
import { Link, type LinkProps } from './link.tsx';
import { Spinner } from './spinner.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'ref'> {
  /** One primary a screen; others are secondary (edged) or quiet. */
  look?: 'primary' | 'secondary' | 'quiet';
  /** Red, for acts that end or lose something. */
  isDangerous?: boolean | undefined;
  /** True while the server is asked: disabled, at unchanged size. */
  isBusy?: boolean;
  /** The label while busy, where specified; else a ring turns. */
  busyLabel?: string;
  children: ReactNode;
}

/**
 * Pressing Submit would first take the focus out of a field; the message that then appears under the field would push
 * the button away from under the finger, and the press would be lost.
 */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Returns the focus that browsers take from a disabled button, unless it has moved elsewhere since. */
function useFocusBack(isBusy: boolean) {
  const ref = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (isBusy) {
      hadFocus.current = document.activeElement === ref.current;
      return;
    }
    if (hadFocus.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [isBusy]);
  return ref;
}

export function Button({
  look = 'primary',
  isDangerous,
  isBusy = false,
  busyLabel,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  const isTurning = isBusy && busyLabel === undefined;
  const ref = useFocusBack(isBusy);
  return (
    <button
      ref={ref}
      type="button"
      onMouseDown={rest.type === 'submit' ? keepFocus : undefined}
      {...rest}
      className={`${styles.button} ${styles[look]} ${rest.className ?? ''}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      data-dangerous={isDangerous || undefined}
    >
      {/* Other words are a new text, which takes the place of the last and moves nothing. */}
      <span
        key={isBusy && busyLabel ? 'busy' : 'ready'}
        className={`${styles.content} ${isTurning ? styles.covered : ''}`}
      >
        {isBusy && busyLabel ? busyLabel : children}
      </span>
      {isTurning && <Spinner className={styles.ring} />}
    </button>
  );
}

/** Links to another screen as this screen's main action. */
export const ButtonLink = (props: LinkProps) => (
  <Link {...props} className={`${styles.button} ${styles.primary} ${styles.link}`} />
);
