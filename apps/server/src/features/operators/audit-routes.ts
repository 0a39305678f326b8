import * as contract from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { InvalidInput } from '#errors.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { findAuditState, listAuditEntries } from './audit-entries.ts';
import { pageOf } from './people-routes.ts';

const cursorForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function auditRoutes(serve: ServeConsole, { db }: { db: Pool }): void {
  serve.person(contract.listAuditEntries, async ({ limit, ...filter }) => {
    if (filter.after !== undefined && !cursorForm.test(filter.after))
      throw new InvalidInput('The page is not known.', { after: 'It is not the `next` of a page' });
    const entries = await listAuditEntries(db, { ...filter, limit: limit + 1 });
    return pageOf(entries, limit, ({ id }) => id);
  });

  serve.person(contract.retrieveAuditState, () => findAuditState(db));
}
