import * as contract from '@sparechange/contract/console';
import { endOfClub } from '#features/beneficiaries/clubs/campaigns.ts';
import { getClub } from '#features/beneficiaries/clubs/club-repository.ts';
import {
  type ExportDeps,
  exportDays,
  exportPayout,
  exportYear,
} from '#features/disbursements/remittance-advice/export-payouts.ts';
import { fileAnswer } from '#http/file-answer.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { today } from '#ports/clock.ts';
import { figuresOfClub } from './figures-of-club.ts';
import { listPayouts, readPendingPayouts } from './payouts-of-club.ts';

/** Serves a treasurer's view of their club's money. */
export function treasurerRoutes(serve: ServeConsole, deps: ExportDeps): void {
  const { db, clock, tenants } = deps;
  serve.person(contract.retrieveClubFigures, async ({ clubId }, { roles, isByLink }) => {
    const day = today(clock);
    const isForOrganisation = !isByLink && !contract.seesFiguresAlone(roles); // through a link only a treasurer looks
    const figures = await figuresOfClub(db, clubId, day, { isForOrganisation });
    return { ...figures, ...endOfClub(tenants, await getClub(db, clubId), day) };
  });

  serve.person(contract.listClubPayouts, async (page) => {
    await getClub(db, page.clubId);
    return listPayouts(db, page, clock.now());
  });

  serve.person(contract.retrievePendingPayouts, ({ clubId }) => readPendingPayouts(db, clubId, clock.now()));

  serve.person(contract.downloadPayouts, async ({ payoutId, year, ...wanted }) => {
    const { name, content } = payoutId
      ? await exportPayout(deps, { ...wanted, payoutId })
      : await exportYear(deps, { ...wanted, year: year ?? 0 });
    return fileAnswer(name, content);
  });

  serve.person(contract.downloadPayoutsOfDays, async (wanted) => {
    const { name, content } = await exportDays(deps, wanted);
    return fileAnswer(name, content);
  });
}
