import { Refused } from './refusal.ts';
import type { SignedIn } from './service.ts';

/** Maximum sign-in age, as Firebase's, for changes risking an account. */
const recentSignInSeconds = 5 * 60;

/** Throws CREDENTIAL_TOO_OLD_LOGIN_AGAIN. */
export function refuseOldSignIn({ user, authTime }: Pick<SignedIn, 'user' | 'authTime'>): void {
  if (user.readAt - authTime > recentSignInSeconds) throw new Refused('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}
