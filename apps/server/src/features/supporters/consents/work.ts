import type { Pool } from '#db/connect.ts';
import type { Work } from '#features/core/supporter-work/do-work.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import { pollConnections } from './poll-connections.ts';
import { pollConsentOf } from './refresh-consent.ts';

export const consentWork = ({ db: anyDb, clock, bankLink }: { db: Pool; clock: Clock; bankLink: BankLink }) => ({
  consent_poll: (async (supporterId) => {
    const db = anyDb.of(supporterId);
    const supporter = await getSupporter(db, supporterId);
    const { isActive } = await pollConsentOf(db, clock, bankLink, supporter);
    if (isActive) await pollConnections(db, clock, bankLink, supporter);
    return supporter.bankCustomerId ? 'asked' : 'not asked';
  }) satisfies Work,
});
