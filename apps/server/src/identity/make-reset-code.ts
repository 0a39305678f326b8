import type { Db } from '#db/connect.ts';
import { insertResetCode } from './reset-code-repository.ts';
import { hashSecret, makeSecret } from './secret.ts';

/** A new code with which the user's password can be reset once within the hour. Only its hash is kept. */
export async function makeResetCode(db: Db, uid: string): Promise<string> {
  const code = makeSecret(40);
  await insertResetCode(db, hashSecret(code), uid);
  return code;
}
