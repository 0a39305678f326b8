import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { signInWithHandoff } from '#features/identity/sign-in.ts';

/**
 * Opens the session that a code in the address is for, and takes the code out of the address: it is used up. True until
 * it is known; a code that is not accepted leaves the visitor signed out, and the page asks them to verify.
 */
export function useHandoff(): boolean {
  const [query, setQuery] = useSearchParams();
  const [code] = useState(() => query.get('handoff'));
  const [isOpening, setOpening] = useState(code !== null);

  useEffect(() => {
    if (code === null) return;
    setQuery(
      (all) => {
        all.delete('handoff');
        return all;
      },
      { replace: true },
    );
    accept(code).finally(() => setOpening(false));
  }, [code, setQuery]);

  return isOpening;
}

const accepted = new Map<string, Promise<void>>();

/** Exchanges a code once, however often the screen is mounted. */
function accept(code: string): Promise<void> {
  const known = accepted.get(code);
  if (known) return known;
  const accepting = signInWithHandoff(code).catch((error: unknown) => console.error(error));
  accepted.set(code, accepting);
  return accepting;
}
