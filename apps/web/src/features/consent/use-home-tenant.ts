import { readBankState } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readStored } from '#api/stored.ts';
import { getStart } from '#tenant/current.ts';
import { isOurHost } from '#tenant/our-host.ts';
import { consentedUrl, loadRedirects } from '#tenant/redirects.ts';
import { leaveForTenant } from './leave-for-tenant.ts';

/**
 * Sends a supporter who returns from the bank to their tenant. The bank returns everybody to one address of the
 * product; `state` names the tenant whose host the supporter came from and is signed in at. A club's supporters
 * continue at its tenant. Unknown tenants are ignored. Returns true until it is known whether the supporter stays here.
 */
export function useHomeTenant(jobId: string | undefined, state: string | null): boolean {
  const clubId = readStored('clubId');
  const userId = readStored('userId');
  const redirects = useQuery({
    queryKey: ['redirects'],
    queryFn: loadRedirects,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: clubId !== undefined,
  });
  const tenantKey = readBankState(state)?.tenantKey;
  const ofState = tenantKey === 'default' ? undefined : tenantKey;
  const isElsewhere = ofState !== undefined && ofState !== getStart().tenantKey;
  const known = useQuery({
    queryKey: ['tenant exists', ofState],
    queryFn: () => isOurHost(consentedUrl(ofState ?? '', {}).host),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: isElsewhere,
  });
  const stateTenant = known.data === true ? ofState : undefined;
  const tenant = (clubId === undefined ? undefined : redirects.data?.consented[clubId]) ?? stateTenant;
  const isRenewal = readBankState(state)?.isRenewal === true;
  const isLeaving = tenant !== undefined && tenant !== getStart().tenantKey && !redirects.isLoading && !known.isLoading;

  useEffect(() => {
    if (isLeaving) void leaveForTenant(tenant, { userId, jobId, isRenewal });
  }, [isLeaving, tenant, userId, jobId, isRenewal]);

  return isLeaving || redirects.isLoading || known.isLoading;
}
