import { Checkbox } from '@sparechange/web/ui/checkbox.tsx';
import { FormError } from '@sparechange/web/ui/notice.tsx';
import type { ReactNode } from 'react';
import styles from './cells.module.css';

interface OpenRowProps {
  onClick: () => void;
  /** Read out instead, where several rows have the same words. */
  label?: string;
  children: ReactNode;
}

/** The name of a row, which opens it, or an act in few words. */
export const OpenRow = ({ onClick, label, children }: OpenRowProps) => (
  <button type="button" className={styles.open} aria-label={label} onClick={onClick}>
    {children}
  </button>
);

/** A second, quieter line of a cell. */
export const Quiet = ({ children }: { children: ReactNode }) => <span className={styles.quiet}>{children}</span>;

/** Buttons one above the other, at the end of a dialog. */
export const Acts = ({ children }: { children: ReactNode }) => <div className={styles.acts}>{children}</div>;

interface ChoicesProps {
  legend: string;
  name: string;
  options: Record<string, string>;
  error: string | undefined;
}

/** Several of some choices, read from the form by their name. */
export const Choices = ({ legend, name, options, error }: ChoicesProps) => (
  <fieldset className={styles.choices}>
    <legend>{legend}</legend>
    {Object.entries(options).map(([value, label]) => (
      <Checkbox key={value} name={name} value={value} label={label} />
    ))}
    {error && <FormError>{error}</FormError>}
  </fieldset>
);
