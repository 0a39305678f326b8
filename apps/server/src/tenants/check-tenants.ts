import { isAbn } from '@sparechange/domain';
import { weakContrasts } from '@sparechange/domain/tenant-colours';
import type { Db } from '#db/connect.ts';
import { type LogoShape, problemsOfLogo, type TryLogo } from './check-logo.ts';
import { problemsOfPicture } from './check-picture.ts';
import { type ClubInTree, problemsOfRedirects } from './check-redirects.ts';
import { withChanges } from './current-settings.ts';
import {
  type ParsedSettings,
  parseTenant,
  problemsTogether,
  redirectsKey,
  type Settings,
  type SettingsProblem,
  type Tenant,
  type Tenants,
  tenantsOf,
} from './load-tenants.ts';
import { type TenantFiles, tenantFiles } from './tenant-files.ts';

type Club = ClubInTree & { name: string; abn: string | null; logo: string | null; picture: string | null };

const listClubs = (db: Db) => db<Club[]>`
  select id, parent_id as "parentId", name, abn, logo, picture from clubs order by name, id`;

/**
 * Returns the problems of tenants beyond their schema: unknown clubs, unreadable colours, logos that are missing or
 * unsafe or cannot be drawn, business numbers with wrong check digits, redirects to nowhere or in a loop.
 */
export async function checkTenants(db: Db, tenants: Tenants, folder: string, tryLogo: TryLogo): Promise<string[]> {
  const clubs = await listClubs(db);
  const files = tenantFiles(folder, db);
  const ofTenants = tenants.list().map(async (tenant) => {
    const problems = [
      ...(await problemsOfTenant(tenant, clubs, files)),
      ...(await problemsOfDrawings(tenant, files, tryLogo)),
    ];
    return problems.map(({ sentence }) => `${tenant.key}: ${sentence}`);
  });
  return [
    ...(await Promise.all(ofTenants)).flat(),
    ...(await Promise.all(clubs.map((club) => problemsOfClub(club, files)))).flat(),
    ...(await problemsOfClubDrawings(clubs, files, tryLogo)),
    ...problemsOfRedirects(tenants.redirects(), clubs, (key) => tenants.byKey(key) !== undefined),
  ];
}

/** Labels below the product's domain that are no tenant's. */
const hostsOfOurs = new Set(['api', 'console', 'www']);

/** Returns the problems that a tenant's settings, or the redirects, would have if they were saved beside the others. */
export async function problemsOfChange(
  db: Db,
  folder: string,
  change: ParsedSettings,
  others: readonly Settings[],
): Promise<SettingsProblem[]> {
  const { key } = change;
  if (change.problems) return change.problems;
  if (hostsOfOurs.has(key)) return [{ field: '', sentence: `${key} is the name of a host of ours.` }];
  if (!/^[a-z0-9-]{1,63}$/.test(key)) return [{ field: '', sentence: `${key} is not a key: a-z, 0-9 and hyphens.` }];
  const all = withChanges([...others], [change]);
  const together = problemsTogether(all);
  if (together.length > 0) return together;
  const tenants = tenantsOf(all);
  const clubs = await listClubs(db);
  const files = tenantFiles(folder, db);
  const tenant = tenants.byKey(key);
  if (tenant) return problemsOfTenant(tenant, clubs, files);
  const ofRedirects = problemsOfRedirects(tenants.redirects(), clubs, (each) => tenants.byKey(each) !== undefined);
  return ofRedirects.map((sentence) => ({ field: '', sentence }));
}

/** Returns the problems of drawing the logos and the picture of settings, whose other problems problemsOfChange returns. */
export async function problemsOfDrawing(
  db: Db,
  folder: string,
  change: ParsedSettings,
  tryLogo: TryLogo,
): Promise<SettingsProblem[]> {
  if (change.problems || change.key === redirectsKey) return [];
  const tenant = parseTenant(change);
  return tenant ? problemsOfDrawings(tenant, tenantFiles(folder, db), tryLogo) : [];
}

/** Draws a picture, unless it is a WebP, which only browsers draw. */
async function problemsOfDrawnPicture(
  name: string | null | undefined,
  files: TenantFiles,
  tryLogo: TryLogo,
): Promise<string[]> {
  if (!name || name.endsWith('.webp')) return [];
  const content = await files.read('pictures', name);
  if (!content || problemsOfPicture(name, content).length > 0) return []; // reported without drawing it
  const problems = await tryLogo(name.endsWith('.svg') ? content.toString('utf8') : content, 'picture');
  return problems.map((problem) => `/tenants/pictures/${name}: ${problem}`);
}

async function problemsOfDrawings(
  { logoURL, logoURLDashboard, picture }: Tenant,
  files: TenantFiles,
  tryLogo: TryLogo,
): Promise<SettingsProblem[]> {
  const ofLogo = async (url: string, shape: LogoShape) => {
    const text = await files.readLogo(url);
    return text === undefined ? [] : (await tryLogo(text, shape)).map((problem) => `${url}: ${problem}`);
  };
  const ofPicture = await problemsOfDrawnPicture(picture, files, tryLogo);
  return [
    ...at('logoURL', await ofLogo(logoURL, 'wide')),
    ...at('logoURLDashboard', await ofLogo(logoURLDashboard, 'mark')),
    ...at('picture', ofPicture),
  ];
}

/** Draws clubs' marks and pictures one after the other. */
async function problemsOfClubDrawings(clubs: Club[], files: TenantFiles, tryLogo: TryLogo): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, name, ...drawings } of clubs) {
    const found = await problemsOfClubDrawing(drawings, files, tryLogo);
    problems.push(...found.map((problem) => `club ${id} (${name}): ${problem}`));
  }
  return problems;
}

interface ClubDrawings {
  logo?: string | null | undefined;
  picture?: string | null | undefined;
}

async function problemsOfClubDrawing(
  { logo, picture }: ClubDrawings,
  files: TenantFiles,
  tryLogo: TryLogo,
): Promise<string[]> {
  const mark = await files.readLogo(logo ?? null);
  const ofMark = mark === undefined ? [] : await tryLogo(mark, 'mark');
  const ofDrawing = await problemsOfDrawnPicture(picture, files, tryLogo);
  return [...ofMark.map((problem) => `/tenants/logos/${logo}: ${problem}`), ...ofDrawing];
}

/** Reads and draws a club's logo and picture before they are saved, and returns why they may not be. */
export type CheckDrawings = (drawings: ClubDrawings) => Promise<string[]>;

export const drawingCheck =
  (files: TenantFiles, tryLogo: TryLogo): CheckDrawings =>
  async (drawings) => {
    const problems = await problemsOfClubFiles(drawings, files);
    return problems.length > 0 ? problems : problemsOfClubDrawing(drawings, files, tryLogo);
  };

const problemsOfClubFiles = async ({ logo, picture }: ClubDrawings, files: TenantFiles): Promise<string[]> => [
  ...(logo ? await problemsOfLogoFile(`/tenants/logos/${logo}`, 'mark', files) : []),
  ...(await problemsOfPictureFile(picture, files)),
];

async function problemsOfClub({ id, name, abn, logo, picture }: Club, files: TenantFiles): Promise<string[]> {
  const problems = [
    ...(abn === null || isAbn(abn) ? [] : [`${abn} is not an ABN, its check digits are wrong`]),
    ...(await problemsOfClubFiles({ logo, picture }, files)),
  ];
  return problems.map((problem) => `club ${id} (${name}): ${problem}`);
}

const at = (field: string, sentences: string[]): SettingsProblem[] =>
  sentences.map((sentence) => ({ field, sentence }));

/** Returns the colour a contrast is about, as a setting. */
const colourIn = (what: string): string => `theme.${/primary|secondary|background|switch|body/.exec(what)?.[0]}`;

async function problemsOfTenant(tenant: Tenant, clubs: Club[], files: TenantFiles): Promise<SettingsProblem[]> {
  const { clubID, parentClubId, abn, logoURL, logoURLDashboard } = tenant;
  const unknownClub = (id: string | undefined) =>
    id === undefined || clubs.some((club) => club.id === id) ? [] : [`there is no club ${id}`];
  return [
    ...at('clubID', unknownClub(clubID)),
    ...at('parentClubId', unknownClub(parentClubId)),
    ...at('abn', abn === undefined || isAbn(abn) ? [] : [`${abn} is not an ABN, its check digits are wrong`]),
    ...weakContrasts(tenant).map(({ what, contrast, wanted }) => ({
      field: colourIn(what),
      sentence: `${what} is hard to read: its contrast is ${contrast.toFixed(2)}, at least ${wanted} is needed`,
    })),
    ...at('logoURL', await problemsOfLogoFile(logoURL, 'wide', files)),
    ...at('logoURLDashboard', await problemsOfLogoFile(logoURLDashboard, 'mark', files)),
    ...at('picture', await problemsOfPictureFile(tenant.picture, files)),
  ];
}

/** Requires a logo of ours: pages show no foreign pictures. */
async function problemsOfLogoFile(url: string, shape: LogoShape, files: TenantFiles): Promise<string[]> {
  const [, name] = /^\/tenants\/logos\/([\w-]+\.svg)$/.exec(url) ?? [];
  if (name === undefined) return [`${url} is not /tenants/logos/NAME.svg`];
  const text = await files.readLogo(name);
  if (text === undefined) return [`${url} is missing`];
  return problemsOfLogo(text, shape).map((problem) => `${url}: ${problem}`);
}

async function problemsOfPictureFile(name: string | null | undefined, files: TenantFiles): Promise<string[]> {
  if (!name) return [];
  const url = `/tenants/pictures/${name}`;
  const content = await files.read('pictures', name);
  if (content === undefined) return [`${url} is missing`];
  return problemsOfPicture(name, content).map((problem) => `${url}: ${problem}`);
}
