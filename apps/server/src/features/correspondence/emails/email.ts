import type { IsoDate } from '@sparechange/domain';
import type { Tenant } from '#tenants/load-tenants.ts';
import { mailLogoPath } from '#tenants/tenant-site.ts';

/** An email's content as plain text; the renderer escapes it. */
export interface EmailContent {
  subject: string;
  /** The line a mailbox shows beside the subject. */
  preview: string;
  paragraphs: string[];
  /** The one thing to do, if there is one. */
  action?: { label: string; url: URL };
  /** Small print under it. */
  note?: string;
  /** The way to get no more of its kind: a page for people, which mail clients may also post to (RFC 8058). */
  stop?: { label: string; url: URL };
  /** A page of choices about mails of its kind, none of which ends them. */
  settings?: { label: string; url: URL };
}

/** The brand of an email. */
export interface Brand {
  name: string;
  tagline: string;
  logo: URL;
  /** Under the button, and the line at the top. */
  primary: string;
  accent: string;
  site: URL;
}

/** A tenant's brand, with addresses that hold outside the page. */
export function brandOf(tenant: Tenant, site: URL): Brand {
  return {
    name: tenant.name,
    tagline: tenant.biline.primary,
    logo: new URL(mailLogoPath(tenant), site),
    primary: tenant.theme.primary,
    accent: tenant.theme.secondary,
    site,
  };
}

/** The surroundings of an email. */
export interface EmailContext {
  /** The day on which it is sent. */
  today: IsoDate;
  /** True once the supporter's account is closed: nobody signs in to it. */
  isClosed: boolean;
  /** True once no further debit is taken for the supporter's club or campaign. */
  hasCampaignEnded: boolean;
  /** A page of the supporter's tenant, such as `/dashboard`. */
  page(path: string): URL;
  /** A renewal link that opens the bank's pages until then. */
  renewal(purpose: 'extend' | 'expired', until: Date): URL;
  /** The page that confirms the address; undefined once it is. */
  confirmEmail(): URL | undefined;
  /** The page that skips one debit, and the one that chooses when debits are mailed about; both open to whoever holds them. */
  skip(run: IsoDate): URL;
  debitNotices(): URL;
  /** The copied direct debit request's wording; empty for other mails. */
  directDebitText: string;
  /** The name our debits carry on statements. */
  statementName: string;
  /** Days to renew an expired consent before bank data deletion. */
  graceDays: number;
}

const fullDay = new Intl.DateTimeFormat('en-AU', { dateStyle: 'full', timeZone: 'UTC' });
const fullMonth = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "Wednesday 25 November 2026" */
export const dayInWords = (day: string): string => fullDay.format(new Date(`${day}T00:00:00Z`)).replace(',', '');

/** "November 2026", from `2026-11`. */
export const monthInWords = (month: string): string => fullMonth.format(new Date(`${month}-01T00:00:00Z`));
