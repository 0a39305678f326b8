import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as contract from '@sparechange/contract/console';
import { type IsoDate, monthStart } from '@sparechange/domain';
import { actorName } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { tryLogo } from '#documents/try-logo.ts';
import { NotFound } from '#errors.ts';
import { type ConsoleCaller, consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { drawingCheck } from '#tenants/check-tenants.ts';
import { brandName } from '#tenants/load-tenants.ts';
import { tenantFiles } from '#tenants/tenant-files.ts';
import { listBrandFigures } from './brand-figures.ts';
import { endOfClub, listEndedClubs } from './campaigns.ts';
import { clubsOfTenant, findClubBalances, listOverview, listParents } from './club-overview.ts';
import { type Brands, homeOf } from './club-pages.ts';
import { findClubRecord } from './club-record.ts';
import { type Club, findClub, listPublicClubs } from './club-repository.ts';
import { addClub, editClub, reinstateClub, retireClub } from './edit-club.ts';

export interface ClubConsoleDeps extends Brands {
  db: Pool;
  clock: Clock;
  encryption: FieldEncryption;
  /** Folder of the logos and pictures clubs may have. */
  tenantsFolder: string;
}

/** Serves the console's club list, one club, and its form. */
export function clubConsoleRoutes(serve: ServeConsole, deps: ClubConsoleDeps): void {
  const { db, clock, encryption, tenants, tenantsFolder } = deps;
  const filesIn = async (folder: string) => (await readdir(join(tenantsFolder, folder))).sort();
  const endOf = (club: Club, day: IsoDate) => endOfClub(tenants, club, day);
  const checkDrawings = drawingCheck(tenantFiles(tenantsFolder, db), tryLogo);
  const changing = (caller: ConsoleCaller) => ({
    ...{ db, clock, tenants, checkDrawings },
    by: actorName(consoleActor(caller)),
  });

  serve.person(contract.listClubs, async ({ limit, tenant, ...filter }, { roles }) => {
    const day = today(clock);
    const rows = await listOverview(db, {
      ...filter,
      limit: limit + 1,
      ofTenant: tenant === undefined ? undefined : clubsOfTenant(tenants.list(), tenant),
      endedIds: await listEndedClubs(db, tenants, day),
      month: monthStart(day),
      isForOrganisation: !contract.seesFiguresAlone(roles),
    });
    const shown = rows.slice(0, limit).map((row) => ({
      ...row,
      tenant: brandName(tenants, homeOf(deps, row).tenant.key),
      ...endOf(row, day),
    }));
    return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  });

  serve.person(contract.listBrandFigures, async (_input, { roles }) => ({
    rows: await listBrandFigures(db, deps, {
      month: monthStart(today(clock)),
      isForOrganisation: !contract.seesFiguresAlone(roles),
    }),
    next: null,
  }));

  serve.person(contract.retrieveClubChoices, async ({ search }) => ({
    tenants: tenants
      .list()
      .filter(({ key, clubID, parentClubId }) => key === 'default' || clubID || parentClubId)
      .map(({ key, name, parentClubId }) => ({ key, name, parentId: parentClubId ?? null })),
    ...(await listParents(db, search)),
    logos: await filesIn('logos'),
    pictures: await filesIn('pictures'),
  }));

  serve.person(contract.retrieveClub, async ({ clubId }, caller) => {
    const [club] = await listPublicClubs(db, { id: clubId });
    if (!club) throw new NotFound('The club');
    const isForOrganisation = !contract.seesFiguresAlone(caller.roles);
    const record = isForOrganisation ? await findClubRecord(db, encryption, clubId) : undefined;
    const { tenant, address } = homeOf(deps, club);
    const day = today(clock);
    return {
      ...club,
      ...(await findClubBalances(db, clubId, isForOrganisation)),
      contactEmail: record?.contactEmail ?? null,
      account: contract.maySeeBankDetails(caller, clubId) ? (record?.account ?? null) : null,
      parent: (club.parentId && (await findClub(db, club.parentId))) || null,
      tenant: brandName(tenants, tenant.key),
      address: address.href,
      retiredFrom: club.endsOn,
      ...endOf(club, day),
      today: day,
    };
  });

  serve.person(contract.addClub, async (form, caller) => ({ id: await addClub(changing(caller), form) }));

  serve.person(contract.saveClub, async ({ clubId, seen, ...form }, caller) => {
    await editClub(changing(caller), clubId, form, seen);
    return {};
  });

  serve.person(contract.retireClub, async ({ clubId, from }, caller) => {
    await retireClub(changing(caller), clubId, from);
    return {};
  });

  serve.person(contract.reinstateClub, async ({ clubId }, caller) => {
    await reinstateClub(changing(caller), clubId);
    return {};
  });
}
