import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { sentenceOf } from '#api/call-problem.ts';
import type { ProblemOf } from '../ui/form.tsx';
import { isGivenUp } from './passkey.ts';

interface OfForm {
  problem: ProblemOf;
}

export const EmailField = ({ problem }: OfForm) => (
  <TextField label="Email" name="email" type="email" required autoComplete="username" error={problem('email')} />
);

/** Returns a code's digits, which authenticators show in two groups. */
export const digitsOf = (typed: unknown): string => String(typed).replaceAll(' ', '');

export const CodeField = ({ label = 'Code from your authenticator app', problem }: OfForm & { label?: string }) => (
  <TextField
    label={label}
    name="code"
    inputMode="numeric"
    required
    autoComplete="one-time-code"
    error={problem('code', digitsOf)}
  />
);

/** Says why signing in with a passkey failed. */
export const PasskeyNotice = ({ error }: { error: unknown }) => (
  <Notice>{isGivenUp(error) ? 'No passkey was given. Please try again.' : sentenceOf(error)}</Notice>
);
