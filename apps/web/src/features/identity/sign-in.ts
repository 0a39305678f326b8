import { getUser, type UserRecord } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { queryClient } from '#api/query-client.ts';
import { signIn } from '#api/session.ts';
import { store } from '#api/stored.ts';
import { userKey } from './user-query.ts';

/** Signs in and fetches the user (spec section 2, login on submit). Throws when either fails. */
export async function signInSupporter(email: string, password: string): Promise<{ userId: string; user: UserRecord }> {
  const userId = await signIn(email, password);
  store('userId', userId);
  const answer = await call(getUser, { userId });
  const user = answer.userRecord.document;
  store('cdrid', user._id);
  store('clubId', user.supportingClubId);
  queryClient.setQueryData(userKey(userId), user);
  return { userId, user };
}
