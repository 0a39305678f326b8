import * as contract from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { InvalidInput } from '#errors.ts';
import type { ApprovedActs } from '#features/approvals/approved-acts.ts';
import { pageOf } from '#http/page-of.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { isUuid } from '#uuid.ts';
import { findAuditState, listAuditEntries } from './audit-entries.ts';
import { peopleRoutes } from './people-routes.ts';
import { ownSignInRoutes, sessionRoutes } from './routes.ts';
import type { SingleSignOnDeps } from './single-sign-on.ts';

/** Serves what the console needs of people: their sign-in, who they are, and what they did. */
export function operatorRoutes(serve: ServeConsole, deps: SingleSignOnDeps & { acts: ApprovedActs }): void {
  sessionRoutes(serve, deps);
  ownSignInRoutes(serve, deps);
  peopleRoutes(serve, deps);
  auditRoutes(serve, deps);
}

function auditRoutes(serve: ServeConsole, { db }: { db: Pool }): void {
  serve.person(contract.listAuditEntries, async ({ limit, ...filter }) => {
    if (filter.after !== undefined && !isUuid(filter.after))
      throw new InvalidInput('The page is not known.', { after: 'It is not the `next` of a page' });
    const entries = await listAuditEntries(db, { ...filter, limit: limit + 1 });
    return pageOf(entries, limit, ({ id }) => id);
  });

  serve.person(contract.retrieveAuditState, () => findAuditState(db));
}
