import type { Db } from '#db/connect.ts';
import { insertOobCode, type NewOobCode } from './oob-code-repository.ts';
import { hashSecret, makeSecret } from './secret.ts';

/** Makes a one-time out-of-band code and keeps only its hash. */
export async function makeOobCode(db: Db, about: NewOobCode): Promise<string> {
  const code = makeSecret(40);
  await insertOobCode(db, hashSecret(code), about);
  return code;
}
