import type { RegistrationForm as Schema } from '@sparechange/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { ApiError, fieldErrors } from '#api/api-error.ts';
import { refusalOfPassword } from '#features/identity/refusal-of-password.ts';
import { resetSent, useResetModal } from '#features/identity/reset-modal.tsx';
import { getTenant } from '#tenant/current.ts';
import { termsPage } from '#tenant/pages.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { HelpedProblem } from '#ui/notice.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { showNote } from '#ui/status-line.tsx';
import { TextField } from '#ui/text-field.tsx';
import { LinkButton, TextLink } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import { registerSupporter } from './register-supporter.ts';
import styles from './registration-form.module.css';

interface RegistrationFormProps {
  clubId: string;
  onRegistered: () => void;
  /** Called if the campaign ended after the form was opened. */
  onEnded: () => void;
}

/** The fields by their paths in the call. */
const fieldsOfCall = {
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'email',
  mobile: 'mobileNumber',
} as const;

const loadRules = () => import('./registration-rules.ts');

/**
 * Checks the form by rules that load as it opens. With the form's own code they would be read ahead on the screen before
 * it, whose thread the schema library holds for longer than a press may wait.
 */
const check: Resolver<Schema> = async (...form) => {
  try {
    return await (await loadRules()).checkRegistration(...form);
  } catch (error) {
    console.error(error);
    showNote('The form could not be checked. Check your connection and try again.');
    return { values: {}, errors: { root: { type: 'unchecked' } } };
  }
};

export function RegistrationForm({ clubId, onRegistered, onEnded }: RegistrationFormProps) {
  const { register, handleSubmit, setError, getValues, formState } = useForm<Schema>({
    resolver: check,
    mode: 'onTouched',
    defaultValues: { firstName: '', lastName: '', email: '', mobileNumber: '', password: '', confirmPassword: '' },
  });
  const { errors } = formState;
  useEffect(() => void loadRules().catch((error: unknown) => console.error(error)), []); // the first check tries again
  const [requestId] = useState(() => crypto.randomUUID());
  const save = useMutation({
    mutationFn: async (form: Schema) => {
      const refusal = await refusalOfPassword(form.password, () => registerSupporter(form, clubId, requestId));
      if (refusal) setError('password', { message: refusal }, { shouldFocus: true });
      return refusal;
    },
    onSuccess: (refusal) => refusal === undefined && onRegistered(),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'campaign-ended') onEnded();
      for (const [field, message] of fieldErrors(error, fieldsOfCall)) setError(field, { message });
    },
  });
  const isRegistered = save.isSuccess && save.data === undefined; // the form stays until the next page is loaded
  const isBusy = save.isPending || isRegistered;
  const submit = handleSubmit((form) => isBusy || save.mutate(form));

  return (
    <form noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextField
        label="First Name"
        autoComplete="given-name"
        required
        error={errors.firstName?.message}
        {...register('firstName')}
      />
      <TextField
        label="Last Name"
        autoComplete="family-name"
        required
        error={errors.lastName?.message}
        {...register('lastName')}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        error={errors.email?.message}
        className={styles.wide}
        {...register('email')}
      />
      <TextField
        label="Mobile Number"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        placeholder="0#########"
        required
        error={errors.mobileNumber?.message}
        className={styles.wide}
        {...register('mobileNumber')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        required
        error={errors.password?.message}
        className={styles.wide}
        {...register('password')}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        required
        error={errors.confirmPassword?.message}
        className={styles.wide}
        {...register('confirmPassword')}
      />
      <div className={styles.wide}>
        <Checkbox
          label="I agree to the terms and conditions"
          required
          error={errors.agree && 'Please agree to the terms and conditions to go on'}
          {...register('agree')}
        />
        <p className={styles.terms}>
          <a href={termsPage(getTenant())} target="_blank" rel="noreferrer">
            Read them in a new tab
          </a>
        </p>
      </div>
      <Button type="submit" className={styles.wide} isBusy={isBusy} busyLabel="Loading...">
        Register
      </Button>
      <div className={styles.wide}>
        <HelpedProblem words={messages.registerFailed} help={alreadyRegistered.join('')} isShown={save.isError}>
          <AlreadyRegistered email={getValues('email')} />
        </HelpedProblem>
      </div>
    </form>
  );
}

/** A sentence in parts, two of which are links; shown at every failure, so that it reveals no address. */
const alreadyRegistered = ['Already registered? ', 'Login', ', or ', 'reset your password', '.'] as const;

function AlreadyRegistered({ email }: { email: string }) {
  const reset = useResetModal(email);
  const [question, login, or, resetPassword, end] = alreadyRegistered;
  return (
    <>
      {question}
      <TextLink to="/">{login}</TextLink>
      {or}
      <LinkButton onClick={reset.open}>{resetPassword}</LinkButton>
      {end}
      {reset.isSent && <span role="status"> {resetSent}</span>}
      {reset.modal}
    </>
  );
}
