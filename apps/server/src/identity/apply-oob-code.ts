import type { Db } from '#db/connect.ts';
import { changeEmailOf, holdAddress, recoverEmailOf, verifyEmailOf } from './address-repository.ts';
import { deleteOobCodes, type OobRequestType, type SpentCode, spendOobCode } from './oob-code-repository.ts';
import { readOobCode } from './oob-codes.ts';
import { insertOobRequest, type OobRequest } from './oob-request-repository.ts';
import { hashPassword } from './passwords.ts';
import { Refused } from './refusal.ts';
import { hashSecret, makeSecret } from './secret.ts';
import type { IdentityService } from './service.ts';
import { freeAddress, takeAddress } from './user-repository.ts';

export interface AppliedCode {
  requestType: OobRequestType;
  uid: string;
  /** The user's address from now on. */
  email: string;
}

/** Language and origin of the mails that follow. */
type Asked = Pick<OobRequest, 'locale' | 'origin'>;

type Outcome = AppliedCode | 'void' | 'email exists';

/**
 * Verifies, changes or restores an address with a code, once. Throws as `readOobCode` does, and EMAIL_EXISTS where somebody
 * else has taken the address meanwhile; the code is used up then too.
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
      ? change(tx, service, spent, asked)
      : recover(tx, service, spent, passwordHash, asked);
  });
  if (outcome === 'void') throw new Refused('INVALID_OOB_CODE');
  if (outcome === 'email exists') throw new Refused('EMAIL_EXISTS');
  return outcome;
}

async function verify(tx: Db, { uid, email, requestType }: SpentCode): Promise<Outcome> {
  return (await verifyEmailOf(tx, email, uid)) === 'void' ? 'void' : { requestType, uid, email };
}

/** Holds the old address and mails it a restoring code. */
async function change(tx: Db, service: IdentityService, code: SpentCode, asked: Asked): Promise<Outcome> {
  const { uid, requestType, email: left, newEmail } = code;
  if (newEmail === null) return 'void';
  if ((await takeAddress(tx, newEmail, uid)) !== 'taken') return 'email exists';
  if ((await changeEmailOf(tx, code)) === 'void') throw new Refused('INVALID_OOB_CODE'); // gives the address back
  await holdAddress(tx, left, uid);
  await service.beforeAddressChange(tx, { uid, email: newEmail });
  await insertOobRequest(tx, { requestType: 'recover_email', uid, email: left, newEmail, ...asked });
  return { requestType, uid, email: newEmail };
}

/** Every other code of the user ends, those that would restore another address included; a reset of the password follows. */
async function recover(
  tx: Db,
  service: IdentityService,
  { uid, requestType, email }: SpentCode,
  passwordHash: string,
  asked: Asked,
): Promise<Outcome> {
  if ((await takeAddress(tx, email, uid)) !== 'taken') return 'email exists';
  const given = await recoverEmailOf(tx, { uid, email }, passwordHash);
  if (given === undefined) throw new Refused('INVALID_OOB_CODE');
  await freeAddress(tx, given, uid);
  await deleteOobCodes(tx, uid);
  await service.beforeAddressChange(tx, { uid, email });
  await insertOobRequest(tx, { requestType: 'password_reset', email, ...asked });
  return { requestType, uid, email };
}
