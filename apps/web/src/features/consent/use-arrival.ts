import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { leaveFor } from '#api/leave.ts';
import { useSession } from '#api/session.ts';
import { signInWithHandoff } from '#features/identity/sign-in.ts';
import { isOurHost } from '#tenant/our-host.ts';
import { makeChallenge, takeVerifier } from './handoff-secret.ts';

export type Arrival = 'checking' | 'settled' | 'link of another account';

/**
 * Receives somebody whom another of our hosts sent here. Whoever is signed in stays so, whatever the link says. Without a
 * session this tab asks the host it came from for the code in the address, and exchanges it when it is brought back;
 * every other code leaves the visitor signed out, and the page asks them to verify.
 */
export function useArrival(): Arrival {
  const session = useSession();
  const [query, setQuery] = useSearchParams();
  const [code] = useState(() => query.get('handoff'));
  const [from] = useState(() => query.get('from'));
  const [isReceived, setReceived] = useState(code === null);
  const named = query.get('userId');

  useEffect(() => {
    if (code === null || session.state === 'starting') return;
    const forgetCode = () => {
      setQuery(
        (all) => {
          all.delete('handoff');
          all.delete('from');
          return all;
        },
        { replace: true },
      );
      setReceived(true);
    };
    if (session.state === 'signed-in' && !received.has(code)) return forgetCode();
    receive(code, from)
      .catch((error: unknown) => console.error(error))
      .then((outcome) => outcome === 'asked for' || forgetCode());
  }, [code, from, session.state, setQuery]);

  if (session.state === 'starting' && (code !== null || named !== null)) return 'checking';
  if (session.state === 'signed-in' && named !== null && named !== session.userId) return 'link of another account';
  return isReceived ? 'settled' : 'checking';
}

type Outcome = 'asked for' | 'exchanged' | 'not ours';

const received = new Map<string, Promise<Outcome>>();

/** Receives a code once, however often the screen is mounted. */
function receive(code: string, from: string | null): Promise<Outcome> {
  const known = received.get(code);
  if (known) return known;
  const receiving = askOrExchange(code, from);
  received.set(code, receiving);
  return receiving;
}

async function askOrExchange(code: string, from: string | null): Promise<Outcome> {
  const verifier = takeVerifier(code);
  if (verifier !== undefined) {
    await signInWithHandoff(code, verifier);
    return 'exchanged';
  }
  if (from === null || !(await isOurHost(from))) return 'not ours';
  const ask = new URL(`${location.protocol}//${from}/hand-off/confirm`);
  ask.search = location.search;
  ask.searchParams.delete('from');
  ask.searchParams.set('to', location.host);
  ask.searchParams.set('challenge', await makeChallenge(code));
  leaveFor(ask);
  return 'asked for';
}
