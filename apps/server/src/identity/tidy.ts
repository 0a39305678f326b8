import type { Db } from '#db/connect.ts';
import { deleteFullTokenBuckets } from '#db/token-bucket.ts';
import { forgetOldNetworks } from './network.ts';

/** Deletes rows without further effect; safe on several servers. */
export async function tidyIdentity(db: Db): Promise<void> {
  await deleteFullTokenBuckets(db, 'identity.limits');
  await forgetOldCodes(db);
  await releaseHeldAddresses(db);
  await forgetSpentTokens(db);
  await forgetUnusedSessions(db);
  await forgetOldNetworks(db);
}

/** Deletes codes a day after their end: until then a late click learns that the link has expired. */
async function forgetOldCodes(db: Db): Promise<void> {
  await db`delete from identity.oob_codes where expires_at < now() - interval '1 day'`;
}

/** Releases held addresses that their former users can no longer return to. */
async function releaseHeldAddresses(db: Db): Promise<void> {
  await db`delete from identity.addresses where held_until < now()`;
}

/** Deletes spent tokens an hour after expiry, as clocks differ. */
async function forgetSpentTokens(db: Db): Promise<void> {
  await db`delete from identity.spent_tokens where expires_at < now() - interval '1 hour'`;
}

/** Deletes sessions unused for a year or long since ended. */
async function forgetUnusedSessions(db: Db): Promise<void> {
  await db`delete from identity.sessions where used_at < now() - interval '1 year' or ended_at < now() - interval '30 days'`;
}
