import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import type { IdLink } from '#secrets/signed-links.ts';
import { askToJoin, confirmRequest } from './ask-to-join.ts';

interface JoinDeps {
  db: Pool;
  clock: Clock;
  clubRequestLinks: IdLink;
  sendMails: () => Promise<void>;
}

/** Serves the page on which a club asks to join, and the page of the link emailed to its contact. */
export function clubRequestRoutes({ serve }: { serve: Serve }, deps: JoinDeps): void {
  serve.open(contract.askToJoin, async (form, _caller, { tenant }) => {
    await askToJoin(deps, tenant.key, form);
    await deps.sendMails();
    return {};
  });

  serve.open(contract.confirmClubRequest, async ({ token }) => {
    const id = deps.clubRequestLinks.read(token);
    if (!id) throw new NotFound('The link');
    return { club: await confirmRequest(deps, id) };
  });
}
