import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { leaveFor } from '#api/leave.ts';
import { useSession } from '#api/session.ts';
import { signInWithHandoff } from '#features/identity/sign-in.ts';
import { isOurHost } from '#tenant/our-host.ts';

type Arrival = 'checking' | 'settled' | 'link of another account';

/**
 * Receives a visitor from another of our hosts. A visitor with a session stays signed in, no matter what the link says.
 * Without a session this tab has the host it came from confirm the code in the address, and exchanges it on return;
 * any other code leaves the visitor signed out, and the page asks them to verify.
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

/** The secrets of codes that this tab has asked for, kept while the browser is at the other host. */
const nameOf = (code: string): string => `handoff ${code}`;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Makes the secret for a code and returns its challenge, the only part of it that leaves this tab before the exchange. */
async function makeChallenge(code: string): Promise<string> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(nameOf(code), verifier);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

/** Returns the secret once; undefined for a code that this tab never asked for, such as one from somebody's link. */
function takeVerifier(code: string): string | undefined {
  const verifier = sessionStorage.getItem(nameOf(code)) ?? undefined;
  sessionStorage.removeItem(nameOf(code));
  return verifier;
}
