import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './text-field.module.css';

export interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** Before the field's text, such as a currency sign. */
  leading?: ReactNode;
  /** After it, such as the button that shows a password. */
  trailing?: ReactNode;
}

/** A labelled field whose error is underneath and read out. */
export function TextField({ label, error, hint, leading, trailing, className = '', ...input }: TextFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={`${styles.field} ${className}`}>
      <label className={`${styles.label} ${input.required ? styles.required : ''}`} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error !== undefined}>
        {leading}
        <input
          type="text"
          {...input}
          id={id}
          className={styles.input}
          aria-invalid={error !== undefined}
          aria-describedby={note ? noteId : undefined}
        />
        {trailing}
      </div>
      {note && (
        <p id={noteId} className={error ? `${styles.error} ${hint ? '' : styles.inTheAir}` : styles.hint}>
          {note}
        </p>
      )}
    </div>
  );
}
