import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { loadIdentity } from '#api/session.ts';
import styles from '#features/identity/credentials-form.module.css';
import { CredentialsForm } from '#features/identity/credentials-form.tsx';
import { ForgotPassword } from '#features/identity/forgot-password.tsx';
import { captureReferral } from '#features/identity/referral.ts';
import { readReturnTo } from '#features/identity/return-to.ts';
import { EntryPage, taglineClass } from '#features/tenants/entry-page.tsx';
import { registrationStart } from '#features/tenants/registration-start.ts';
import { getStart, getTenant } from '#tenant/current.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { FormError } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { Title } from '#ui/title.tsx';
import { messages } from '../messages.ts';

const loadSignIn = () => import('#features/identity/sign-in.ts');

/** Login — / (spec section 2). */
export function Login({ isUnknownSlug = false }: { isUnknownSlug?: boolean }) {
  const navigate = useNavigate();
  const goBackTo = readReturnTo(useLocation().state);
  const [query] = useSearchParams();
  const { biline, name } = getTenant();
  const registration = registrationStart(getStart());

  useEffect(() => captureReferral(query), [query]);
  useEffect(() => {
    // The form is there and can be typed into; what its button needs comes meanwhile.
    const failsLater = () => undefined;
    loadIdentity().catch(failsLater);
    loadSignIn().catch(failsLater);
  }, []);

  async function logIn(email: string, password: string) {
    const { signInSupporter } = await loadSignIn();
    await signInSupporter(email, password);
    await navigate(goBackTo?.returnTo ?? '/dashboard', { state: goBackTo?.returnState });
  }

  return (
    <EntryPage
      banner={
        <Title site={name} className={taglineClass}>
          {biline.primary}
        </Title>
      }
    >
      {isUnknownSlug && <FormError>{messages.clubsFailed}</FormError>}
      <CredentialsForm action="Login" onSubmit={logIn} error={messages.loginFailed}>
        <Checkbox label="Remember me" name="remember" />
      </CredentialsForm>
      <div className={styles.links}>
        <span>
          Don't have an account?{' '}
          <TextLink to={registration.path} state={registration.state}>
            Register
          </TextLink>
        </span>
        <ForgotPassword />
      </div>
    </EntryPage>
  );
}
