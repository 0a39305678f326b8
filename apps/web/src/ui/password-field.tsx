import { useState } from 'react';
import styles from './password-field.module.css';
import { TextField, type TextFieldProps } from './text-field.tsx';

export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      autoComplete="current-password"
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      trailing={
        <button type="button" className={styles.toggle} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'} <span className="visually-hidden">password</span>
        </button>
      }
    />
  );
}
