import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import styles from './checkbox.module.css';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  /** A second, quieter line, such as an account number. */
  detail?: ReactNode;
  error?: string | undefined;
  /** A bordered row, or words beside a box. */
  look?: 'plain' | 'row';
}

export function Checkbox({ label, detail, error, look = 'plain', className = '', ...input }: CheckboxProps) {
  const errorId = useId();
  return (
    <div className={className}>
      <label className={look === 'row' ? styles.row : styles.plain}>
        <input
          {...input}
          type="checkbox"
          className={styles.box}
          aria-invalid={error !== undefined}
          aria-describedby={error ? errorId : input['aria-describedby']}
        />
        <span className={styles.words}>
          <span className={`${styles.label} ${input.required ? styles.required : ''}`}>{label}</span>
          {detail && <span className={styles.detail}> {detail}</span>}
        </span>
      </label>
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
