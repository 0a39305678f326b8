import { randomBytes } from 'node:crypto';
import type { ClubPage } from '@sparechange/contract';
import { type ColourScheme, pageColours, tenantColours } from '@sparechange/domain/tenant-colours';
import { escapeHtml } from '#html.ts';
import type { Tenant } from '#tenants/load-tenants.ts';

interface Widget {
  tenant: Tenant;
  /** Undefined where the club cannot be shown; the widget then names the brand alone. */
  page: ClubPage | undefined;
  hasEnded: boolean;
  /** The page that Start leads to, in a tab of its own. */
  address: string;
}

/** Longer names are set smaller: the frame of the line of HTML that clubs paste in has one height, 320 px, for every club. */
const longName = 40;

const number = (count: number): string => count.toLocaleString('en-AU');

function colours(tenant: Tenant, scheme: ColourScheme): string {
  const { ink, quiet, surface } = pageColours[scheme];
  const brand = tenantColours(tenant, scheme);
  return `:root{--ink:${ink};--quiet:${quiet};--surface:${surface};--start:${brand['--tenant-primary']};--on-start:${brand['--tenant-on-primary']};--bar:${brand['--tenant-background']};--edge:${brand['--tenant-background-edge']}}`;
}

/**
 * Fits a column of 280 px and one of 480 px, and fills 320 px of height, Start at its end; letters are the reader's own,
 * as a frame loads no typeface. It names no colour scheme of the document: in a page of another one its ground would no longer be transparent.
 */
const styleOf = (tenant: Tenant): string =>
  `${colours(tenant, 'light')}@media(prefers-color-scheme:dark){${colours(tenant, 'dark')}img{filter:invert(1) hue-rotate(180deg)}}
*{box-sizing:border-box;margin:0}body{padding:4px;font:16px/1.4 system-ui,sans-serif;color:var(--ink);background:transparent}
.card{display:flex;flex-direction:column;justify-content:center;max-width:480px;min-height:min(100vh - 8px,312px);padding:20px;border:1px solid var(--edge);border-radius:20px;background:var(--surface)}
.club{display:flex;align-items:center;gap:12px;font-weight:650;font-size:18px;line-height:1.25;overflow-wrap:anywhere}
img{flex:none;width:44px;height:44px;border-radius:24%;object-fit:contain}
.card:has(.start) .club{margin-top:auto}.card>:has(+.start){margin-bottom:auto}
.raised{margin-top:16px;font-size:28px;font-weight:700;letter-spacing:-.02em;line-height:1.15}
.quiet{color:var(--quiet);font-size:14px}:is(.club,.quiet)+.quiet{margin-top:12px}
progress{display:block;width:100%;height:10px;margin:12px 0 4px;border:1px solid var(--edge);border-radius:5px;overflow:hidden;appearance:none;background:none}
progress::-webkit-progress-bar{background:none}progress::-webkit-progress-value{background:var(--bar)}progress::-moz-progress-bar{background:var(--bar)}
.start{display:block;margin-top:16px;padding:12px 4px;border-radius:12px;background:var(--start);color:var(--on-start);font-weight:650;text-align:center;text-decoration:none}
.start:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.long{padding:12px 14px}.long .club{gap:10px;font-size:14px;line-height:1.2}.long img{width:36px;height:36px}
.long .raised{margin-top:8px;font-size:24px}.long progress{margin-top:8px}.long .start{margin-top:12px}`;

function raised({ figures }: ClubPage): string {
  if (!figures) return '<p class="quiet">The spare change of everyday purchases, for the club.</p>';
  const { raisedDollars, supporters, goalDollars } = figures;
  const goal =
    goalDollars === undefined
      ? ''
      : `<progress value="${Math.min(raisedDollars, goalDollars)}" max="${goalDollars}" aria-label="Raised of the goal"></progress><p class="quiet">of our goal of $${number(goalDollars)}</p>`;
  return `<p class="raised">$${number(raisedDollars)}</p><p class="quiet">raised by ${number(supporters)} supporters</p>${goal}`;
}

/** Returns a club's widget as a document that runs nothing, and the policy under which any site may frame it. */
export function clubWidget({ tenant, page, hasEnded, address }: Widget): { html: string; policy: string } {
  const nonce = randomBytes(16).toString('base64');
  const shownName = page?.name ?? tenant.name;
  const name = escapeHtml(shownName);
  const mark = page?.logoURL ?? tenant.logoURLDashboard;
  const start = hasEnded
    ? '<p class="quiet">This campaign has ended. Thank you!</p>'
    : `<a class="start" href="${escapeHtml(address)}" target="_blank" rel="noopener">Start rounding up</a>`;
  const html = `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${name}</title><style nonce="${nonce}">${styleOf(tenant)}</style></head>
<body><main class="card${shownName.length > longName ? ' long' : ''}"><h1 class="club"><img src="${escapeHtml(mark)}" alt="" width="44" height="44">${name}</h1>
${page ? raised(page) : ''}${start}</main></body></html>
`;
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');
  return { html, policy };
}
