import { noCents } from '@sparechange/domain';
import { z } from 'zod';
import { wholeCents } from './whole-cents.ts';

const colour = z.string().regex(/^#[0-9a-f]{6}$/i);

/** A page of ours, or one of another host: nothing else may be framed or linked to. */
const pageAddress = z
  .string()
  .max(500)
  .regex(/^(\/(?!\/)|https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?(\/|$))[\w./~?#=&%+@:-]*$/i);

/** One settings variant, `tenants/<key>.json`. */
export const TenantSettings = z.object({
  tenant: z
    .string()
    .regex(/^[a-z0-9_]{1,60}$/)
    .describe('underscore form; tenantA is the same with hyphens'),
  apikey: z.string().min(16),
  name: z.string().max(80),
  logoURL: z.string().max(500),
  logoURLDashboard: z.string().max(500),
  biline: z.object({
    primary: z.string().max(120),
    secondary: z.string().min(1).max(80).optional().describe('under it, on the pages of the brand and its clubs'),
  }),
  about: z.string().max(600).optional().describe("one paragraph of the brand's page; without it, its club's"),
  picture: z
    .string()
    .regex(/^[\w-]+\.(svg|webp|jpg|png)$/)
    .optional()
    .describe("a file of tenants/pictures; without it, its club's"),
  branding: z
    .object({ primary: z.string() })
    .default({ primary: '' })
    .describe('part of the client configuration; empty, and nothing reads it'),
  theme: z.object({ primary: colour, background: colour, switch: colour, body: colour, secondary: colour }),
  clubID: z.string().optional(),
  parentClubId: z.string().optional(),
  endsOn: z.iso.date().optional(),
  minimumDebitCents: wholeCents.min(0).default(noCents),
  abn: z
    .string()
    .optional()
    .describe('of the organisation behind the brand; ops tenants check verifies its check digits'),
  supportURL: pageAddress.optional(),
  termsURL: pageAddress.optional(),
  directDebitTermsURL: pageAddress.optional(),
});
export type TenantSettings = z.infer<typeof TenantSettings>;

const tenantKey = z.string().regex(/^[a-z0-9-]+$/);
const clubId = z.string();

/** `tenants/redirects.json`: clubs that continue at their own home (docs/rules.md#redirects-between-tenants). */
export const Redirects = z.object({
  verify: z.record(clubId, tenantKey),
  confirmed: z.array(
    z
      .object({ clubId: clubId.optional(), parentClubId: clubId.optional(), tenant: tenantKey })
      .refine((rule) => rule.clubId !== undefined || rule.parentClubId !== undefined),
  ),
  consented: z.record(clubId, tenantKey),
});
export type Redirects = z.infer<typeof Redirects>;

/** The answer of GET /config.json. */
export const BrowserConfig = z.object({
  productDomain: z.string(),
  tenantRule: z.enum(['provider-domain', 'product-host']),
  mainTenant: z.string(),
  api: z.string(),
  identity: z.object({
    apiKey: z.string(),
    authDomain: z.string(),
    projectId: z.string(),
    storageBucket: z.string(),
    messagingSenderId: z.string(),
    appId: z.string(),
    measurementId: z.string(),
    selfHostedUrl: z.string().nullable(),
  }),
});
export type BrowserConfig = z.infer<typeof BrowserConfig>;
