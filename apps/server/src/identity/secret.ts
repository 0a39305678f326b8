import { createHash, randomBytes } from 'node:crypto';

/** An unguessable text of `bytes` random bytes. It never begins as an option does, so that commands take it as it stands. */
export function makeSecret(bytes: number): string {
  const secret = randomBytes(bytes).toString('base64url');
  return secret.startsWith('-') ? makeSecret(bytes) : secret;
}

/** How a secret is kept: whoever reads the database cannot use what is in it. Secrets are long, so no salt is needed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
