import { createHmac, timingSafeEqual } from 'node:crypto';

/** Screen that a link opens: /extend-consent, /expired-consent or /confirm-email. */
export type RenewalPurpose = 'extend' | 'expired' | 'confirm';

/** Signs the links we email, so that their holder needs no other proof of identity. */
export interface RenewalLinks {
  token(purpose: RenewalPurpose, email: string, until: Date): string;
  /** Accepts only our unexpired token for that purpose and address. */
  isValid(purpose: RenewalPurpose, email: string, token: string, now: Date): boolean;
}

/**
 * Composes a token of its last second and an HMAC of purpose, address and that second, so that nothing need be stored.
 */
export function renewalLinks(key: Buffer): RenewalLinks {
  const sign = (purpose: RenewalPurpose, email: string, until: number): Buffer =>
    createHmac('sha256', key)
      .update(['sparechange renewal link 1', purpose, email.trim().toLowerCase(), until].join('\n'))
      .digest();
  return {
    token: (purpose, email, until) => {
      const seconds = Math.floor(until.getTime() / 1000);
      return `${seconds}.${sign(purpose, email, seconds).toString('base64url')}`;
    },
    isValid: (purpose, email, token, now) => {
      const [, seconds, signature] = /^([1-9]\d{0,11})\.([\w-]{43})$/.exec(token) ?? [];
      if (!seconds || !signature) return false;
      const isOurs = timingSafeEqual(sign(purpose, email, Number(seconds)), Buffer.from(signature, 'base64url'));
      return isOurs && Number(seconds) * 1000 > now.getTime();
    },
  };
}
