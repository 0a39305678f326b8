import type { Redirects } from '@sparechange/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { destinationAfterVerifying } from '#features/consent/destination.ts';
import { leaveForTenant } from '#features/consent/leave-for-tenant.ts';
import styles from '#features/identity/credentials-form.module.css';
import { CredentialsForm } from '#features/identity/credentials-form.tsx';
import { ForgotPassword } from '#features/identity/forgot-password.tsx';
import { signInSupporter } from '#features/identity/sign-in.ts';
import { FinishRegistering } from '#features/identity/unfinished.tsx';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { getStart } from '#tenant/current.ts';
import { loadRedirects } from '#tenant/redirects.ts';
import { FormError, Help } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';
import verifyStyles from './verify.module.css';

const seenForMs = 4000;

/** Logs that the redirects did not load and continues without them, as the sign-in has succeeded. */
function noRedirects(error: unknown): Pick<Redirects, 'verify'> {
  console.error(error);
  return { verify: {} };
}

/** Confirm Account — /verify. */
export default function Verify() {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<{ words: string; help: ReactNode }>();
  const [email, setEmail] = useState('');

  useEffect(() => {
    if (!problem) return;
    const timer = setTimeout(() => void navigate('/confirmed'), seenForMs);
    return () => clearTimeout(timer);
  }, [problem, navigate]);

  async function verify(email: string, password: string) {
    const { userId, user } = await signInSupporter(email, password);
    const destination = destinationAfterVerifying(user, await loadRedirects().catch(noRedirects));
    if (destination.kind === 'no organisation')
      return setProblem({ words: messages.noOrganisation, help: !user && <FinishRegistering /> });
    if (destination.kind === 'unmapped')
      return setProblem({ words: messages.noRedirect, help: 'You are signed in, and we continue in a moment.' });
    const { tenant } = destination;
    if (tenant === getStart().tenantKey) await navigate(`/consented?${new URLSearchParams({ userId })}`);
    else await leaveForTenant(tenant, { userId });
  }

  return (
    <EntryPage title="Confirm Account">
      <p>For security purposes we require you to confirm your account</p>
      <CredentialsForm action="Verify" onSubmit={verify} error={messages.loginFailed} onEmail={setEmail} />
      <div className={verifyStyles.below}>
        {problem && (
          <div>
            <FormError>{problem.words}</FormError>
            <Help>{problem.help}</Help>
          </div>
        )}
        <div className={`${styles.links} ${problem ? verifyStyles.passed : ''}`}>
          <span>
            Don't have an account? <TextLink to="/clubs">Register</TextLink>
          </span>
          <ForgotPassword email={email} />
        </div>
      </div>
    </EntryPage>
  );
}
