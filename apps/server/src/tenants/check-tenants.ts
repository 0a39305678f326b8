import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redirects } from '@sparechange/contract';
import { isAbn } from '@sparechange/domain';
import { weakContrasts } from '@sparechange/domain/tenant-colours';
import type { Db } from '#db/connect.ts';
import { type LogoShape, problemsOfLogo } from './check-logo.ts';
import { type ClubInTree, problemsOfRedirects } from './check-redirects.ts';
import type { Tenant, Tenants } from './load-tenants.ts';

type Club = ClubInTree & { name: string; abn: string | null };

/**
 * Returns the problems of tenants beyond their schema: unknown clubs, unreadable colours, logos that are missing or
 * unsafe, business numbers with wrong check digits, redirects to nowhere or in a loop.
 */
export async function checkTenants(db: Db, tenants: Tenants, folder: string): Promise<string[]> {
  const clubs = await db<Club[]>`select id, parent_id as "parentId", name, abn from clubs order by name, id`;
  const redirects = Redirects.parse(JSON.parse(await readFile(join(folder, 'redirects.json'), 'utf8')));
  const ofTenants = await Promise.all(tenants.list().map((tenant) => problemsOfTenant(tenant, clubs, folder)));
  return [
    ...ofTenants.flat(),
    ...clubs.flatMap(({ id, name, abn }) =>
      abn === null || isAbn(abn) ? [] : [`club ${id} (${name}): ${abn} is not an ABN, its check digits are wrong`],
    ),
    ...problemsOfRedirects(redirects, clubs, (key) => tenants.byKey(key) !== undefined),
  ];
}

async function problemsOfTenant(tenant: Tenant, clubs: Club[], folder: string): Promise<string[]> {
  const { clubID, parentClubId, abn, logoURL, logoURLDashboard } = tenant;
  const isClub = (id: string | undefined) => id === undefined || clubs.some((club) => club.id === id);
  const problems = [
    ...[clubID, parentClubId].filter((id) => !isClub(id)).map((id) => `there is no club ${id}`),
    ...(abn === undefined || isAbn(abn) ? [] : [`${abn} is not an ABN, its check digits are wrong`]),
    ...weakContrasts(tenant).map(
      ({ what, contrast, wanted }) => `${what} has a contrast of ${contrast.toFixed(2)}, less than ${wanted}`,
    ),
    ...(await problemsOfLogoFile(logoURL, 'wide', folder)),
    ...(await problemsOfLogoFile(logoURLDashboard, 'mark', folder)),
  ];
  return problems.map((problem) => `${tenant.key}: ${problem}`);
}

/** Requires a local logo file: pages show no foreign pictures. */
async function problemsOfLogoFile(url: string, shape: LogoShape, folder: string): Promise<string[]> {
  const [, name] = /^\/tenants\/logos\/([\w-]+\.svg)$/.exec(url) ?? [];
  if (name === undefined) return [`${url} is not /tenants/logos/NAME.svg`];
  const text = await readFile(join(folder, 'logos', name), 'utf8').catch(() => undefined);
  if (text === undefined) return [`${url} is missing`];
  return problemsOfLogo(text, shape).map((problem) => `${url}: ${problem}`);
}
