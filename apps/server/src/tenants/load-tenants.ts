import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redirects, TenantSettings } from '@sparechange/contract';
import type { IsoDate } from '@sparechange/domain';
import { z } from 'zod';
import { InvalidInput } from '#errors.ts';

export type Tenant = TenantSettings & { key: string };

export interface Tenants {
  list(): Tenant[];
  byKey(key: string): Tenant | undefined;
  /** Returns the tenant of both headers; undefined if they disagree. */
  byKeys(apikey: unknown, tenant: unknown): Tenant | undefined;
  redirects(): Redirects;
  /** Runs work during which none of these answers change. */
  hold<Result>(work: () => Result): Result;
}

/** The content of `tenants/<key>.json`: a tenant's settings, or the redirects. */
export interface Settings {
  key: string;
  content: unknown;
}

/** The key of the settings that are no tenant's. */
export const redirectsKey = 'redirects';

const schemaOf = (key: string): z.ZodType => (key === redirectsKey ? Redirects : TenantSettings);

/** Text that is not JSON is wrong like a setting that is missing: it is reported with all the others. */
const JsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    context.addIssue(`not JSON: ${(error as Error).message}`);
    return z.NEVER;
  }
});

/** A problem of settings, at one of them or, where `field` is empty, at all. */
export interface SettingsProblem {
  /** Such as `theme.primary`. */
  field: string;
  sentence: string;
}

export type ParsedSettings = (Settings & { problems: undefined }) | { key: string; problems: SettingsProblem[] };

/** Returns a problem with its file and field. */
export const lineOfFile = (key: string, { field, sentence }: SettingsProblem): string =>
  [`${key}.json`, field, sentence].filter((part) => part !== '').join(': ');

function answerFor(key: string, { data: content, error }: z.ZodSafeParseResult<unknown>): ParsedSettings {
  if (!error) return { key, content, problems: undefined };
  return { key, problems: error.issues.map(({ path, message }) => ({ field: path.join('.'), sentence: message })) };
}

/** Returns settings with their defaults filled in, or each problem. */
export const parseSettings = ({ key, content }: Settings): ParsedSettings =>
  answerFor(key, schemaOf(key).safeParse(content));

export const parseSettingsFile = (key: string, text: string): ParsedSettings =>
  answerFor(key, JsonText.pipe(schemaOf(key)).safeParse(text));

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new InvalidInput(`The tenants cannot be used:\n${problems.join('\n')}`);
}

/** Reads every `tenants/<key>.json`; throws an error naming all wrong files. */
export async function readSettings(folder: string): Promise<Settings[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const parsed = await Promise.all(
    names.map(async (name) =>
      parseSettingsFile(name.replace(/\.json$/, ''), await readFile(join(folder, name), 'utf8')),
    ),
  );
  refuse(parsed.flatMap(({ key, problems = [] }) => problems.map((problem) => lineOfFile(key, problem))));
  return parsed.filter((each) => each.problems === undefined);
}

const noRedirects: Redirects = { verify: {}, confirmed: [], consented: {} };

/** Returns tenants that never change. */
export function fixedTenants(tenants: Tenant[], redirects = noRedirects): Tenants {
  const byKey = new Map(tenants.map((tenant) => [tenant.key, tenant]));
  const byApikey = new Map(tenants.map((tenant) => [tenant.apikey, tenant]));
  return {
    list: () => tenants,
    byKey: (key) => byKey.get(key),
    byKeys: (apikey, tenant) => {
      const found = typeof apikey === 'string' ? byApikey.get(apikey) : undefined;
      return found?.tenant === tenant ? found : undefined;
    },
    redirects: () => redirects,
    hold: (work) => work(),
  };
}

/** Returns the tenant of settings, undefined where unreadable. */
export function parseTenant({ key, content }: Settings): Tenant | undefined {
  const { data } = TenantSettings.safeParse(content);
  return data && { ...data, key };
}

const parseTenants = (settings: readonly Settings[]): Tenant[] =>
  settings
    .filter(({ key }) => key !== redirectsKey)
    .map(({ key, content }) => ({ ...TenantSettings.parse(content), key }));

/** Returns the problems of tenants beside each other. */
export function problemsTogether(settings: readonly Settings[]): SettingsProblem[] {
  const tenants = parseTenants(settings);
  const hasSharedKey = new Set(tenants.map(({ apikey }) => apikey)).size < tenants.length;
  return [
    ...(hasSharedKey ? [{ field: 'apikey', sentence: 'two tenants share one apikey' }] : []),
    ...(tenants.some(({ key }) => key === 'default') ? [] : [{ field: '', sentence: 'default.json is missing' }]),
  ];
}

/** Returns the tenants of settings; throws an error that names every problem. */
export function tenantsOf(settings: readonly Settings[]): Tenants {
  refuse(problemsTogether(settings).map(({ sentence }) => sentence));
  const redirects = settings.find(({ key }) => key === redirectsKey);
  return fixedTenants(parseTenants(settings), redirects && Redirects.parse(redirects.content));
}

/** Returns the settings that tenants were made of. */
export const settingsOf = (tenants: Tenants): Settings[] => [
  ...tenants.list().map(({ key, ...content }) => ({ key, content })),
  { key: redirectsKey, content: tenants.redirects() },
];

/** Loads the tenants of a folder's files. */
export const loadTenants = async (folder: string): Promise<Tenants> => tenantsOf(await readSettings(folder));

/** Returns a tenant, or the default for an unknown key. */
export function tenantOrDefault(tenants: Tenants, key: string): Tenant {
  const tenant = tenants.byKey(key) ?? tenants.byKey('default');
  if (!tenant) throw new Error('There is no default tenant.');
  return tenant;
}

/** Returns a tenant's name, with its key where another has the same name; the key alone once the tenant is gone. */
export function brandName(tenants: Tenants, key: string): string {
  const name = tenants.byKey(key)?.name;
  if (name === undefined) return key;
  return tenants.list().some((other) => other.name === name && other.key !== key) ? `${name} (${key})` : name;
}

/** The hyphen form of a tenant's identifier (docs/rules.md#two-spellings-of-a-tenant). */
export const tenantA = (tenant: Tenant): string => tenant.tenant.replaceAll('_', '-');

/** Throws InvalidInput if a payload names another tenant than the header of its call. */
export function refuseOtherTenantA(tenant: Tenant, given: string): void {
  if (given !== tenantA(tenant)) throw new InvalidInput('tenantA does not belong to the tenant header.');
}

/** Returns whether the campaign is over on that day (docs/rules.md#end-of-a-campaign). */
export const hasEnded = (tenant: Tenant, day: IsoDate): boolean => tenant.endsOn !== undefined && day >= tenant.endsOn;

/** Returns true for the brand of one club, where nobody chooses (docs/rules.md#own-brands). */
export const isOfOneClub = ({ key, clubID, parentClubId }: Tenant, mainTenant: string): boolean =>
  clubID !== undefined && parentClubId === undefined && key !== 'default' && key !== mainTenant;
