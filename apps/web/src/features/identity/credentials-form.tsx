import { type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FormProblem, Help } from '#ui/notice.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { TextField } from '#ui/text-field.tsx';
import { useSubmission } from '#ui/use-submission.ts';
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
 * Email and password. Uses no form or schema library, as it has to appear before they load: the browser enforces its
 * one rule, that both are filled in.
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
