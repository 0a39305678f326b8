import { exchangeHandoff, getUser, type UserRecord } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { queryClient } from '#api/query-client.ts';
import { signIn, signInWithToken } from '#api/session.ts';
import { store } from '#api/stored.ts';
import { userKey } from './user-query.ts';

/** Signs in and fetches the user (spec section 2, login on submit). Throws when either fails. */
export async function signInSupporter(email: string, password: string): Promise<{ userId: string; user: UserRecord }> {
  return rememberSupporter(await signIn(email, password));
}

/** Signs in somebody who comes from another tenant's host with a code for this one (design section 6). */
export async function signInWithHandoff(handoff: string): Promise<void> {
  const { customToken } = await call(exchangeHandoff, { handoff });
  await rememberSupporter(await signInWithToken(customToken));
}

async function rememberSupporter(userId: string): Promise<{ userId: string; user: UserRecord }> {
  store('userId', userId);
  const answer = await call(getUser, { userId });
  const user = answer.userRecord.document;
  store('cdrid', user._id);
  store('clubId', user.supportingClubId);
  queryClient.setQueryData(userKey(userId), user);
  return { userId, user };
}
