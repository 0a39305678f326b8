import type { Landing } from '@sparechange/contract';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { loadIdentity } from '#api/session.ts';
import { LandingPage } from '#features/clubs/landing-page.tsx';
import styles from '#features/identity/credentials-form.module.css';
import { CredentialsForm } from '#features/identity/credentials-form.tsx';
import { ForgotPassword } from '#features/identity/forgot-password.tsx';
import { useReferral } from '#features/identity/referral.ts';
import { readReturnTo } from '#features/identity/return-to.ts';
import { FinishRegistering } from '#features/identity/unfinished.tsx';
import { registrationStart } from '#features/tenants/registration-start.ts';
import { getStart } from '#tenant/current.ts';
import { isCampaignOver } from '#tenant/pages.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { useStarted } from '#ui/use-started.ts';
import { messages } from '../messages.ts';

const loadSignIn = () => import('#features/identity/sign-in.ts');

interface LoginProps {
  /** The club whose page is beside the form; without one it is the brand's. */
  club?: { slug: string; landing: Landing };
  isUnknownSlug?: boolean;
}

/**
 * Login — /, and /:variable with a club. The form arrives with the script that sends it; the page beside it, before.
 */
export function Login({ club, isUnknownSlug = false }: LoginProps) {
  const isStarted = useStarted();
  return (
    <LandingPage
      landing={club?.landing ?? brandLanding()}
      slug={club?.slug}
      notice={isUnknownSlug ? <UnknownSlug /> : isCampaignOver() && ended}
    >
      {isStarted && <LoginForm />}
    </LandingPage>
  );
}

/** Says that no club has the address; where clubs are to choose from, how to find one. */
const UnknownSlug = () => (
  <Notice>
    <p>{messages.clubsFailed}</p>
    {registrationStart(getStart()).path === '/clubs' && <p>No club has this address. Start below to find yours.</p>}
  </Notice>
);

const ended = (
  <Notice kind="information">
    This campaign has ended. If you have an account you can still sign in to see your history and statements.
  </Notice>
);

/** Returns the brand's page as the server wrote it, or its name alone. */
function brandLanding(): Landing {
  const { landings, settings } = getStart();
  const nothing = { about: null, suburb: null, sport: null, logoURL: null, pictureURL: null, abn: null, figures: null };
  return landings?.brand ?? { clubId: null, hasEnded: isCampaignOver(), page: { name: settings.name, ...nothing } };
}

function LoginForm() {
  const navigate = useNavigate();
  const goBackTo = readReturnTo(useLocation().state);
  const [email, setEmail] = useState('');
  const [isUnfinished, setUnfinished] = useState(false);
  const registration = registrationStart(getStart());

  useReferral();
  useEffect(() => {
    // The form can be typed into already; the code that its button needs is still loading.
    const failsLater = () => undefined;
    const timer = setTimeout(() => {
      loadIdentity().catch(failsLater);
      loadSignIn().catch(failsLater);
    });
    return () => clearTimeout(timer);
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
    <>
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
    </>
  );
}
