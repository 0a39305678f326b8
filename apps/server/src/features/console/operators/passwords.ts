import { Secret, TOTP } from 'otpauth';
import type { Db } from '#db/connect.ts';
import { qrCode } from '#documents/qr-code.ts';
import { InvalidInput, Refusal } from '#errors.ts';
import { defaultLimits, giveBackAttempt, signInLimits, take } from '#identity/limits.ts';
import { isKnownNetwork, rememberNetwork } from '#identity/network.ts';
import { hashPassword, isCommonPassword, isPassword } from '#identity/passwords.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { findChallenge, keepChallenge, takeChallenge } from './challenge-repository.ts';
import type { OperatorRow } from './operator-repository.ts';

const periodSeconds = 30;

const generatorOf = (secret: string, label = 'console') =>
  new TOTP({ issuer: 'Sparechange console', label, secret: Secret.fromBase32(secret), period: periodSeconds });

const contextOf = (operatorId: string) => `operator ${operatorId} code`;

/** Returns the time step of a code that is valid now, or within 30 seconds before or after; undefined otherwise. */
function stepOf(secret: string, code: string): number | undefined {
  const delta = generatorOf(secret).validate({ token: code, window: 1 });
  return delta === null ? undefined : Math.floor(Date.now() / 1000 / periodSeconds) + delta;
}

interface Kept {
  id: string;
  passwordHash: string | null;
  totpSecret: Uint8Array | null;
}

const selectKept = (db: Db) => db`select id, password_hash as "passwordHash", totp_secret_encrypted as "totpSecret"`;

/** Returns whether a code is right; each counts once. */
async function useCode(db: Db, encryption: FieldEncryption, { id, totpSecret }: Kept, code: string): Promise<boolean> {
  const step = totpSecret ? stepOf(encryption.decrypt(totpSecret, contextOf(id)), code) : undefined;
  if (step === undefined) return false;
  const used = await db`
    update operators set totp_step = ${step} where id = ${id} and (totp_step is null or totp_step < ${step})`;
  return used.count === 1;
}

/** Returns the person with this password and code; unknown addresses take as long as known ones. */
export async function checkPassword(
  db: Db,
  encryption: FieldEncryption,
  { email, password, code }: { email: string; password: string; code: string },
): Promise<string | undefined> {
  const [kept] = await db<Kept[]>`${selectKept(db)} from operators where email = ${email} and status = 'active'`;
  const isRight = await isPassword(kept?.passwordHash ?? undefined, password);
  return kept && isRight && (await useCode(db, encryption, kept, code)) ? kept.id : undefined;
}

/** Returns whether a code is the operator's. */
export async function checkCode(db: Db, encryption: FieldEncryption, id: string, code: string): Promise<boolean> {
  const [kept] = await db<Kept[]>`${selectKept(db)} from operators where id = ${id}`;
  return kept !== undefined && useCode(db, encryption, kept, code);
}

/** Creates the secret of an authenticator, which counts once a code of it was given. */
export async function beginPassword(db: Db, encryption: FieldEncryption, { id, email }: OperatorRow) {
  const secret = new Secret({ size: 20 }).base32;
  const kept = encryption.encrypt(secret, contextOf(id)).toString('base64');
  const challengeId = await keepChallenge(db, 'password', id, kept);
  const address = generatorOf(secret, email).toString();
  return { challengeId, secret, address, qr: qrCode(address) };
}

/**
 * Checks a new password with its authenticator, and returns the function that sets both in a transaction. Throws
 * InvalidInput, by field, for a weak password or a wrong code.
 */
export async function checkNewPassword(
  db: Db,
  encryption: FieldEncryption,
  { id }: OperatorRow,
  { challengeId, password, code }: { challengeId: string; password: string; code: string },
): Promise<(tx: Db) => Promise<void>> {
  if (isCommonPassword(password))
    throw new InvalidInput('The password is too easily guessed.', { password: 'Please choose one less common' });
  const kept = await findChallenge(db, 'password', id, challengeId);
  if (!kept) throw new InvalidInput('This took too long. Please begin again.');
  const encrypted = Buffer.from(kept, 'base64');
  const step = stepOf(encryption.decrypt(encrypted, contextOf(id)), code);
  if (step === undefined) throw new InvalidInput('The code is not right.', { code: 'The code is not right' });
  const passwordHash = await hashPassword(password);
  return async (tx) => {
    if (!(await takeChallenge(tx, 'password', id, challengeId))) throw new InvalidInput('Please begin again.');
    await tx`
      update operators set password_hash = ${passwordHash}, totp_secret_encrypted = ${encrypted}, totp_step = ${step}
      where id = ${id}`;
  };
}

/** Names a person where the networks are stored from which they have proven their identity. */
const networksOf = (operatorId: string | undefined): string => `console ${operatorId ?? ''}`;

export const rememberOwnNetwork = (db: Db, operatorId: string, ip: string): Promise<void> =>
  rememberNetwork(db, networksOf(operatorId), ip);

/** Returns whether a person has signed in from a network before: guesses made elsewhere do not shut them out there. */
export const isOwnNetwork = (db: Db, operatorId: string | undefined, ip: string): Promise<boolean> =>
  isKnownNetwork(db, networksOf(operatorId), ip);

/** Counts a guess by address and account, like supporters', and undoes it for a correct answer. */
export async function countingGuess<Result>(
  db: Db,
  { ip, about, isKnown = false }: { ip: string; about: string; isKnown?: boolean },
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const buckets = signInLimits(defaultLimits, ip, `console ${about}`, isKnown);
  for (const bucket of buckets)
    if (!(await take(db, bucket)))
      throw new Refusal('too-many-requests', 'Too many attempts; please wait some minutes.');
  const result = await attempt();
  if (result !== undefined) await giveBackAttempt(db, buckets);
  return result;
}
