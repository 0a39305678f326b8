import { signInWithLink } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { CallProblem } from '#api/call-problem.ts';
import { Failure } from '../ui/failure.tsx';
import { Entry, Quiet } from './entry.tsx';
import { enter } from './session.ts';

/** Returns whether the server called a link invalid, rather than left the question unanswered. */
const isNoLink = (error: unknown): boolean =>
  error instanceof CallProblem && ['not-found', 'not-allowed', 'invalid-input'].includes(error.code);

/** The page of a mailed link. It takes a press to use the link, since mail programs fetch links to scan them. */
export function OpenLink() {
  const navigate = useNavigate();
  const [token] = useState(() => location.hash.slice(1));
  const open = useMutation({
    mutationFn: () => call(signInWithLink, { token }),
    onSuccess: ({ operator }) => {
      enter(operator);
      navigate('/', { replace: true });
    },
  });
  if (isNoLink(open.error) || !token)
    return (
      <Entry title="This link cannot be opened">
        <Notice>It works once, and it may have expired.</Notice>
        <p>
          <Link to="/">Sign in, or ask for another link</Link>
        </p>
      </Entry>
    );
  return (
    <Entry title="Welcome">
      <Quiet>Your link works once. Open it on the device that you are going to use.</Quiet>
      <Failure of={open.error} />
      <Button isBusy={open.isPending} onClick={() => open.mutate()}>
        Continue
      </Button>
    </Entry>
  );
}
