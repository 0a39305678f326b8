import { signedInEmail, signOut } from '#api/session.ts';
import { clearStored, store } from '#api/stored.ts';
import { getStart } from '#tenant/current.ts';
import { forgetUser } from './present-user.ts';

/** The session ends and the browser forgets all but whose page this is; also where the identity provider is away. */
export async function forgetSession(): Promise<void> {
  await signOut().catch((error: unknown) => console.error(error));
  forgetUser();
  clearStored();
  store('host', getStart().tenantKey);
}

/** Ends an address's session here too; another person's stays. */
export async function forgetSessionOf(email: string): Promise<void> {
  if ((await signedInEmail().catch(() => undefined)) === email) await forgetSession();
}
