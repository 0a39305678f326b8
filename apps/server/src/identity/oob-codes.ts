import type { Db, Pool } from '#db/connect.ts';
import { keptAddress } from '#kept-address.ts';
import { noteAddressChange } from './follow-changes.ts';
import {
  deleteOobCodes,
  expireOobCode,
  findOobCode,
  insertOobCode,
  insertOobRequest,
  type NewOobCode,
  type OobCode,
  type OobRequest,
  type OobRequestType,
  type SpentCode,
  spendOobCode,
} from './oob-code-repository.ts';
import { hashPassword, type PasswordPolicy, refuseWeakPassword } from './passwords.ts';
import { Refused } from './refusal.ts';
import { hashSecret, makeSecret } from './secret.ts';
import type { IdentityService } from './service.ts';
import {
  changeEmailOf,
  findUser,
  findUserByEmail,
  freeAddress,
  holdAddress,
  recoverEmailOf,
  registerAddress,
  resetPasswordOf,
  type User,
  verifyEmailOf,
} from './user-repository.ts';

/** Makes a one-time out-of-band code and keeps only its hash. */
export async function makeOobCode(db: Db, about: NewOobCode): Promise<string> {
  const code = makeSecret(40);
  await insertOobCode(db, hashSecret(code), about);
  return code;
}

/** Returns a usable code and its user. Throws Refused: INVALID_OOB_CODE (unknown, used or void), EXPIRED_OOB_CODE or USER_DISABLED. */
export async function readOobCode(pool: Pool, oobCode: string): Promise<{ code: OobCode; user: User }> {
  const code = await findOobCode(pool, hashSecret(oobCode));
  if (!code || code.isVoid) throw new Refused('INVALID_OOB_CODE');
  if (code.isExpired) throw new Refused('EXPIRED_OOB_CODE');
  const user = await findUser(pool, code.uid);
  if (!user) throw new Refused('INVALID_OOB_CODE');
  if (user.disabled) throw new Refused('USER_DISABLED');
  return { code, user };
}

/**
 * Makes a reset code for the operator. Codes are kept as hashes only, so those that were emailed cannot be shown; this
 * one is made on the spot and follows the same rules (once, one hour, void as soon as the password changes). Emailed
 * ones stay valid beside it. Returns undefined for an unknown or disabled user.
 */
export async function makeResetCode(pool: Pool, email: string): Promise<string | undefined> {
  const user = await findUserByEmail(pool, keptAddress(email));
  if (!user || user.disabled) return undefined;
  return makeOobCode(pool, { uid: user.uid, requestType: 'password_reset', email: user.email });
}

/** Expires a code, so that it is refused with EXPIRED_OOB_CODE. */
export async function expireCode(pool: Pool, code: string): Promise<'expired' | 'no such code'> {
  return expireOobCode(pool, hashSecret(code));
}

interface AppliedCode {
  requestType: OobRequestType;
  uid: string;
  /** The user's address from now on. */
  email: string;
}

/** Language and origin of the emails that follow. */
type Asked = Pick<OobRequest, 'locale' | 'origin'>;

type Outcome = AppliedCode | 'void' | 'email exists';

/**
 * Verifies, changes or restores an address with a code, once. Throws as `readOobCode` does, and EMAIL_EXISTS where
 * somebody else has taken the address first; the code is used up then too.
 */
export async function applyOobCode(service: IdentityService, oobCode: string, asked: Asked): Promise<AppliedCode> {
  const { code } = await readOobCode(service.db, oobCode);
  if (code.requestType === 'password_reset') throw new Refused('INVALID_OOB_CODE');
  const passwordHash = code.requestType === 'recover_email' ? await hashPassword(makeSecret(32)) : '';
  const outcome = await service.db.begin(async (tx): Promise<Outcome> => {
    const spent = await spendOobCode(tx, hashSecret(oobCode));
    if (!spent) return 'void';
    if (spent.requestType === 'verify_email') return verify(tx, spent);
    return spent.requestType === 'verify_and_change_email'
      ? change(tx, spent, asked)
      : recover(tx, spent, passwordHash, asked);
  });
  if (outcome === 'void') throw new Refused('INVALID_OOB_CODE');
  if (outcome === 'email exists') throw new Refused('EMAIL_EXISTS');
  return outcome;
}

async function verify(tx: Db, { uid, email, requestType }: SpentCode): Promise<Outcome> {
  return (await verifyEmailOf(tx, email, uid)) === 'void' ? 'void' : { requestType, uid, email };
}

/** Holds the old address and emails it a restoring code. */
async function change(tx: Db, code: SpentCode, asked: Asked): Promise<Outcome> {
  const { uid, requestType, email: left, newEmail } = code;
  if (newEmail === null) return 'void';
  if ((await registerAddress(tx, newEmail, uid)) === 'in use') return 'email exists';
  if ((await changeEmailOf(tx, code)) === 'void') throw new Refused('INVALID_OOB_CODE'); // gives the address back
  await holdAddress(tx, left, uid);
  await noteAddressChange(tx, uid);
  await insertOobRequest(tx, { requestType: 'recover_email', uid, email: left, newEmail, ...asked });
  return { requestType, uid, email: newEmail };
}

/** Every other code of the user ends, those that would restore another address included; a reset of the password follows. */
async function recover(
  tx: Db,
  { uid, requestType, email }: SpentCode,
  passwordHash: string,
  asked: Asked,
): Promise<Outcome> {
  if ((await registerAddress(tx, email, uid)) === 'in use') return 'email exists';
  const given = await recoverEmailOf(tx, { uid, email }, passwordHash);
  if (given === undefined) throw new Refused('INVALID_OOB_CODE');
  await freeAddress(tx, given, uid);
  await deleteOobCodes(tx, uid);
  await noteAddressChange(tx, uid);
  await insertOobRequest(tx, { requestType: 'password_reset', email, ...asked });
  return { requestType, uid, email };
}

/**
 * Sets a new password with a code: the code is used up, every other code of the user is void, every session ends, and
 * the address is proven. A password that is refused leaves the code as it was. Throws as `readOobCode` and
 * `refuseWeakPassword` do.
 */
export async function resetPassword(
  pool: Pool,
  policy: PasswordPolicy,
  oobCode: string,
  newPassword: string,
): Promise<User> {
  const { code, user } = await readOobCode(pool, oobCode);
  if (code.requestType !== 'password_reset') throw new Refused('INVALID_OOB_CODE');
  refuseWeakPassword(policy, newPassword);
  const passwordHash = await hashPassword(newPassword);
  await pool.begin(async (tx) => {
    const spent = await spendOobCode(tx, hashSecret(oobCode));
    if (!spent || (await resetPasswordOf(tx, spent.uid, passwordHash, spent)) === 'void') {
      throw new Refused('INVALID_OOB_CODE');
    }
  });
  return user;
}
