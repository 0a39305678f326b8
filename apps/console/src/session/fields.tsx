import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { problemOf, sentenceOf } from '#api/call-problem.ts';
import { isGivenUp } from './passkey.ts';

/** The error of the call that the field's form makes. */
interface OfCall {
  error: unknown;
}

export const EmailField = ({ error }: OfCall) => (
  <TextField
    label="Email"
    name="email"
    type="email"
    required
    autoComplete="username"
    error={problemOf(error, 'email')}
  />
);

export const CodeField = ({ error }: OfCall) => (
  <TextField
    label="Code of your authenticator"
    name="code"
    inputMode="numeric"
    required
    autoComplete="one-time-code"
    error={problemOf(error, 'code')}
  />
);

/** Says why signing in with a passkey failed. */
export const PasskeyNotice = ({ error }: OfCall) => (
  <Notice>{isGivenUp(error) ? 'No passkey was given. Please try again.' : sentenceOf(error)}</Notice>
);
