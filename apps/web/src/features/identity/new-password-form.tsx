import { zodResolver } from '@hookform/resolvers/zod';
import { RegistrationForm } from '@sparechange/contract';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { setNewPassword } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { messages } from '../../messages.ts';
import styles from './credentials-form.module.css';
import { refusalOfPassword } from './refusal-of-password.ts';

const { password, confirmPassword } = RegistrationForm.shape;

/** The new password's form, with registration's rules (docs/rules.md#passwords). */
const Form = z.object({ password, confirmPassword }).refine((form) => form.password === form.confirmPassword, {
  path: ['confirmPassword'],
  error: 'Passwords must match',
});
type Form = z.infer<typeof Form>;

interface NewPasswordFormProps {
  code: string;
  email: string;
  onDone: () => void;
}

export function NewPasswordForm({ code, email, onDone }: NewPasswordFormProps) {
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: zodResolver(Form),
    mode: 'onTouched',
    defaultValues: { password: '', confirmPassword: '' },
  });
  const save = useMutation({
    mutationFn: async (form: Form) => {
      const refusal = await refusalOfPassword(form.password, () => setNewPassword(code, form.password));
      if (refusal) setError('password', { message: refusal }, { shouldFocus: true });
      else onDone();
    },
  });
  const submit = handleSubmit((form) => save.isPending || save.mutate(form));

  return (
    <form noValidate className={`${styles.form} ${styles.withNotes}`} onSubmit={(event) => void submit(event)}>
      <p>Choose a new password for {email}.</p>
      <input type="email" hidden readOnly autoComplete="username" value={email} />
      <PasswordField
        label="New Password"
        autoComplete="new-password"
        required
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        required
        error={formState.errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      <Button type="submit" isBusy={save.isPending}>
        Submit
      </Button>
      <FormProblem words={messages.resetFailed} isShown={save.isError} />
    </form>
  );
}
