import { beginSingleSignOn, finishSingleSignOn } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { z } from 'zod';
import { call } from '#api/call.ts';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/page.tsx';
import { Entry } from './entry.tsx';
import { enter, singleSignOnQuery } from './session.ts';

/** Kept in this tab until the organisation's sign-in returns it. */
const Kept = z.object({ challengeId: z.string(), path: z.string() });
const key = 'single sign-on';

async function leaveForSignIn(isFresh: boolean): Promise<void> {
  const { challengeId, url } = await call(beginSingleSignOn, { isFresh });
  const path = location.pathname.replace(/^\/console/, '') || '/';
  sessionStorage.setItem(key, JSON.stringify({ challengeId, path }));
  location.assign(url);
}

/** Sends the browser to the organisation's own sign-in, if any. */
export function SingleSignOnButton({ isFresh = false }: { isFresh?: boolean }) {
  const { data: name } = useQuery(singleSignOnQuery);
  const leave = useMutation({ mutationFn: () => leaveForSignIn(isFresh) });
  if (!name) return null;
  return (
    <>
      <Button look="secondary" isBusy={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        Sign in {isFresh && 'again '}with {name}
      </Button>
      <Failure of={leave.error} />
    </>
  );
}

/** The page the organisation's sign-in sends the browser back to. */
export function SignedInElsewhere() {
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      const { challengeId, path } = Kept.parse(JSON.parse(sessionStorage.getItem(key) ?? '{}'));
      sessionStorage.removeItem(key);
      const { operator } = await call(finishSingleSignOn, { challengeId, query: location.search });
      return { operator, path };
    },
    onSuccess: ({ operator, path }) => {
      enter(operator);
      navigate(path, { replace: true });
    },
  });
  useEffect(() => mutate(), [mutate]);
  if (!error) return <Loading />;
  return (
    <Entry title="You are not signed in">
      <Failure of={error} otherwise="Please sign in again." />
      <p>
        <Link to="/">Back to signing in</Link>
      </p>
    </Entry>
  );
}
