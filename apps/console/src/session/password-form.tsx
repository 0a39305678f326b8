import { beginPassword, type Operator, setPassword, shortestPassword } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { PasswordField } from '@sparechange/web/ui/password-field.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { CallProblem } from '#api/call-problem.ts';
import { Failure } from '../ui/failure.tsx';
import { useCallForm } from '../ui/form.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { EntryForm, Quiet } from './entry.tsx';
import { CodeField, digitsOf } from './fields.tsx';
import styles from './password-form.module.css';

/** Returns whether the authenticator's key has lapsed, so that none of its codes can be right. */
const hasLapsed = (error: unknown): boolean =>
  error instanceof CallProblem && error.code === 'invalid-input' && Object.keys(error.fields).length === 0;

/** Chooses a password together with an authenticator, whose first code proves that it works. */
export function PasswordForm({ onDone }: { onDone: (operator: Operator) => void }) {
  const begun = useQuery({
    queryKey: ['password'],
    queryFn: () => call(beginPassword, {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const choose = useMutation({
    mutationFn: (form: FormData) =>
      call(setPassword, {
        challengeId: begun.data?.challengeId ?? '',
        password: String(form.get('password')),
        code: digitsOf(form.get('code')),
      }),
    onSuccess: ({ operator }) => onDone(operator),
    onError: (error) => {
      if (hasLapsed(error)) void begun.refetch();
    },
  });
  const { problem, form } = useCallForm(choose.error, choose.mutate);
  if (begun.isError) return <Failure of={begun.error} again={begun.refetch} />;
  return (
    <EntryForm {...form}>
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        required
        hint={`At least ${shortestPassword} characters`}
        error={problem('password')}
      />
      <div className={styles.secret}>
        <Quiet>
          Scan this with the authenticator of your phone, or enter the key, then give the code that it shows:
        </Quiet>
        {begun.data && <QrCode code={begun.data.qr} name="QR code for the authenticator" />}
        <output className={styles.key} aria-label="Key of the authenticator">
          {begun.data?.secret.replaceAll(/.{4}(?=.)/g, '$& ') ?? '…'}
        </output>
        {begun.data && <a href={begun.data.address}>Open in an authenticator on this device</a>}
      </div>
      <CodeField label="Code" problem={problem} />
      <Failure of={choose.error} />
      <Button type="submit" isBusy={choose.isPending} disabled={!begun.data}>
        Save password
      </Button>
    </EntryForm>
  );
}
