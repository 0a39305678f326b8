import * as contract from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { getClub, setReserve } from '#features/beneficiaries/clubs/club-repository.ts';
import { presentAsked } from '#features/core/approvals/approved-acts.ts';
import { findReserve } from '#features/core/ledger/club-adjustments.ts';
import { pageOf } from '#http/page-of.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { getReceivable } from './club-corrections.ts';
import { type CorrectingActs, correctOrAsk, writeOffOrAsk } from './correct-or-ask.ts';
import { listCorrections } from './list-corrections.ts';

interface LedgerRouteDeps {
  db: Pool;
  acts: CorrectingActs;
}

/** Serves corrections of the ledger, and clubs' debts. */
export function ledgerRoutes(serve: ServeConsole, deps: LedgerRouteDeps): void {
  const { db } = deps;

  serve.person(contract.listCorrections, async ({ limit, ...filter }) =>
    pageOf(await listCorrections(db, { ...filter, limit: limit + 1 }), limit, ({ id }) => id),
  );

  serve.person(contract.correctLedger, async ({ cents: amount, ...correction }, caller) => ({
    asked: presentAsked(await correctOrAsk(deps, consoleActor(caller), { ...correction, amount })),
  }));

  serve.person(contract.retrieveClubBalance, async ({ clubId }) => {
    const { id } = await getClub(db, clubId);
    return { owesCents: await getReceivable(db, id), ...(await findReserve(db, id)) };
  });

  serve.person(contract.setClubReserve, async ({ clubId, cents }) => {
    if ((await setReserve(db, clubId, cents)) === undefined) throw new NotFound('The club');
    return {};
  });

  serve.person(contract.writeOffClub, async ({ cents: amount, ...writeOff }, caller) => ({
    asked: presentAsked(await writeOffOrAsk(deps, consoleActor(caller), { ...writeOff, amount })),
  }));
}
