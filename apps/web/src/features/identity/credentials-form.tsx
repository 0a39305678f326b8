import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FormProblem, Help } from '#ui/notice.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './credentials-form.module.css';

interface CredentialsFormProps {
  action: string;
  /** Signs in and continues; the form shows an error thrown. */
  onSubmit: (email: string, password: string) => Promise<void>;
  error: string;
  /** The next step after the last failure. */
  help?: ReactNode;
  /** Reports the address as it is typed. */
  onEmail?: (email: string) => void;
  children?: ReactNode;
}

/**
 * Email and password. Kept free of the form and schema libraries, because it has to be there before they are: its
 * one rule, that both are filled in, is the browser's own.
 */
export function CredentialsForm({ action, onSubmit, error, help, onEmail, children }: CredentialsFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state === 'busy') return;
    setState('busy');
    try {
      await onSubmit(email.trim(), password);
      setState('ready');
    } catch {
      setState('failed');
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          onEmail?.(event.target.value);
        }}
      />
      <PasswordField
        label="Password"
        name="password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {children}
      <Button type="submit" isBusy={state === 'busy'} busyLabel="Loading...">
        {action}
      </Button>
      <FormProblem words={error} isShown={state === 'failed'} />
      {state === 'failed' && help && <Help>{help}</Help>}
    </form>
  );
}
