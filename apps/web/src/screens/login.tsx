import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { loadIdentity } from '#api/session.ts';
import styles from '#features/identity/credentials-form.module.css';
import { CredentialsForm } from '#features/identity/credentials-form.tsx';
import { ForgotPassword } from '#features/identity/forgot-password.tsx';
import { useReferral } from '#features/identity/referral.ts';
import { readReturnTo } from '#features/identity/return-to.ts';
import { FinishRegistering } from '#features/identity/unfinished.tsx';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { registrationStart } from '#features/tenants/registration-start.ts';
import { getStart, getTenant } from '#tenant/current.ts';
import { hasEnded } from '#tenant/pages.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { FormError, Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';

const loadSignIn = () => import('#features/identity/sign-in.ts');

/** Login — /. */
export function Login({ isUnknownSlug = false }: { isUnknownSlug?: boolean }) {
  const navigate = useNavigate();
  const goBackTo = readReturnTo(useLocation().state);
  const [email, setEmail] = useState('');
  const [isUnfinished, setUnfinished] = useState(false);
  const registration = registrationStart(getStart());

  useReferral();
  useEffect(() => {
    // The form is there and can be typed into; what its button needs comes meanwhile.
    const failsLater = () => undefined;
    loadIdentity().catch(failsLater);
    loadSignIn().catch(failsLater);
  }, []);

  async function logIn(email: string, password: string) {
    setUnfinished(false);
    const { signInSupporter, leaveUnfinished } = await loadSignIn();
    const { userId, user } = await signInSupporter(email, password);
    if (!user) {
      await leaveUnfinished();
      setUnfinished(true);
      throw new Error('The registration is not finished');
    }
    if (goBackTo && (goBackTo.userId ?? userId) === userId) await navigate(goBackTo.returnTo, { replace: true });
    else await navigate('/dashboard');
  }

  return (
    <EntryPage>
      {hasEnded(getTenant(), new Date()) && (
        <Notice kind="information">
          This campaign has ended. If you have an account you can still sign in to see your history and statements.
        </Notice>
      )}
      {isUnknownSlug && <FormError>{messages.clubsFailed}</FormError>}
      <CredentialsForm
        action="Login"
        onSubmit={logIn}
        error={messages.loginFailed}
        help={isUnfinished && <FinishRegistering />}
        onEmail={setEmail}
      >
        <div>
          <Checkbox label="Remember me" name="remember" aria-describedby="stay-signed-in" />
          <p id="stay-signed-in" className={styles.besideBox}>
            You stay signed in here until you log out.
          </p>
        </div>
      </CredentialsForm>
      <div className={styles.links}>
        <span>
          Don't have an account?{' '}
          <TextLink to={registration.path} state={registration.state}>
            Register
          </TextLink>
        </span>
        <ForgotPassword email={email} />
      </div>
    </EntryPage>
  );
}
