import * as contract from '@sparechange/contract';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { findClub, setAdviceFrequency } from '#features/beneficiaries/clubs/club-repository.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import type { IdLink } from '#secrets/signed-links.ts';

interface LinkDeps {
  db: Pool;
  clock: Clock;
  adviceLinks: IdLink;
}

/** Serves the page of an advice's link, where a treasurer chooses the frequency of emails. */
export function adviceLinkRoutes(serve: Serve, { db, clock, adviceLinks }: LinkDeps): void {
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
