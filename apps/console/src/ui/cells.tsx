import { Checkbox } from '@sparechange/web/ui/checkbox.tsx';
import { FormError } from '@sparechange/web/ui/notice.tsx';
import { Fragment, type ReactNode } from 'react';
import styles from './cells.module.css';

interface OpenRowProps {
  onClick: () => void;
  /** Read out instead where several rows have the same words. */
  label?: string;
  children: ReactNode;
}

/** A row's name that opens it, or a short act. */
export const OpenRow = ({ onClick, label, children }: OpenRowProps) => (
  <button type="button" className={styles.open} aria-label={label} onClick={onClick}>
    {children}
  </button>
);

/** Breaks an address or a dotted name before its signs, where it is too long for a line. */
export const Dotted = ({ name }: { name: string }) =>
  name.split(/(?=[.:@/])/).map((part, at, parts) => (
    <Fragment key={parts.slice(at).join('')}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** A UUID by its first characters, with the whole in its title; other words stay as they are. */
export const ShortId = ({ id }: { id: string }) => (isUuid(id) ? <span title={id}>{id.slice(0, 8)}</span> : id);

/** A second, quieter line of a cell. */
export const Quiet = ({ children }: { children: ReactNode }) => <span className={styles.quiet}>{children}</span>;

/** Buttons one above the other, ending a dialog. */
export const Acts = ({ children }: { children: ReactNode }) => <div className={styles.acts}>{children}</div>;

/** A quieter line that ends in dots where it is too long; in a list on a phone it goes below the whole row. */
export const Line = ({ children, className = '' }: { children: string; className?: string | undefined }) => (
  <span className={`${styles.quiet} ${styles.line} ${className}`} title={children} data-line>
    {children}
  </span>
);

interface ChoicesProps {
  legend: string;
  name: string;
  options: Record<string, string>;
  error: string | undefined;
}

/** Several of some choices, read from the form by name. */
export const Choices = ({ legend, name, options, error }: ChoicesProps) => (
  <fieldset className={styles.choices} data-invalid={error !== undefined}>
    <legend>{legend}</legend>
    {Object.entries(options).map(([value, label]) => (
      <Checkbox key={value} name={name} value={value} label={label} />
    ))}
    {error && <FormError>{error}</FormError>}
  </fieldset>
);
