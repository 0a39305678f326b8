import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotAllowed } from '#errors.ts';
import type { Serve } from '#http/serve.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { bindHandOff, forgetOldHandOffs, insertHandOff, takeHandOff } from './handoff-repository.ts';

/**
 * Returns a token that signs the user in at a host, once, through the browser SDK's signInWithCustomToken; undefined if
 * the requesting session has since ended.
 */
export type MintHandOffToken = (handOff: {
  uid: string;
  host: string;
  authTime?: number | undefined;
  since: number;
  sessionId?: string | undefined;
}) => Promise<string | undefined>;

export interface HandOffDeps {
  db: Pool;
  sites: Sites;
  /** Absent where another service keeps sign-ins: only its keys could sign for it. */
  mintHandOffToken?: MintHandOffToken | undefined;
}

/** Seconds for a browser to change tenant hosts (docs/decisions/tenants.md#hand-off-between-hosts). */
const validForSeconds = 60;

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

const isChallengeOf = (verifier: string, challenge: Buffer | null): boolean =>
  challenge !== null && timingSafeEqual(hashOf(verifier), challenge);

const refused = () => new NotAllowed('That link was used or has ended. Please verify your account.');

/** Serves the hand-off of a signed-in browser from one tenant's host to another's: a session belongs to one host. */
export function handOffRoutes(serve: Serve, { db: anyDb, sites, mintHandOffToken }: HandOffDeps): void {
  const db = anyDb.inControl();
  serve.supporter(contract.createHandoff, async ({ host }, { uid, authTime, issuedAt, sessionId }) => {
    if (!mintHandOffToken || issuedAt === undefined) throw new Conflict('Please verify your account there.');
    if (!sites.isOurs(host)) throw new InvalidInput('That host is not ours.', { host: 'That host is not ours.' });
    const code = randomBytes(32).toString('base64url');
    await forgetOldHandOffs(db);
    const asker = { uid, authTime: authTime ?? null, since: issuedAt, sessionId: sessionId ?? null };
    await insertHandOff(db, hashOf(code), { ...asker, host: host.toLowerCase() }, validForSeconds);
    return { handoff: code };
  });

  serve.supporter(contract.confirmHandoff, async ({ handoff, challenge }, { uid }) => {
    const bound = await bindHandOff(db, hashOf(handoff), uid, Buffer.from(challenge, 'base64url'));
    if (bound === 'no such code') throw refused();
    return {};
  });

  // A code shown to another host or by another browser is used up as well: it is no longer a secret of two pages.
  serve.open(contract.exchangeHandoff, async ({ handoff, verifier }, _nobody, { request }) => {
    const handOff = await takeHandOff(db, hashOf(handoff));
    const isAsked = handOff?.host === request.host.toLowerCase() && isChallengeOf(verifier, handOff.challenge);
    if (!mintHandOffToken || !handOff || !isAsked) throw refused();
    const { uid, host, authTime, since, sessionId } = handOff;
    const asker = { authTime: authTime ?? undefined, since, sessionId: sessionId ?? undefined };
    const customToken = await mintHandOffToken({ uid, host, ...asker });
    if (!customToken) throw refused();
    return { customToken };
  });
}
