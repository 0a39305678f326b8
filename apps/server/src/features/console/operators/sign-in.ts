import { appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { NotAllowed, NotFound, SignedOut } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { IdLink } from '#secrets/signed-links.ts';
import { mailLink, openLink } from './links.ts';
import { findOperatorByEmail, lockOperator, type OperatorRow } from './operator-repository.ts';
import { beginSession, isSession, type SignInMethod } from './session-repository.ts';

export interface SignInDeps {
  db: Pool;
  clock: Clock;
  encryption: FieldEncryption;
  operatorLinks: IdLink;
  /** The console's address, to which passkeys are bound. */
  consoleUrl: URL;
  /** Sends queued emails immediately, not within a minute. */
  sendMails: () => Promise<void>;
}

export interface NewSession {
  operator: OperatorRow;
  /** Stored by the browser as its cookie. */
  token: string;
  method: SignInMethod;
}

/** Session of a browser, and its person. */
export interface BrowserSession {
  operatorId: string;
  sessionHash: Buffer;
}

/**
 * Begins a session in place of the browser's last one, and records the person and method, or that its person confirmed
 * their identity. Throws NotAllowed for a person who was removed, or whose passkey or password was removed, since it
 * was checked.
 */
export async function signIn(
  tx: Db,
  { clock }: Pick<SignInDeps, 'clock'>,
  operatorId: string,
  method: SignInMethod,
  replaced?: BrowserSession,
  provenAt?: Date,
): Promise<NewSession> {
  const before = await lockOperator(tx, operatorId);
  const isOwn = { link: true, openid: true, passkey: (before?.passkeys ?? 0) > 0, password: before?.hasPassword };
  if (!before || before.status === 'removed' || !isOwn[method]) throw new NotAllowed('This sign-in is not known.');
  const token = await beginSession(tx, operatorId, method, replaced?.sessionHash, provenAt);
  const details = { operator: operatorId, method };
  const action = replaced?.operatorId === operatorId ? 'console confirmSignIn' : 'console signIn';
  await appendOperatorsAct(tx, { at: clock.now(), action, details });
  return { operator: { ...before, status: 'active' }, token, method };
}

/**
 * Lets a session write a passkey or password, and begins one with it in its place. Throws SignedOut for a session that
 * has ended since: an owner's recovery must shut out anybody just setting one up.
 */
export function signInBy(
  deps: Pick<SignInDeps, 'db' | 'clock'>,
  session: BrowserSession,
  method: SignInMethod,
  write: (tx: Db) => Promise<void>,
): Promise<NewSession> {
  return deps.db.begin(async (tx) => {
    await lockOperator(tx, session.operatorId);
    if (!(await isSession(tx, session.sessionHash))) throw new SignedOut();
    await write(tx);
    return signIn(tx, deps, session.operatorId, method, session);
  });
}

/** Opens an emailed link once; throws NotFound for one that is used up, expired or forged. */
export function signInWithLink(deps: SignInDeps, token: string, replaced?: BrowserSession): Promise<NewSession> {
  return deps.db.begin(async (tx) => {
    const link = await openLink(tx, deps.operatorLinks, token);
    if (!link) throw new NotFound('The link');
    return signIn(tx, deps, link.operatorId, 'link', replaced);
  });
}

/** Emails a sign-in link to a treasurer; the answer is the same for any address. */
export async function requestSignInLink({ db, clock, sendMails }: SignInDeps, email: string): Promise<void> {
  await db.begin(async (tx) => {
    const operator = await findOperatorByEmail(tx, email);
    if (operator && operator.status !== 'removed' && operator.roles.includes('treasurer'))
      await mailLink(tx, clock, operator.id, 'sign_in');
  });
  await sendMails();
}
