import { signInWithLink } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { Entry, Quiet } from './entry.tsx';
import { enter } from './session.ts';

/** The page of a mailed link. It is opened by a press, since mail programs fetch links to look into them. */
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
  if (open.isError || !token)
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
      <Button isBusy={open.isPending} onClick={() => open.mutate()}>
        Continue
      </Button>
    </Entry>
  );
}
