import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { RsaKey } from './signing-keys.ts';

const KeySet = z.object({ keys: z.array(z.looseObject(RsaKey.shape)) });

/** Bounds on a provider's max-age, in seconds. */
const ageBounds = { least: 60, most: 24 * 3600 };
/** An unknown key makes us ask again, but not more often than this: anybody can send us one. */
const cooldownMs = 30_000;
const timeoutMs = 5_000;

/** Returns the time to keep an answer, by its Cache-Control. */
export function maxAgeMs(cacheControl: string | null): number {
  const stated = Number(/max-age=(\d+)/i.exec(cacheControl ?? '')?.[1] ?? 0);
  return Math.min(Math.max(stated, ageBounds.least), ageBounds.most) * 1000;
}

async function fetchKeys(address: URL) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  const { keys } = KeySet.parse(await answer.json());
  return {
    find: createLocalJWKSet({ keys: keys.map(({ kty, n, e, kid }) => ({ kty, n, e, ...(kid ? { kid } : {}) })) }),
    fetchedAt: Date.now(),
    staleAt: Date.now() + maxAgeMs(answer.headers.get('cache-control')),
  };
}

/**
 * Finds a token's key among a provider's published ones, which are kept for as long as its Cache-Control says. While
 * the provider cannot be reached the last known keys are used. Throws what `fetch` throws when there are none yet.
 */
export function remoteKeys(address: URL): JWTVerifyGetKey {
  let known: Awaited<ReturnType<typeof fetchKeys>> | undefined;
  let pending: ReturnType<typeof fetchKeys> | undefined;

  const renew = async () => {
    pending ??= fetchKeys(address).finally(() => {
      pending = undefined;
    });
    known = await pending;
    return known;
  };
  const current = async () => {
    if (known && Date.now() < known.staleAt) return known;
    const last = known;
    if (!last) return renew();
    return renew().catch(() => {
      last.staleAt = Date.now() + cooldownMs;
      return last;
    });
  };
  return async (header, token) => {
    const keys = await current();
    try {
      return await keys.find(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || Date.now() < keys.fetchedAt + cooldownMs) throw error;
      const renewed = await renew().catch(() => keys);
      renewed.fetchedAt = Date.now();
      return renewed.find(header, token);
    }
  };
}
