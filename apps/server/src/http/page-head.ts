import { createHash } from 'node:crypto';
import type { Landing, Landings } from '@sparechange/contract';
import { tenantStyle } from '@sparechange/domain/tenant-colours';
import { escapeHtml } from '#html.ts';
import { isOfOneClub, type Tenant } from '#tenants/load-tenants.ts';
import { iconPath } from '#tenants/tenant-site.ts';
import { withoutTrailingSlashes } from '#trailing-slashes.ts';

export interface HeadOf {
  tenant: Tenant;
  mainTenant: string;
  path: string;
  landings: Landings | undefined;
  status: number;
  /** The address of the tenant's pages. */
  site: URL;
  nonce: string;
}

/** The screens that a search may find, besides the pages of clubs and brands: their headings and descriptions. */
const open: Record<string, { heading: string; describe: (name: string) => string }> = {
  '/clubs': {
    heading: 'Choose an organisation to support',
    describe: (name) => `Choose the club or cause that the spare change of your purchases goes to, with ${name}.`,
  },
  '/support': {
    heading: 'Support',
    describe: (name) => `Answers to questions about ${name}: round-ups, debits, your bank connection and how to stop.`,
  },
  '/terms': {
    heading: 'Terms',
    describe: (name) => `The terms of giving your spare change with ${name}, and the choices you have about your data.`,
  },
  '/privacy': {
    heading: 'Privacy',
    describe: (name) => `What ${name} reads from your bank, how it is kept, and what is never read or passed on.`,
  },
};
const aliases = new Set(['/', '/login', '/signin']);

const tag = (name: 'meta' | 'link', attributes: Record<string, string>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escapeHtml(value)}"`)
    .join(' ')}>`;
const meta = (name: string, content: string) => tag('meta', { name, content });
const property = (name: string, content: string) => tag('meta', { property: name, content });

const maxDescription = 180;

/** Ends a paragraph at a word, for the lines that previews show. */
function shortened(words: string): string {
  if (words.length <= maxDescription) return words;
  return `${words
    .slice(0, maxDescription)
    .replace(/\s\S*$/, '')
    .trimEnd()} …`;
}

/** Returns the lines below a page's title in search results and where its link is shared. */
export const describePage = ({ about }: Pick<Landing['page'], 'about'>, receiver: string): string =>
  shortened(about ?? `Round up what you buy anyway, and give the spare change to ${receiver}.`);

/** Returns the title of a brand's page with this heading. */
export const pageTitle = (heading: string | undefined, { name }: Pick<Tenant, 'name'>): string =>
  heading && heading !== name ? `${heading} · ${name}` : name;

/** Changes with the picture's content, so that cached previews are fetched again. */
const versionOf = (tenant: Tenant, landing: Landing): string =>
  createHash('sha256')
    .update(JSON.stringify([tenant.theme, tenant.logoURL, tenant.biline, landing.page.name, landing.page.logoURL]))
    .digest('hex')
    .slice(0, 8);

/** The lines that a search result and a shared link show of a landing page. */
function shared({ tenant, mainTenant, site }: HeadOf, landings: Landings, landing: Landing, title: string): string[] {
  const picture = landings.club ? `club-${landings.club.slug}` : 'brand';
  const image = new URL(`/share/${tenant.key}/${picture}.png?v=${versionOf(tenant, landing)}`, site).href;
  const hasReceiver = landings.club !== undefined || isOfOneClub(tenant, mainTenant);
  const description = describePage(landing.page, hasReceiver ? landing.page.name : 'the club you choose');
  return [
    meta('description', description),
    tag('link', { rel: 'canonical', href: landings.address }),
    property('og:type', 'website'),
    property('og:locale', 'en_AU'),
    property('og:site_name', tenant.name),
    property('og:title', title),
    property('og:description', description),
    property('og:url', landings.address),
    property('og:image', image),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', title),
    meta('twitter:card', 'summary_large_image'),
  ];
}

/** Writes title, description, picture, icons and colours of a path into its document's head. */
export function pageHead(of: HeadOf): string[] {
  const { tenant, path, landings, status, nonce } = of;
  const plain = withoutTrailingSlashes(path) || '/';
  const landing = landings?.club
    ? (landings.club.landing ?? undefined)
    : aliases.has(plain)
      ? landings?.brand
      : undefined;
  const screen = open[plain];
  const heading = landings?.club ? landing?.page.name : (screen?.heading ?? (landing && tenant.biline.primary));
  const title = pageTitle(heading, tenant);
  const isFound = status === 200 && (screen !== undefined || aliases.has(plain) || landing?.hasEnded === false);
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...(isFound ? [] : [meta('robots', 'noindex')]),
    ...(screen ? [meta('description', screen.describe(tenant.name))] : []),
    ...(landings && landing && status === 200 ? shared(of, landings, landing, title) : []),
    tag('link', { rel: 'icon', type: 'image/svg+xml', href: tenant.logoURLDashboard }),
    tag('link', { rel: 'apple-touch-icon', href: iconPath(tenant, 180, 'any') }),
    tag('link', { rel: 'manifest', href: '/manifest.webmanifest' }),
    tag('link', { rel: 'preload', as: 'image', href: tenant.logoURL }),
    `<style nonce="${nonce}">${tenantStyle(tenant)}</style>`,
  ];
}
