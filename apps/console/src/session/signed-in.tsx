import { Button } from '@sparechange/web/ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Failure } from '../ui/failure.tsx';
import { Entry } from './entry.tsx';
import { sessionQuery } from './session.ts';
import { SetUp } from './set-up.tsx';
import { SignIn } from './sign-in.tsx';

/** Interval at which a visible page checks that its session was not ended elsewhere. */
const sessionCheckMs = 30_000;

const Console = lazy(() => import('../console.tsx'));

/** Shows the console, or the step missing before it. */
export function SignedIn() {
  const {
    data: operator,
    error,
    refetch,
  } = useQuery({
    ...sessionQuery,
    refetchInterval: ({ state }) => (state.data ? sessionCheckMs : false),
  });
  if (error && !operator)
    return (
      <Entry title="The console cannot be reached">
        <Failure of={error} />
        <Button onClick={() => void refetch()}>Try again</Button>
      </Entry>
    );
  if (operator === undefined) return null;
  if (operator === null) return <SignIn />;
  if (operator.isByLink && !operator.hasSignIn && !operator.roles.includes('treasurer')) return <SetUp />;
  return (
    <Suspense>
      <Console />
    </Suspense>
  );
}
