import { exchangeHandoff, getUser, type UserRecord } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { queryClient } from '#api/query-client.ts';
import { signIn, signInWithToken, signOut } from '#api/session.ts';
import { store } from '#api/stored.ts';
import { becomeUser, forgetUser } from './present-user.ts';
import { isUnfinished } from './unfinished.tsx';
import { userQuery } from './user-query.ts';

export interface SignedIn {
  userId: string;
  /** Undefined for an identity user whose registration was never finished. */
  user: UserRecord | undefined;
}

/** Signs in and fetches the user. Throws when either fails. */
export async function signInSupporter(email: string, password: string): Promise<SignedIn> {
  return rememberSupporter(await signIn(email, password));
}

/** Ends a session without a supporter and forgets its ids. */
export async function leaveUnfinished(): Promise<void> {
  await signOut().catch((error: unknown) => console.error(error));
  forgetUser();
}

/** Signs in a visitor from another tenant's host with a code that this tab has asked for. */
export async function signInWithHandoff(handoff: string, verifier: string): Promise<void> {
  const { customToken } = await call(exchangeHandoff, { handoff, verifier });
  await rememberSupporter(await signInWithToken(customToken));
}

async function rememberSupporter(userId: string): Promise<SignedIn> {
  becomeUser(userId);
  const user = await findUser(userId);
  if (!user) return { userId, user };
  store('cdrid', user._id);
  store('clubId', user.supportingClubId);
  queryClient.setQueryData(userQuery(userId).queryKey, user);
  return { userId, user };
}

async function findUser(userId: string): Promise<UserRecord | undefined> {
  try {
    return (await call(getUser, { userId })).userRecord.document;
  } catch (error) {
    if (isUnfinished(error)) return undefined;
    throw error;
  }
}
