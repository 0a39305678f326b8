import type { extendConsent } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { isObject } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { leaveFor } from '#api/leave.ts';
import styles from '#features/identity/credentials-form.module.css';
import { ForgotPassword } from '#features/identity/forgot-password.tsx';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { getStart } from '#tenant/current.ts';
import { useAddressQuery } from '#ui/address-query.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { FormError } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import { pollEveryMs } from './connection.ts';
import renewalStyles from './consent-renewal.module.css';
import { keepMailedRenewal } from './mailed-renewal.ts';
import { oneMoreStep, renewed } from './renewal-words.ts';

const looks = 5;

interface ConsentRenewalProps {
  title: string;
  operation: typeof extendConsent;
  /** The state until the bank confirms, such as "Nothing changes". */
  unchanged: string;
}

/** The two renewal screens; they differ in title, call and the state before the bank confirms. */
export function ConsentRenewal({ title, operation, unchanged }: ConsentRenewalProps) {
  const { email = '' } = useParams();
  const { pathname, search, state } = useLocation();
  const isConfirming = isObject(state) && state.isConfirming === true; // somebody returning from the bank
  const query = useAddressQuery();
  const token = query.get('token');
  const link = useQuery({
    queryKey: ['consent link', operation.name, email, token],
    queryFn: () => call(operation, { email, ...(token && { token }) }),
    // A bank that was just asked may take a moment to say so.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isConfirming && data?.renewal?.left === 'bank' && dataUpdateCount < looks && pollEveryMs,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const [isLeaving, setLeaving] = useState(false);

  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && setLeaving(false);
    addEventListener('pageshow', wake);
    return () => removeEventListener('pageshow', wake);
  }, []);

  function extend(url: string) {
    keepMailedRenewal(`${pathname}${search}`);
    setLeaving(true);
    leaveFor(url);
  }
  const renewal = link.data?.renewal;
  const left = renewal?.left ?? 'consent';

  return (
    <EntryPage title={title}>
      <p>Hello</p>
      <div className={renewalStyles.words}>
        {renewal && left !== 'consent' ? (
          <p role="status">{left === 'bank' ? oneMoreStep(renewal) : renewed(renewal)}</p>
        ) : (
          <p>
            Consumer Data Right guidelines ask accredited providers to get your consent every 12 months to round-up
            change for your organisation.
          </p>
        )}
      </div>
      {left === 'nothing' ? (
        <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
      ) : (
        <Button
          isBusy={link.isPending || isLeaving}
          disabled={link.data === undefined}
          onClick={() => link.data && extend(link.data.consentLink)}
        >
          {left === 'bank' ? 'Confirm at Your Bank' : 'Extend'}
        </Button>
      )}
      <div className={renewalStyles.outcome}>
        {link.isError ? (
          <FormError>{messages.consentLinkFailed(`support@${getStart().config.productDomain}`)}</FormError>
        ) : (
          left !== 'nothing' && (
            <p role="status">
              {link.isPending
                ? 'Getting the link to your bank...'
                : isLeaving
                  ? 'Taking you to your bank...'
                  : `${unchanged} until you confirm with your bank.`}
            </p>
          )
        )}
      </div>
      <div className={styles.links}>
        <span>
          Don't have an account? <TextLink to="/clubs">Register</TextLink>
        </span>
        <ForgotPassword email={email} />
      </div>
    </EntryPage>
  );
}
