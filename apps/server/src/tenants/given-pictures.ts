import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Cents } from '@sparechange/domain';
import type { Tenant } from './load-tenants.ts';

/** Signs paths of pictures with an amount, so that nobody can make one up or find somebody's by trying. */
export interface GivenPictures {
  /** Returns the path of a club's picture that says what was given to it. */
  path(tenant: Pick<Tenant, 'key'>, club: { id: string; slug: string }, given: Cents): string;
  /** Accepts only the amount and the club that we signed. */
  isOurs(clubId: string, given: string, proof: string): boolean;
}

export function givenPictures(key: Buffer): GivenPictures {
  const sign = (clubId: string, given: string): Buffer =>
    createHmac('sha256', key).update(['sparechange given picture 1', clubId, given].join('\n')).digest();
  return {
    path: (tenant, { id, slug }, amount) => {
      const given = String(amount);
      const query = new URLSearchParams({ given, proof: sign(id, given).toString('base64url') });
      return `/share/${tenant.key}/club-${slug}.png?${query}`;
    },
    isOurs: (clubId, given, proof) => {
      const bytes = Buffer.from(proof, 'base64url');
      const expected = sign(clubId, given);
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    },
  };
}
