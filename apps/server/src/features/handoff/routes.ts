import { createHash, randomBytes } from 'node:crypto';
import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import type { Sites } from '#features/tenants/tenant-site.ts';
import { conflict, invalidInput, Refusal } from '#http/errors.ts';
import type { Serve } from '#http/serve.ts';
import { forgetOldHandOffs, insertHandOff, takeHandOff } from './handoff-repository.ts';

/** Signs a user in at a host, once, through the browser SDK's signInWithCustomToken. */
export type HandOver = (handOff: { uid: string; host: string; authTime?: number | undefined }) => Promise<string>;

export interface HandOffDeps {
  db: Pool;
  sites: Sites;
  /** Absent with a Firebase project: only Google's own keys could sign for it. */
  handOver?: HandOver | undefined;
}

/** How long a browser may take from one tenant's host to the other (design section 6). */
const goodForSeconds = 60;

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** The way of a signed-in browser from one tenant's host to another's: a session belongs to one host. */
export function handOffRoutes(serve: Serve, { db, sites, handOver }: HandOffDeps): void {
  serve.supporter(contract.createHandoff, async ({ host }, caller) => {
    if (!handOver) throw conflict('Please verify your account there.');
    if (!sites.isOurs(host)) throw invalidInput('That host is not ours.', { host: 'That host is not ours.' });
    const code = randomBytes(32).toString('base64url');
    await forgetOldHandOffs(db);
    const handOff = { uid: caller.uid, host: host.toLowerCase(), authTime: caller.authTime ?? null };
    await insertHandOff(db, hashOf(code), handOff, goodForSeconds);
    return { handoff: code };
  });

  // A code shown to another host is used up all the same: it is no longer a secret between two of our pages.
  serve.open(contract.exchangeHandoff, async ({ handoff }, _nobody, { request }) => {
    const handOff = await takeHandOff(db, hashOf(handoff));
    if (!handOver || !handOff || handOff.host !== request.host.toLowerCase()) {
      throw new Refusal(403, 'not-allowed', 'That link was used or has ended. Please verify your account.');
    }
    const { uid, host, authTime } = handOff;
    return { customToken: await handOver({ uid, host, authTime: authTime ?? undefined }) };
  });
}
