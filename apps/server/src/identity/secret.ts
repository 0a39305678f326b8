import { createHash, randomBytes } from 'node:crypto';

/** An unguessable text of `bytes` random bytes. */
export const makeSecret = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** How a secret is kept: whoever reads the database cannot use what is in it. Secrets are long, so no salt is needed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
