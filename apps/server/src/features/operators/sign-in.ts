import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { NotAllowed, NotFound } from '#errors.ts';
import type { AdviceLinks } from '#features/emails/debit-links.ts';
import type { Clock } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { mailLink, openLink } from './links.ts';
import { findOperator, findOperatorByEmail, type OperatorRow } from './operator-repository.ts';
import { beginSession, type SignInMethod } from './session-repository.ts';

export interface SignInDeps {
  db: Pool;
  clock: Clock;
  encryption: FieldEncryption;
  operatorLinks: AdviceLinks;
  /** The console's address, to which passkeys are bound. */
  consoleUrl: URL;
  /** Sends what was queued at once rather than within a minute. */
  sendMails: () => Promise<void>;
}

export interface SignedIn {
  operator: OperatorRow;
  token: string;
  method: SignInMethod;
}

/** Begins a session in place of the browser's last one, and notes who came and by what. */
export async function signIn(
  tx: Db,
  { clock }: Pick<SignInDeps, 'clock'>,
  operatorId: string,
  method: SignInMethod,
  replaced?: Buffer,
): Promise<SignedIn> {
  const before = await findOperator(tx, operatorId);
  if (!before || before.status === 'removed') throw new NotAllowed('This sign-in is not known.');
  const token = await beginSession(tx, operatorId, method, replaced);
  const entry = { supporterId: operatorsChain, at: clock.now(), actor: 'operator' };
  await appendToAuditLog(tx, { ...entry, action: 'console signIn', details: { operator: operatorId, method } });
  return { operator: { ...before, status: 'active' }, token, method };
}

/** Opens a mailed link once; throws NotFound for one that is used up, expired or not ours. */
export function signInWithLink(deps: SignInDeps, token: string, replaced?: Buffer): Promise<SignedIn> {
  return deps.db.begin(async (tx) => {
    const link = await openLink(tx, deps.operatorLinks, token);
    if (!link) throw new NotFound('The link');
    return signIn(tx, deps, link.operatorId, 'link', replaced);
  });
}

/** Mails a sign-in link to a treasurer; the answer is the same for any address. */
export async function requestSignInLink({ db, clock, sendMails }: SignInDeps, email: string): Promise<void> {
  await db.begin(async (tx) => {
    const operator = await findOperatorByEmail(tx, email);
    if (operator && operator.status !== 'removed' && operator.roles.includes('treasurer'))
      await mailLink(tx, clock, operator.id, 'sign_in');
  });
  await sendMails();
}
