import { useState } from 'react';
import { readStored } from '#api/stored.ts';
import { Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { useStarted } from '#ui/use-started.ts';

/** Points a supporter who is signed in to the dashboard, rather than let them register again. */
export const AlreadySignedIn = () => useStarted() && <SignedInNotice />;

function SignedInNotice() {
  const [isSignedIn] = useState(() => readStored('userId') !== undefined);
  if (!isSignedIn) return null;
  return (
    <Notice kind="information">
      You are registered and signed in.
      <TextLink to="/dashboard">Go to your dashboard</TextLink>
    </Notice>
  );
}
