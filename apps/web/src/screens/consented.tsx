import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { leaveFor } from '#api/leave.ts';
import { readStored } from '#api/stored.ts';
import { starting } from '#features/consent/connection.ts';
import { ConnectionPage } from '#features/consent/connection-page.tsx';
import { ConnectionProgress } from '#features/consent/connection-progress.tsx';
import { RequireSession } from '#features/identity/caller.tsx';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { getStart } from '#tenant/current.ts';
import { consentedUrl, loadRedirects } from '#tenant/redirects.ts';
import { Button } from '#ui/button.tsx';

/** Bank connection progress — /consented (spec sections 2 and 4). */
export default function Consented() {
  const [query] = useSearchParams();
  const jobId = query.get('jobId') ?? undefined;
  const isLeaving = useTenantOfClub(jobId);

  if (isLeaving) return <ConnectionPage words={starting} state="busy" />;
  return (
    <RequireSession signedOut={<Unverified />}>
      <ConnectionProgress jobId={jobId} verify={<VerifyButton />} />
    </RequireSession>
  );
}

/** Somebody who comes without a session, such as from another tenant's host, is asked to verify (design section 6). */
const Unverified = () => (
  <ConnectionPage
    words={{
      heading: 'Verification',
      message: 'For security reasons we need you to verify your account by logging in.',
    }}
    state="verification"
  >
    <StepActions>
      <VerifyButton />
    </StepActions>
  </ConnectionPage>
);

function VerifyButton() {
  const navigate = useNavigate();
  return <Button onClick={() => void navigate('/verify')}>Verify My Account</Button>;
}

/** One club's supporters continue at that tenant's own consented page. True until it is known who stays here. */
function useTenantOfClub(jobId: string | undefined): boolean {
  const clubId = readStored('clubId');
  const userId = readStored('userId');
  const redirects = useQuery({
    queryKey: ['redirects'],
    queryFn: loadRedirects,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: clubId !== undefined,
  });
  const tenant = clubId === undefined ? undefined : redirects.data?.consented[clubId];
  const isLeaving = tenant !== undefined && tenant !== getStart().tenantKey;

  useEffect(() => {
    if (isLeaving) leaveFor(consentedUrl(tenant, { ...(userId && { userId }), ...(jobId && { jobId }) }));
  }, [isLeaving, tenant, userId, jobId]);

  return isLeaving || redirects.isLoading;
}
