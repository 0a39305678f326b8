import * as contract from '@sparechange/contract';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { findClub, setAdviceFrequency } from '#features/beneficiaries/clubs/club-repository.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import type { IdLink } from '#secrets/signed-links.ts';

interface AdviceLinkDeps {
  db: Pool;
  clock: Clock;
  adviceLinks: IdLink;
}

/** Serves the page behind the link in an advice, where a treasurer chooses how often advices are mailed. */
export function adviceLinkRoutes({ serve }: { serve: Serve }, { db, clock, adviceLinks }: AdviceLinkDeps): void {
  serve.open(contract.setAdviceFrequencyByLink, async ({ token, frequency }) => {
    const clubId = adviceLinks.read(token);
    const club = clubId && (await findClub(db, clubId));
    if (!club) throw new NotFound('The link');
    await db.begin(async (tx) => {
      if (!(await setAdviceFrequency(tx, clubId, frequency))) return;
      const entry = { supporterId: operatorsChain, at: clock.now(), actor: 'mailed link' };
      const action = 'changed how often a club is mailed advices';
      await appendToAuditLog(tx, { ...entry, action, details: { club: clubId, frequency } });
    });
    return { club: club.name };
  });
}
