import { type Identity, isRecentSignIn } from '#caller.ts';
import { NotAllowed } from '#errors.ts';

/** Throws the refusal that the web app answers by asking for the password and sending the call again. */
export function refuseOldSignIn({ authTime }: Pick<Identity, 'authTime'>): void {
  if (isRecentSignIn(authTime, new Date())) return;
  throw new NotAllowed('Please enter your password once more.', 'requires-recent-login');
}
