import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSession } from '#api/session.ts';
import { readStored, store } from '#api/stored.ts';
import { Help } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { isOfflinePage, useIsOffline } from '#ui/status-line.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { messages } from '../../messages.ts';
import { keepFigures, restoreFigures } from './last-figures.ts';
import { becomeUser, forgetUser, isPresent } from './present-user.ts';
import type { ReturnTo } from './return-to.ts';
import { FinishRegistering, isUnfinished } from './unfinished.tsx';
import { userQuery } from './user-query.ts';

export interface Caller {
  /** The identity provider's uid. */
  userId: string;
  /** Our own id of the supporter. */
  cdrid: string;
}

const CallerContext = createContext<Caller | undefined>(undefined);

export function useCaller(): Caller {
  const caller = useContext(CallerContext);
  if (!caller) throw new Error('useCaller was called outside RequireSession');
  return caller;
}

interface RequireSessionProps {
  /** Shown to visitors; by default they see the login screen. */
  signedOut?: ReactNode;
  /** Shown until the session is known. */
  waiting?: ReactNode;
  /** Shown where the supporter cannot be loaded. */
  problem?: ProblemWords;
  children: ReactNode;
}

interface ProblemWords {
  words: string;
  help?: string;
}

/** The door to every screen of a signed-in supporter. */
export function RequireSession({
  signedOut,
  waiting = <Waiting />,
  problem = { words: messages.dashboardFailed },
  children,
}: RequireSessionProps) {
  const session = useSession();
  const userId = readStored('userId');

  if (session.state === 'starting' && userId) return waiting;
  if (session.state !== 'signed-in' || !userId) return signedOut ?? <ToLogin />;
  return (
    <OneUser key={session.userId} userId={session.userId} waiting={waiting}>
      <KnownCaller userId={session.userId} waiting={waiting} problem={problem}>
        {children}
      </KnownCaller>
    </OneUser>
  );
}

/** Paths our emails' links lead to, in any browser. */
const mailedPaths = ['/linked-accounts', '/finished'];

/** Leads to the login screen, and a user with a lapsed session back from it. None of their data stays here. */
function ToLogin() {
  const { pathname, search } = useLocation();
  const [state] = useState((): ReturnTo | undefined => {
    const userId = readStored('userId');
    if (userId === undefined && !mailedPaths.includes(pathname)) return undefined;
    return { returnTo: `${pathname}${search}`, userId: userId ?? null };
  });
  useEffect(forgetUser, []);
  return <Navigate to="/" replace state={state} />;
}

/** Shows nothing until another user's data have been removed from this browser. */
function OneUser({ userId, waiting, children }: OneUserProps) {
  const [isAlone, setAlone] = useState(() => isPresent(userId));
  useLayoutEffect(() => {
    becomeUser(userId);
    if (isOfflinePage()) restoreFigures(userId);
    setAlone(true);
    return keepFigures(userId);
  }, [userId]);
  return isAlone ? children : waiting;
}

interface OneUserProps {
  userId: string;
  waiting: ReactNode;
  children: ReactNode;
}

interface KnownCallerProps extends OneUserProps {
  problem: ProblemWords;
}

/** Finds the cdrid where the browser does not hold it. */
function KnownCaller({ userId, waiting, problem, children }: KnownCallerProps) {
  const stored = readStored('cdrid');
  const user = useQuery({ ...userQuery(userId), enabled: stored === undefined });
  const cdrid = stored ?? user.data?._id;
  const isOffline = useIsOffline();

  useEffect(() => {
    if (user.data === undefined) return;
    store('cdrid', user.data._id);
    store('clubId', user.data.supportingClubId);
  }, [user.data]);

  if (cdrid) return <CallerContext value={{ userId, cdrid }}>{children}</CallerContext>;
  if (!user.isError) return waiting;
  return (
    <div style={{ maxWidth: 480, margin: '24px auto' }}>
      <TryAgain onRetry={user.refetch}>{problem.words}</TryAgain>
      {isUnfinished(user.error) ? (
        <Help>
          <FinishRegistering />
        </Help>
      ) : (
        problem.help && !isOffline && <Help>{problem.help}</Help>
      )}
    </div>
  );
}
