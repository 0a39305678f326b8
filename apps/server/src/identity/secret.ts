import { createHash, randomBytes } from 'node:crypto';

/** An unguessable text of `bytes` random bytes. It never begins as an option does, so that commands take it as it stands. */
export function makeSecret(bytes: number): string {
  const secret = randomBytes(bytes).toString('base64url');
  return secret.startsWith('-') ? makeSecret(bytes) : secret;
}

/** Hashes a secret, so that the database alone is of no use. Secrets are long and need no salt. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
