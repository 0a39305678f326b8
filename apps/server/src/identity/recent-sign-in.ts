import { Refused } from './refusal.ts';
import type { SignedIn } from './service.ts';

/** What would hand an account over wants a sign-in of the last five minutes, as Firebase does. */
const recentSignInSeconds = 5 * 60;

/** Throws CREDENTIAL_TOO_OLD_LOGIN_AGAIN. */
export function refuseOldSignIn({ user, authTime }: Pick<SignedIn, 'user' | 'authTime'>): void {
  if (user.readAt - authTime > recentSignInSeconds) throw new Refused('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}
