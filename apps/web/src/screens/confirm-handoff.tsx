import { confirmHandoff } from '@sparechange/contract';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { leaveFor } from '#api/leave.ts';
import { type Session, useSession } from '#api/session.ts';
import { starting } from '#features/consent/connection.ts';
import { ConnectionPage } from '#features/consent/connection-page.tsx';
import { isOurHost } from '#tenant/our-host.ts';
import { useAddressQuery } from '#ui/address-query.ts';

/**
 * Confirms to a tenant's host the code that this host sent there — /hand-off/confirm
 * (docs/decisions/tenants.md#hand-off-between-hosts). The browser returns immediately, with the code if the session
 * here confirms it.
 */
export default function ConfirmHandoff() {
  const session = useSession();
  const navigate = useNavigate();
  const query = useAddressQuery();

  useEffect(() => {
    if (session.state === 'starting') return;
    const goHome = () => navigate('/', { replace: true });
    returnTo(query, session)
      .then((url) => (url ? leaveFor(url) : goHome()))
      .catch(goHome);
  }, [session, query, navigate]);

  return <ConnectionPage words={starting} state="busy" />;
}

/** Returns the address to return to; undefined for foreign hosts. */
async function returnTo(query: URLSearchParams, session: Session): Promise<URL | undefined> {
  const { to, challenge, handoff, ...rest } = Object.fromEntries(query);
  if (!to || !(await isOurHost(to))) return undefined;
  const url = new URL(`${location.protocol}//${to}/consented`);
  url.search = new URLSearchParams(rest).toString();
  if (session.state !== 'signed-in' || !handoff || !challenge) return url;
  const isConfirmed = await call(confirmHandoff, { userId: session.userId, handoff, challenge }).then(
    () => true,
    (error: unknown) => console.error(error),
  );
  if (isConfirmed) url.searchParams.set('handoff', handoff);
  return url;
}
