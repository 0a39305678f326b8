import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSession } from '#api/session.ts';
import { readStored, store } from '#api/stored.ts';
import { TryAgain } from '#ui/try-again.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { messages } from '../../messages.ts';
import type { ReturnTo } from './return-to.ts';
import { userQuery } from './user-query.ts';

interface Caller {
  /** The identity provider's uid. */
  userId: string;
  /** Our own id of the supporter. */
  cdrid: string;
}

const CallerContext = createContext<Caller | undefined>(undefined);

export function useCaller(): Caller {
  const caller = useContext(CallerContext);
  if (!caller) throw new Error('This part stands outside RequireSession');
  return caller;
}

interface RequireSessionProps {
  /** What is shown to somebody who is not signed in; else they are led to the login screen and back afterwards. */
  signedOut?: ReactNode;
  /** What stands in while it is not known who is there. */
  waiting?: ReactNode;
  children: ReactNode;
}

/** The door to every screen of a signed-in supporter. */
export function RequireSession({ signedOut, waiting = <Waiting />, children }: RequireSessionProps) {
  const session = useSession();
  const { pathname, search, state: returnState } = useLocation();
  const userId = readStored('userId');

  if (session.state === 'starting' && userId) return waiting;
  if (session.state !== 'signed-in' || !userId) {
    const state: ReturnTo = { returnTo: `${pathname}${search}`, returnState };
    return signedOut ?? <Navigate to="/" replace state={state} />;
  }
  return (
    <KnownCaller userId={session.userId} waiting={waiting}>
      {children}
    </KnownCaller>
  );
}

interface KnownCallerProps {
  userId: string;
  waiting: ReactNode;
  children: ReactNode;
}

/** Finds the cdrid where the browser does not hold it, or holds that of somebody who was signed in before. */
function KnownCaller({ userId, waiting, children }: KnownCallerProps) {
  const isSame = readStored('userId') === userId;
  const stored = isSame ? readStored('cdrid') : undefined;
  const user = useQuery({ ...userQuery(userId), enabled: stored === undefined });
  const cdrid = stored ?? user.data?._id;

  useEffect(() => {
    if (user.data === undefined) return;
    store('userId', userId);
    store('cdrid', user.data._id);
    store('clubId', user.data.supportingClubId);
  }, [user.data, userId]);

  if (cdrid) return <CallerContext value={{ userId, cdrid }}>{children}</CallerContext>;
  if (!user.isError) return waiting;
  return (
    <div style={{ maxWidth: 480, margin: '24px auto' }}>
      <TryAgain onRetry={user.refetch}>{messages.dashboardFailed}</TryAgain>
    </div>
  );
}
