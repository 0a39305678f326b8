import * as contract from '@sparechange/contract';
import { call } from '#api/call.ts';
import { removeUser } from '#api/session.ts';
import { forgetSession } from '#features/identity/forget-session.ts';

/** Closes the account and forgets it in the browser. */
export async function closeAccount(cdrid: string): Promise<void> {
  const { identity } = await call(contract.closeAccount, { cdrid });
  if (identity === 'not ours') await removeUser().catch((error: unknown) => console.error(error)); // no token of it counts any more
  await forgetSession();
}
