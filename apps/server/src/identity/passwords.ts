import { hash, verify } from '@node-rs/argon2';
import { makeSecret } from './secret.ts';

/** Longer passwords are refused, never cut. */
export const longestPassword = 4096;

/** OWASP's first choice for argon2id: some 10 ms and 19 MiB. Stored hashes carry the parameters they were made with. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Normalises characters, however a keyboard composed them. */
const normal = (password: string): string => password.normalize('NFKC');

/** argon2id of the whole password. */
export const hashPassword = (password: string): Promise<string> => hash(normal(password), cost);

/** A hash to compare where there is no user, so that an unknown address takes as long as a wrong password. */
const nobodys = hashPassword(makeSecret(16));

/** Checks a password; without a hash, false after equal work. */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const isTooLong = password.length > longestPassword;
  const matches = await verify(passwordHash ?? (await nobodys), isTooLong ? '' : normal(password));
  return matches && passwordHash !== undefined && !isTooLong;
}
