import { readBankState } from '@sparechange/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { keepBankReturn } from '#features/consent/bank-return.ts';
import { starting, verificationWords } from '#features/consent/connection.ts';
import { ConnectionPage } from '#features/consent/connection-page.tsx';
import { ConnectionProgress } from '#features/consent/connection-progress.tsx';
import { OtherAccount } from '#features/consent/other-account.tsx';
import { RenewalReturn, RenewalSignedOut, renewalBegins } from '#features/consent/renewal-return.tsx';
import { useArrival } from '#features/consent/use-arrival.ts';
import { useHomeTenant } from '#features/consent/use-home-tenant.ts';
import { RequireSession } from '#features/identity/caller.tsx';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { useAddressQuery } from '#ui/address-query.ts';
import { Button } from '#ui/button.tsx';

/** Bank connection progress — /consented. */
export default function Consented() {
  const query = useAddressQuery();
  const jobId = query.get('jobId') ?? undefined;
  useState(() => keepBankReturn(query));
  const arrival = useArrival();
  const isLeaving = useHomeTenant(jobId, query.get('state'));

  const isRenewal = readBankState(query.get('state'))?.isRenewal === true;

  if (arrival === 'link of another account') return <OtherAccount />;
  if (isLeaving || arrival === 'checking') return isRenewal ? renewalBegins : beginning;
  if (isRenewal) {
    return (
      <RequireSession waiting={renewalBegins} signedOut={<RenewalSignedOut jobId={jobId} />}>
        <RenewalReturn jobId={jobId} />
      </RequireSession>
    );
  }
  return (
    <RequireSession waiting={beginning} signedOut={<Unverified />}>
      <ConnectionProgress jobId={jobId} verify={<VerifyButton look="secondary" />} />
    </RequireSession>
  );
}

const beginning = <ConnectionPage words={starting} state="busy" />;

/** Asks those without sessions, as from other tenants, to verify. */
const Unverified = () => (
  <ConnectionPage words={verificationWords} state="verification" reason="You're not logged in on this device.">
    <StepActions>
      <VerifyButton />
    </StepActions>
  </ConnectionPage>
);

function VerifyButton({ look = 'primary' }: { look?: 'primary' | 'secondary' }) {
  const navigate = useNavigate();
  return (
    <Button look={look} onClick={() => void navigate('/verify')}>
      Verify My Account
    </Button>
  );
}
