import { Refused } from './refusal.ts';
import type { SignedIn } from './service.ts';

/** Age of a sign-in, as Firebase asks, for a change that would hand an account over. */
const recentSignInSeconds = 5 * 60;

/** Throws CREDENTIAL_TOO_OLD_LOGIN_AGAIN. */
export function refuseOldSignIn({ user, authTime }: Pick<SignedIn, 'user' | 'authTime'>): void {
  if (user.readAt - authTime > recentSignInSeconds) throw new Refused('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}
