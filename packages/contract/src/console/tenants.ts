import { z } from 'zod';
import { Redirects, TenantSettings } from '../tenants.ts';
import { text } from '../text.ts';
import { consoleOperation } from './operation.ts';
import { Paged, pageOf } from './paging.ts';

export { Redirects, TenantSettings };

/** `redirects` belongs to no tenant: it names the settings that send clubs to their own home. */
export const redirectsKey = 'redirects';
export const TenantKey = z.string().regex(/^[a-z0-9-]{1,63}$/, 'Please use a to z, 0 to 9 and hyphens');

export const TenantState = z.enum(['live', 'halted', 'ended']);
export type TenantState = z.infer<typeof TenantState>;

export const TenantSummary = z.object({
  id: z.string().describe('the key'),
  name: z.string(),
  state: TenantState,
  endsOn: z.iso.date().nullable(),
  address: z.url(),
  mark: z.string().describe('path of the square logo'),
  colours: z.array(z.string()),
  version: z.number(),
  savedAt: z.iso.datetime(),
});
export type TenantSummary = z.infer<typeof TenantSummary>;

export const listTenants = consoleOperation({
  name: 'listTenants',
  method: 'GET',
  path: '/tenants',
  allowed: ['owner', 'finance', 'support', 'viewer'],
  readsOnly: true,
  follows: ['tenant_versions', 'suspended_tenants'],
  input: Paged.extend({ search: text(100).trim().optional(), state: TenantState.optional() }),
  output: pageOf(TenantSummary),
});

/** Names every brand, to choose one; the list with pages is for reading and exporting. */
export const listTenantNames = consoleOperation({
  name: 'listTenantNames',
  method: 'GET',
  path: '/tenants/names',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['tenant_versions', 'suspended_tenants'],
  input: z.object({}),
  output: z.object({ tenants: z.array(z.object({ key: z.string(), name: z.string() })) }),
});

/** Settings as they are stored: a tenant's, or the redirects. */
export const TenantContent = z.record(z.string(), z.unknown());
export type TenantContent = z.infer<typeof TenantContent>;

export const retrieveTenant = consoleOperation({
  name: 'retrieveTenant',
  method: 'GET',
  path: '/tenants/settings',
  allowed: ['owner'],
  readsOnly: true,
  follows: 'nothing',
  input: z.object({ key: TenantKey }),
  example: { key: 'default' },
  output: z.object({
    content: TenantContent,
    version: z.number(),
    state: TenantState,
    haltedBecause: z.string().nullable(),
    address: z.url(),
    clubs: z.array(z.object({ id: z.uuid(), name: z.string() })).describe('those that the settings name'),
  }),
});

/** Returns the address of a draft's page, which its id opens for an hour. */
export const previewPath = (id: string, path: '/' | '/clubs', scheme: 'light' | 'dark'): string =>
  `/console/preview/${id}/${scheme}?${new URLSearchParams({ path })}`;

/** A problem of settings; without a field it is about all of them. */
export const SettingsProblem = z.object({
  field: z.string().describe('such as `theme.primary`'),
  sentence: z.string(),
});
export type SettingsProblem = z.infer<typeof SettingsProblem>;

/** The version that the caller has seen; 0 for a new tenant. A later one is not overwritten. */
const basedOn = z.int().min(0).max(1e9);

const draft = z.object({ key: TenantKey, content: TenantContent });

/** Returns the problems that a save would be refused for, while somebody types, and keeps the draft for its preview. */
export const checkTenant = consoleOperation({
  name: 'checkTenant',
  method: 'POST',
  path: '/tenants/check',
  allowed: ['owner'],
  readsOnly: true,
  follows: 'nothing',
  input: draft,
  example: { key: 'default', content: { name: 'Sparechange' } },
  output: z.object({
    problems: z.array(SettingsProblem),
    advice: z.array(z.string()).describe('on what is allowed and may be a mistake'),
    previewId: z.uuid().nullable().describe('null where there is nothing to draw'),
  }),
});

export const saveTenant = consoleOperation({
  name: 'saveTenant',
  method: 'POST',
  path: '/tenants/save',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['key'],
  words: 'Saved a brand',
  input: draft.extend({
    basedOn,
  }),
  example: { key: 'default', content: { name: 'Sparechange' }, basedOn: 1 },
  output: z.object({ version: z.number(), changed: z.array(z.string()) }),
});

export const TenantVersion = z.object({
  version: z.number(),
  origin: z.enum(['file', 'edit', 'restore']),
  savedAt: z.iso.datetime(),
  savedBy: z.string().nullable().describe('a person, or a user of the operating system; null for a file'),
  changes: z.array(z.object({ setting: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});
export type TenantVersion = z.infer<typeof TenantVersion>;

/** Lists the last versions of a tenant, newest first, each with its changes since the one before. */
export const listTenantVersions = consoleOperation({
  name: 'listTenantVersions',
  method: 'GET',
  path: '/tenants/versions',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['operators', 'tenant_versions'],
  input: z.object({ key: TenantKey }),
  example: { key: 'default' },
  output: z.object({ versions: z.array(TenantVersion) }),
});

/** Saves an earlier version again as the newest one. */
export const restoreTenant = consoleOperation({
  name: 'restoreTenant',
  method: 'POST',
  path: '/tenants/restore',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['key', 'version'],
  words: 'Put back a version of a brand',
  input: z.object({ key: TenantKey, version: z.int().min(1).max(1e9), basedOn }),
  example: { key: 'default', version: 1, basedOn: 1 },
  output: z.object({ version: z.number(), changed: z.array(z.string()) }),
});

export const PicturePlace = z.enum(['logoURL', 'logoURLDashboard', 'picture']);
export type PicturePlace = z.infer<typeof PicturePlace>;

/** Keeps a logo or picture for a brand; the answer is what to put into its setting. */
export const uploadTenantPicture = consoleOperation({
  name: 'uploadTenantPicture',
  method: 'POST',
  path: '/tenants/pictures',
  allowed: ['owner'],
  maxBodyBytes: 500_000,
  audited: ['key', 'place'],
  words: 'Uploaded a picture of a brand',
  input: z.object({ key: TenantKey, place: PicturePlace, content: z.base64().min(1).max(450_000) }),
  example: { key: 'default', place: 'picture', content: 'iVBORw0KGgo=' },
  output: z.object({ value: z.string() }),
});
