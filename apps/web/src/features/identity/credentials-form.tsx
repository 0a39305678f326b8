import { type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FormProblem, Help } from '#ui/notice.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { TextField } from '#ui/text-field.tsx';
import { useSubmission } from '#ui/use-submission.ts';
import styles from './credentials-form.module.css';

interface CredentialsFormProps {
  action: string;
  /** Signs in and continues; if it throws, the form shows `error`. */
  onSubmit: (email: string, password: string) => Promise<void>;
  error: string;
  /** The next step to suggest after a failure. */
  help?: ReactNode;
  /** Reports the address as it is typed. */
  onEmail?: (email: string) => void;
  children?: ReactNode;
}

/**
 * A form for email and password. It appears before any form or schema library has loaded, so the browser enforces its
 * only rule: both must be filled in.
 */
export function CredentialsForm({ action, onSubmit, error, help, onEmail, children }: CredentialsFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { submit, isBusy, hasFailed } = useSubmission(() => onSubmit(email.trim(), password));

  return (
    <form className={styles.form} onSubmit={submit}>
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
      <Button type="submit" isBusy={isBusy} busyLabel="Loading...">
        {action}
      </Button>
      <FormProblem words={error} isShown={hasFailed} />
      {hasFailed && help && <Help>{help}</Help>}
    </form>
  );
}
