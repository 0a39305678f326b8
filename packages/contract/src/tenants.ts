import { noCents } from '@sparechange/domain';
import { z } from 'zod';
import { writtenDay } from './day.ts';
import { text } from './text.ts';
import type { wholeCents } from './whole-cents.ts';

const colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Please use a colour such as #1a2b3c');

/** A page of ours, or one of another host: nothing else may be framed or linked to. */
const pageAddress = z
  .string()
  .max(500)
  .regex(
    /^(\/(?!\/)|https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?(\/|$))[\w./~?#=&%+@:-]*$/i,
    'Please use an address that begins with https://, or a page of ours that begins with /',
  );

const noAmount = 'Please use a whole number of cents, 0 or more';
const smallestDebit = z.int(noAmount).min(0, noAmount) as typeof wholeCents;

/** One settings variant, `tenants/<key>.json`. */
export const TenantSettings = z.object({
  tenant: z
    .string()
    .regex(/^[a-z0-9_]{1,60}$/, 'Please use a to z, 0 to 9 and underscores')
    .describe('underscore form; tenantA is the same with hyphens'),
  apikey: text(200).min(16, 'Please use at least 16 characters'),
  name: text(80).regex(/\S/, 'Please enter a name'),
  logoURL: text(500),
  logoURLDashboard: text(500),
  biline: z.object({
    primary: text(120),
    secondary: text(80).min(1).optional().describe('under it, on the pages of the brand and its clubs'),
  }),
  about: text(600).optional().describe("one paragraph of the brand's page; without it, its club's"),
  picture: z
    .string()
    .regex(/^[\w-]{1,100}\.(svg|webp|jpg|png)$/, 'Please name an SVG, WebP, JPEG or PNG file')
    .optional()
    .describe("a file of tenants/pictures; without it, its club's"),
  branding: z
    .object({ primary: text(500) })
    .default({ primary: '' })
    .describe('part of the client configuration; empty and unused'),
  theme: z.object({ primary: colour, background: colour, switch: colour, body: colour, secondary: colour }),
  clubID: text(60).optional(),
  parentClubId: text(60).optional(),
  endsOn: writtenDay.optional(),
  minimumDebitCents: smallestDebit.default(noCents),
  abn: text(20)
    .optional()
    .describe('of the organisation behind the brand; ops tenants check verifies its check digits'),
  supportURL: pageAddress.optional(),
  termsURL: pageAddress.optional(),
  directDebitTermsURL: pageAddress.optional(),
});
export type TenantSettings = z.infer<typeof TenantSettings>;

const tenantKey = z.string().regex(/^[a-z0-9-]+$/);
const clubId = text(60);

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
