import type { IsoDate } from '@sparechange/domain';
import type { Tenant } from '#tenants/load-tenants.ts';
import { mailLogoPath } from '#tenants/tenant-site.ts';

/** An email's content as plain text; the renderer escapes it. */
export interface EmailContent {
  subject: string;
  /** Line that a mailbox shows beside the subject. */
  preview: string;
  /** The amount that it is about, set large; a paragraph says it as well. */
  figure?: { amount: string; words: string };
  paragraphs: string[];
  /** The single action, if there is one. */
  action?: { label: string; url: URL };
  /** Small print under it. */
  note?: string;
  /** Unsubscribes from its kind: a page for people, which mail clients may also post to (RFC 8058). */
  stop?: { label: string; url: URL };
  /** A page with choices for emails of its kind, none of which ends them. */
  settings?: { label: string; url: URL };
}

/** The brand of an email. */
export interface Brand {
  name: string;
  tagline: string;
  logo: URL;
  /** The supporter's club, whose mark stands beside the logo; undefined where the club is the brand's own. */
  club?: string;
  /** Under the button, and the line at the top. */
  primary: string;
  accent: string;
  site: URL;
}

/** A tenant's brand, with addresses that hold outside the page; for a club that is not its own, with the club's mark. */
export function brandOf(tenant: Tenant, site: URL, club?: { id: string; name: string; slug: string }): Brand {
  const isOwn = tenant.clubID === club?.id && !tenant.parentClubId;
  const other = isOwn ? undefined : club;
  return {
    name: tenant.name,
    tagline: tenant.biline.primary,
    logo: new URL(mailLogoPath(tenant, other?.slug), site),
    ...(other && { club: other.name }),
    primary: tenant.theme.primary,
    accent: tenant.theme.secondary,
    site,
  };
}

/** Context of an email. */
export interface EmailContext {
  /** Day on which it is sent. */
  today: IsoDate;
  /** True once the supporter's account is closed, which ends sign-in. */
  isClosed: boolean;
  /** True once no further debit is taken for the supporter's club or campaign. */
  hasCampaignEnded: boolean;
  /** A page of the supporter's tenant, such as `/dashboard`. */
  page(path: string): URL;
  /** A renewal link that opens the bank's pages until then. */
  renewal(purpose: 'extend' | 'expired', until: Date): URL;
  /** Page that confirms the address; undefined once it is. */
  confirmEmail(): URL | undefined;
  /** Pages to skip one debit and to choose the frequency of debit emails; both open for any holder of the link. */
  skip(run: IsoDate): URL;
  debitNotices(): URL;
  /** Copied direct debit request's wording; empty for other emails. */
  directDebitText: string;
  /** Name on statements for our debits. */
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
