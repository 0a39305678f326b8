import { bankState, createHandoff } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { leaveFor } from '#api/leave.ts';
import { consentedUrl } from '#tenant/redirects.ts';
import { keptNonce } from './bank-return.ts';

interface Traveller {
  userId: string | undefined;
  jobId?: string | undefined;
  /** True if they come from renewing a consent. */
  isRenewal?: boolean;
}

/**
 * Sends the supporter to a tenant's own consented page, with their userId and a code that opens a session there once
 * that page has asked this host for it (docs/decisions/tenants.md#hand-off-between-hosts). Without a code that page
 * asks them to verify.
 */
export async function leaveForTenant(tenant: string, { userId, jobId, isRenewal = false }: Traveller): Promise<void> {
  const nonce = keptNonce();
  const state = (isRenewal || nonce) && bankState({ tenantKey: tenant, isRenewal, nonce });
  const url = consentedUrl(tenant, { ...(userId && { userId }), ...(jobId && { jobId }), ...(state && { state }) });
  if (userId) {
    const code = await call(createHandoff, { userId, host: url.host }).catch((error: unknown) => console.error(error));
    if (code) url.searchParams.set('handoff', code.handoff);
    if (code) url.searchParams.set('from', location.host);
  }
  leaveFor(url);
}
