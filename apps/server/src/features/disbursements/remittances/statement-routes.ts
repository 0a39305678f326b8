import * as contract from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { fileAnswer } from '#http/file-answer.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { clubStatement, startOfStatement, statementCsv } from './club-statement.ts';

const maxShown = 100;

/** Serves a club's payments of a month, supporter by supporter. */
export function statementRoutes(serve: ServeConsole, { db }: { db: Pool }): void {
  serve.person(contract.retrieveClubStatement, async ({ clubId, month }) => {
    const { remittances, failed, supporters, ...statement } = await startOfStatement(db, clubId, month, maxShown);
    return {
      ...statement,
      payouts: [...remittances, ...failed],
      supporters: supporters.map(({ supporterId, ...line }) => ({ id: supporterId, ...line })),
    };
  });

  serve.person(contract.downloadClubStatement, async ({ clubId, month }) => {
    const statement = await clubStatement(db, clubId, month);
    return fileAnswer(`statement-${statement.month}.csv`, `\uFEFF${statementCsv(statement)}\r\n`);
  });
}
