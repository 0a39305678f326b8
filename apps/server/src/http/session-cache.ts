import type { Identity, VerifyIdToken } from '#caller.ts';

const rememberMs = 1_000;
const maxRemembered = 20_000;

interface Remembered {
  whom: Promise<Identity | undefined>;
  until: number;
}

/**
 * Answers calls that only read from the result of checking their token within the last second, so that the several
 * calls of a dashboard ask once. Every other call asks again and refreshes that result
 * (docs/decisions/identity.md#sessions).
 */
export function cacheSessions(verify: VerifyIdToken, now: () => number = () => performance.now()): VerifyIdToken {
  const remembered = new Map<string, Remembered>();

  const ask = (token: string): Promise<Identity | undefined> => {
    const whom = verify(token);
    remembered.delete(token); // so that the oldest stay first
    for (const oldest of remembered.keys()) {
      if (remembered.size < maxRemembered) break;
      remembered.delete(oldest);
    }
    const entry = { whom, until: now() + rememberMs };
    remembered.set(token, entry);
    whom.then(
      (identity) => identity || remembered.delete(token),
      () => remembered.delete(token),
    );
    return whom;
  };

  return (token, { readsOnly = false } = {}) => {
    const known = readsOnly ? remembered.get(token) : undefined;
    return known && now() < known.until ? known.whom : ask(token);
  };
}
