import type { Db, Pool } from '#db/connect.ts';
import type { Limits } from './limits.ts';
import type { OobRequestType } from './oob-code-repository.ts';
import type { PasswordPolicy } from './password-policy.ts';
import type { SigningKeys } from './signing-keys.ts';

/** An e-mail whose link holds an out-of-band code's only copy. */
export interface OobMail {
  requestType: OobRequestType;
  /** Where it goes: a change of address is confirmed by the new one, and may be undone by the old one. */
  email: string;
  link: URL;
  /** As the browser said (`en-AU`); undefined where it said nothing. */
  locale: string | undefined;
}

/** The parts of the link in such an email. */
export interface ActionLink {
  requestType: OobRequestType;
  oobCode: string;
  apiKey: string;
  locale: string | undefined;
  /** Where the page goes afterwards; on an allowed origin. */
  continueUrl: string | undefined;
  /** The origin the code was asked for at, so that the mail leads to the same tenant; only if it is an allowed one. */
  origin: string | undefined;
}

export interface IdentityDeps {
  db: Pool;
  keys: SigningKeys;
  projectId: string;
  apiKey: string;
  /** As in Firebase's tokens when it is left out. */
  issuer?: string;
  /** Called only in the background, and again when it throws. */
  sendOobMail(mail: OobMail): Promise<void>;
  /**
   * Returns whether links may lead to an origin (`https://aca.example.org`), for continueUrl and the Host header. Every
   * Firebase project allows localhost on any port; away from production so should this.
   */
  isAllowedOrigin(origin: URL): boolean;
  /** The page of the link; `actionPageAt` makes one. */
  actionPage(link: ActionLink): URL;
  /** Called in the removal's transaction; throwing keeps the user. */
  beforeRemove?(tx: Db, uid: string): Promise<void>;
  /** Called in the background after removal; a failure is logged. */
  afterRemove?(uid: string): Promise<void>;
  /** Called after a mailed code was used; failures are logged. */
  afterAddressProven?(email: string): Promise<void>;
  /** Called while changing or restoring an address; throwing prevents it. */
  beforeAddressChange?(tx: Db, change: { uid: string; email: string }): Promise<void>;
  /** Called after a password change or reset; failures are logged. */
  passwordChanged?(uid: string): Promise<void>;
  passwordPolicy?: PasswordPolicy;
  limits?: Limits;
}
