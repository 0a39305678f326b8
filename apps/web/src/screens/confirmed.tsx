import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { store } from '#api/stored.ts';
import { clubQuery } from '#features/clubs/clubs-query.ts';
import { starting } from '#features/consent/connection.ts';
import { ConnectionPage } from '#features/consent/connection-page.tsx';
import { ConnectionProgress } from '#features/consent/connection-progress.tsx';
import { leaveForTenant } from '#features/consent/leave-for-tenant.ts';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { getStart } from '#tenant/current.ts';
import { confirmedTenant, loadRedirects } from '#tenant/redirects.ts';
import { Button } from '#ui/button.tsx';

/** Bank connection progress after verification — /confirmed. */
export default function Confirmed() {
  return (
    <RequireSession waiting={<ConnectionPage words={starting} state="busy" />}>
      <Connection />
    </RequireSession>
  );
}

function Connection() {
  const navigate = useNavigate();
  const home = useHomeOfClub();
  if (home !== 'here') return <ConnectionPage words={starting} state="busy" />;
  return (
    <ConnectionProgress
      jobId={undefined}
      verify={
        <Button look="secondary" onClick={() => void navigate('/logout')}>
          Log In
        </Button>
      }
    />
  );
}

/** Four rules send some clubs' supporters to their tenant. */
function useHomeOfClub(): 'asking' | 'leaving' | 'here' {
  const { userId } = useCaller();
  const user = useQuery(userQuery(userId));
  const clubId = user.data?.supportingClubId ?? '';
  const club = useQuery({ ...clubQuery(clubId), enabled: clubId !== '', retry: false });
  const redirects = useQuery({ queryKey: ['redirects'], queryFn: loadRedirects, retry: false });
  const tenant = club.data && redirects.data && confirmedTenant(redirects.data.confirmed, club.data);
  const isLeaving = tenant !== undefined && tenant !== getStart().tenantKey;
  const cdrid = user.data?._id;

  useEffect(() => {
    if (cdrid) store('cdrid', cdrid);
  }, [cdrid]);
  useEffect(() => {
    if (isLeaving) void leaveForTenant(tenant, { userId });
  }, [isLeaving, tenant, userId]);

  if (isLeaving) return 'leaving';
  return user.isLoading || club.isLoading || redirects.isLoading ? 'asking' : 'here';
}
