import type { Db, Pool } from '#db/connect.ts';
import type { Limits } from './limits.ts';
import type { PasswordPolicy } from './password-policy.ts';
import type { SigningKeys } from './signing-keys.ts';

/** A password-reset e-mail to send: the link holds the only copy of the code. */
export interface ResetMail {
  email: string;
  link: URL;
  /** As the browser said (`en-AU`); undefined where it said nothing. */
  locale: string | undefined;
}

/** What the link of a reset e-mail is made of. */
export interface ResetLink {
  oobCode: string;
  apiKey: string;
  locale: string | undefined;
  /** Where the page goes afterwards; on an allowed origin. */
  continueUrl: string | undefined;
  /** The origin the reset was asked for at, so that the mail leads to the same tenant; only if it is an allowed one. */
  origin: string | undefined;
}

export interface IdentityDeps {
  db: Pool;
  keys: SigningKeys;
  projectId: string;
  apiKey: string;
  /** As in Firebase's tokens when it is left out. */
  issuer?: string;
  /** Called in the background and again when it throws; never while a request waits. */
  sendResetMail(mail: ResetMail): Promise<void>;
  /**
   * Whether links may lead to this origin (`https://aca.example.org`): asked for continueUrl and the Host header.
   * Every Firebase project allows localhost on any port; away from production so should this.
   */
  isAllowedOrigin(origin: URL): boolean;
  /** The page of the reset link; `resetPageAt` makes one. */
  resetPage(link: ResetLink): URL;
  /** Called in the transaction that removes a user; where it throws, the user stays. */
  removing?(tx: Db, uid: string): Promise<void>;
  /** Called after a user was removed, in the background; a failure is logged. */
  removed?(uid: string): Promise<void>;
  /** Called after a code that was mailed to the user's address was used; a failure is logged. */
  addressProven?(email: string): Promise<void>;
  /** Called after a password was changed or reset; a failure is logged and refuses nothing. */
  passwordChanged?(uid: string): Promise<void>;
  passwordPolicy?: PasswordPolicy;
  limits?: Limits;
}
