import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type { SigningKeys } from './signing-keys.ts';

/** Finds a token's key among our currently published ones. */
export function ownKeys(keys: SigningKeys): JWTVerifyGetKey {
  let known = '';
  let find: JWTVerifyGetKey | undefined;
  return async (header, token) => {
    const published = await keys.published();
    const names = published.keys.map(({ kid }) => kid).join(' ');
    if (!find || names !== known) {
      find = createLocalJWKSet(published); // keeps imported keys, so it is made only when they change
      known = names;
    }
    return find(header, token);
  };
}
