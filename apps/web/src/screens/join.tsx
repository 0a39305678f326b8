import { zodResolver } from '@hookform/resolvers/zod';
import { askToJoin, ClubRequestForm } from '@sparechange/contract';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { fieldErrors } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { TextField, type TextFieldProps } from '#ui/text-field.tsx';
import { Small, TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';
import styles from './join.module.css';

const fields: [keyof ClubRequestForm, TextFieldProps][] = [
  ['name', { label: 'Name of the club', autoComplete: 'organization' }],
  ['abn', { label: 'ABN', inputMode: 'numeric' }],
  ['suburb', { label: 'Suburb', autoComplete: 'address-level2' }],
  ['purpose', { label: 'What is the money for?', maxLength: 300 }],
  ['contactName', { label: 'Your name', autoComplete: 'name' }],
  ['email', { label: 'Email', type: 'email', autoComplete: 'email' }],
];
const empty = Object.fromEntries(fields.map(([name]) => [name, ''])) as ClubRequestForm;

/** A club asks to join — /join. */
export default function Join() {
  const { register, handleSubmit, setError, formState } = useForm<ClubRequestForm>({
    resolver: zodResolver(ClubRequestForm),
    mode: 'onTouched',
    defaultValues: empty,
  });
  const ask = useMutation({
    mutationFn: (form: ClubRequestForm) => call(askToJoin, form),
    onError: (error) => {
      const named = Object.fromEntries(fields.map(([name]) => [name, name]));
      for (const [field, message] of fieldErrors(error, named)) setError(field as keyof ClubRequestForm, { message });
    },
  });
  if (ask.isSuccess)
    return (
      <EntryPage title="Check your email">
        <p role="status">
          We have mailed {ask.variables.email} a link. Open it within a week to confirm the request, and we will look at
          it.
        </p>
        <Small>
          <TextLink to="/">Back to the first page</TextLink>
        </Small>
      </EntryPage>
    );
  const submit = handleSubmit((form) => ask.isPending || ask.mutate(form));
  return (
    <EntryPage title="Join with your club">
      <p>
        For clubs, schools and charities with an ABN. Your supporters round up their purchases, and the spare change is
        paid to your account. A person reads every request.
      </p>
      <form noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
        {fields.map(([name, field]) => (
          <TextField key={name} required error={formState.errors[name]?.message} {...field} {...register(name)} />
        ))}
        <Button type="submit" isBusy={ask.isPending}>
          Ask to join
        </Button>
        <FormProblem words={messages.somethingWrong} isShown={ask.isError} />
      </form>
      <Small>
        Looking for a club to support? <TextLink to="/clubs">Choose one</TextLink>
      </Small>
    </EntryPage>
  );
}
