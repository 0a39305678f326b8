import type { FastifyInstance } from 'fastify';
import { supporterIdOf, type VerifyIdToken } from '#caller.ts';
import type { Config } from '#config/config.ts';
import type { Pool } from '#db/connect.ts';
import { signInMailId } from '#features/core/outbox/mail-id.ts';
import { recordSignInMail } from '#features/core/outbox/outbox-repository.ts';
import { mailPasswordChanged } from '#features/correspondence/emails/queue-change-emails.ts';
import type { MintHandOffToken } from '#features/supporters/handoff/routes.ts';
import { changeEmail, confirmEmail, followVerifiedEmail } from '#features/supporters/identity/change-email.ts';
import {
  externalSessions,
  rejectEndedSignIns,
  type Sessions,
  type SignIns,
} from '#features/supporters/identity/sessions.ts';
import {
  closeAccountOfRemoved,
  finishClosing,
  type RemoveUser,
} from '#features/supporters/offboarding/close-supporter.ts';
import { findSupporter } from '#features/supporters/profiles/supporter-repository.ts';
import { mintCustomToken } from '#identity/custom-token.ts';
import { identityKeysFolder, loadSigningKeys } from '#identity/key-files.ts';
import { insertOobRequest } from '#identity/oob-code-repository.ts';
import { actionPageAt } from '#identity/oob-mails.ts';
import { defaultPolicy, productionPolicy } from '#identity/passwords.ts';
import { InvalidIdToken } from '#identity/refusal.ts';
import { type IdentityDeps, identityRoutes } from '#identity/routes.ts';
import { isStillSignedIn, ownSessions } from '#identity/session.ts';
import { signingKeysFrom } from '#identity/signing-keys.ts';
import { findUser, setDisabled } from '#identity/user-repository.ts';
import { verifyEmail } from '#identity/users.ts';
import { createVerifier, firebaseIssuer, firebaseKeys } from '#identity/verifier.ts';
import type { Clock } from '#ports/clock.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import type { Runtime } from './compose.ts';
import { dependencies } from './dependencies.ts';
import { oobMail } from './oob-mail.ts';
import { removeUserOf } from './remove-user.ts';

export interface IdentitySide {
  verifyIdToken: VerifyIdToken;
  /** Removes a closed account's user; with Firebase the browser does. */
  removeUser: RemoveUser;
  sessions: Sessions;
  /** Marks an address as verified; absent with a Firebase project. */
  verifyEmail?: (email: string) => Promise<void>;
  /** Emails a link to choose a new password; absent with a Firebase project. */
  mailReset?: (email: string, site: URL) => Promise<void>;
  signIns?: SignIns;
  /** Mints tokens that sign users in at another tenant's host; absent with Firebase. */
  mintHandOffToken?: MintHandOffToken;
  /** Adds the embedded service's routes; nothing with a Firebase project. */
  register(app: FastifyInstance): Promise<void>;
}

/** Opens the one identity provider: the embedded service or Firebase. */
export async function openIdentity(runtime: Runtime): Promise<IdentitySide> {
  const { config, db } = runtime;
  const { projectId, apiKey } = config.identity;
  if (config.firebase) {
    const keys = config.firebaseKeysUrl ? new URL(config.firebaseKeysUrl) : firebaseKeys;
    const verifyIdToken = followingEmail(
      db,
      rejectEndedSignIns(db, undefinedIfInvalid(createVerifier({ projectId, keys }))),
    );
    const sessions = externalSessions(db);
    return { verifyIdToken, removeUser: removeUserOf(runtime), sessions, register: async () => {} };
  }
  const keys = config.identityKeys
    ? await signingKeysFrom(config.identityKeys)
    : await loadSigningKeys(identityKeysFolder(config.dataDir));
  return {
    verifyIdToken: rejectEndedSignIns(db, undefinedIfInvalid(createVerifier({ projectId, keys, db }))),
    removeUser: removeUserOf(runtime),
    sessions: ownSessions(db),
    verifyEmail: (email) => verifyEmail(db, email),
    mailReset: (email, site) => insertOobRequest(db, { requestType: 'password_reset', email, origin: site.origin }),
    signIns: {
      isDisabled: async (uid) => (await findUser(db, uid))?.disabled ?? false,
      setDisabled: (uid, isDisabled) => setDisabled(db, uid, isDisabled),
    },
    mintHandOffToken: async (handOff) =>
      (await isStillSignedIn(db, { ...handOff, tokenIssuedAt: handOff.since }))
        ? mintCustomToken({ keys, issuer: firebaseIssuer(projectId) }, handOff)
        : undefined,
    register: (app) =>
      identityRoutes(app, {
        db,
        keys,
        projectId,
        apiKey,
        sendOobMail: (mail) => {
          const id = signInMailId({ ...mail, supporterId: supporterIdOf(mail.uid), kind: mail.requestType });
          return runtime.mailer.send({ id, ...oobMail(runtime, mail) });
        },
        oobMailEnded: ({ uid, requestType: kind, ...mail }) => {
          const supporterId = supporterIdOf(uid);
          return recordSignInMail(db.of(supporterId), { ...mail, supporterId, kind, at: runtime.clock.now() });
        },
        beforeRemove: (uid) => closeAccountOfRemoved(db.of(supporterIdOf(uid)), runtime.clock, supporterIdOf(uid)),
        afterRemove: (uid) => finishRemoval(runtime, supporterIdOf(uid)),
        afterAddressProven: (email) => confirmEmail(db, email, runtime.clock.now()),
        ...changeFollowers(runtime),
        passwordPolicy: config.isProduction ? productionPolicy : defaultPolicy,
        isAllowedOrigin: (origin) => isOurOrigin(origin, runtime),
        actionPage: (link) => actionPageAt(link.origin ?? config.productUrl, link),
      }),
  };
}

/** Lets a supporter's record and emails follow changes at the embedded service. */
export const changeFollowers = ({ clock }: { clock: Clock }) =>
  ({
    afterAddressChange: (tx, { uid, email }) => {
      const supporterId = supporterIdOf(uid);
      return changeEmail(tx.of(supporterId), { supporterId, email, at: clock.now() });
    },
    passwordChanged: (tx, { uid, changedAt }) => {
      const supporterId = supporterIdOf(uid);
      return mailPasswordChanged(tx.of(supporterId), { supporterId, changedAt, at: clock.now() });
    },
  }) satisfies Partial<IdentityDeps>;

/**
 * Accepts our public address and the hosts of tenants we know, nothing else below the domain: an email leads there with
 * a code that sets a password. In development it accepts `localhost` on any port as well, as every Firebase project
 * does.
 */
export function isOurOrigin(
  { protocol, hostname, host }: URL,
  {
    config: { productUrl, isProduction },
    sites,
  }: { config: Pick<Config, 'productUrl' | 'isProduction'>; sites: Sites },
): boolean {
  if (hostname === 'localhost' && !isProduction) return true;
  return protocol === new URL(productUrl).protocol && sites.isOurs(host);
}

/** Asks the providers of a closed account to stop; those that do not answer are asked again by the daily run. */
async function finishRemoval(runtime: Runtime, supporterId: string): Promise<void> {
  const db = runtime.db.of(supporterId);
  const supporter = await findSupporter(db, supporterId);
  if (supporter?.isClosed) await finishClosing({ ...dependencies(runtime), db }, supporterId, 'supporter');
}

/** Makes a supporter's record follow an address that was changed in the Firebase project, which only its tokens show. */
function followingEmail(db: Pool, verify: VerifyIdToken): VerifyIdToken {
  return async (token, options) => {
    const identity = await verify(token, options);
    if (identity) await followVerifiedEmail(db, identity);
    return identity;
  };
}

/** Returns undefined for an invalid token; still throws where keys or database cannot be reached. */
function undefinedIfInvalid(verify: ReturnType<typeof createVerifier>): VerifyIdToken {
  return async (token) => {
    try {
      return await verify(token, { stillValid: true });
    } catch (error) {
      if (error instanceof InvalidIdToken) return undefined;
      throw error;
    }
  };
}
