import { endEverySession, endSession } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { signedInEmail, signedInUserId, signOut } from '#api/session.ts';
import { clearStored, store } from '#api/stored.ts';
import { tenantOfHost } from '#tenant/current.ts';
import { forgetUser } from './present-user.ts';

/** Ends the session here and forgets everything but the page's tenant, even if the identity provider is unavailable. */
export async function forgetSession(): Promise<void> {
  await signOut().catch((error: unknown) => console.error(error));
  forgetUser();
  clearStored();
  store('host', tenantOfHost(location.host));
}

/** Ends an address's session here too; another person's stays. */
export async function forgetSessionOf(email: string): Promise<void> {
  if ((await signedInEmail().catch(() => undefined)) === email) await forgetSession();
}

/** Longest wait for the server before the session ends here. */
const patienceMs = 5_000;

let loggingOut: Promise<void> | undefined;

/** Ends this session on the server and in the browser, once, however often the screen is mounted. */
export function logOut(): Promise<void> {
  loggingOut ??= endHere().finally(() => {
    loggingOut = undefined;
  });
  return loggingOut;
}

/** Forgets the session here, even where the server is unreachable. */
async function endHere(): Promise<void> {
  const userId = await signedInUserId().catch(() => undefined);
  if (userId) {
    const ending = call(endSession, { userId }).catch((error: unknown) => console.error(error));
    await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  }
  await forgetSession();
}

/** Ends all of the caller's sessions on the server, then this one here. Throws if the server failed. */
export async function logOutEverywhere(userId: string): Promise<void> {
  await call(endEverySession, { userId });
  await forgetSession();
}
