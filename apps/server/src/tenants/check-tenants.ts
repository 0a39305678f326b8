import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbn } from '@sparechange/domain';
import { weakContrasts } from '@sparechange/domain/tenant-colours';
import type { Db } from '#db/connect.ts';
import { type LogoShape, problemsOfLogo } from './check-logo.ts';
import { type ClubInTree, problemsOfRedirects } from './check-redirects.ts';
import type { Tenant, Tenants } from './load-tenants.ts';

type Club = ClubInTree & { name: string; abn: string | null; logo: string | null; picture: string | null };

/**
 * Returns the problems of tenants beyond their schema: unknown clubs, unreadable colours, logos that are missing or
 * unsafe, business numbers with wrong check digits, redirects to nowhere or in a loop.
 */
export async function checkTenants(db: Db, tenants: Tenants, folder: string): Promise<string[]> {
  const clubs = await db<Club[]>`
    select id, parent_id as "parentId", name, abn, logo, picture from clubs order by name, id`;
  const ofTenants = await Promise.all(tenants.list().map((tenant) => problemsOfTenant(tenant, clubs, folder)));
  return [
    ...ofTenants.flat(),
    ...(await Promise.all(clubs.map((club) => problemsOfClub(club, folder)))).flat(),
    ...problemsOfRedirects(tenants.redirects(), clubs, (key) => tenants.byKey(key) !== undefined),
  ];
}

async function problemsOfClub({ id, name, abn, logo, picture }: Club, folder: string): Promise<string[]> {
  const problems = [
    ...(abn === null || isAbn(abn) ? [] : [`${abn} is not an ABN, its check digits are wrong`]),
    ...(logo === null ? [] : await problemsOfLogoFile(`/tenants/logos/${logo}`, 'mark', folder)),
    ...(await problemsOfPicture(picture ?? undefined, folder)),
  ];
  return problems.map((problem) => `club ${id} (${name}): ${problem}`);
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
    ...(await problemsOfPicture(tenant.picture, folder)),
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

/** Limits what a page loads beside its words. */
const largestPictureBytes = 300_000;

async function problemsOfPicture(name: string | undefined, folder: string): Promise<string[]> {
  if (name === undefined) return [];
  const url = `/tenants/pictures/${name}`;
  const content = await readFile(join(folder, 'pictures', name)).catch(() => undefined);
  if (content === undefined) return [`${url} is missing`];
  if (content.length > largestPictureBytes)
    return [`${url}: ${content.length} bytes, more than ${largestPictureBytes}`];
  if (!name.endsWith('.svg')) return [];
  return problemsOfLogo(content.toString('utf8'), 'picture').map((problem) => `${url}: ${problem}`);
}
