import { printableLine, withoutFormatControls } from '@sparechange/domain';
import { contrast } from '@sparechange/domain/contrast';
import { escapeHtml } from '#html.ts';
import type { Mail } from '#ports/mailer.ts';
import type { Brand, EmailContent } from './email.ts';

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Renders an email as plain text and tenant-branded HTML. */
export function renderEmail(letter: EmailContent, brand: Brand, firstName?: string): Omit<Mail, 'to'> {
  const hello = firstName ? `Hi ${firstName},` : 'Hi,';
  const { subject, stop } = letter;
  const mail = {
    subject: printableLine(subject),
    text: withoutFormatControls(asText(letter, brand, hello)),
    html: withoutFormatControls(asHtml(letter, brand, hello)),
  };
  return stop ? { ...mail, unsubscribe: stop.url } : mail;
}

function asText({ paragraphs, action, note, stop, settings }: EmailContent, brand: Brand, hello: string): string {
  const parts = [hello, ...paragraphs];
  if (action) parts.push(`${action.label}:\n${action.url.href}`);
  if (note) parts.push(note);
  const choice = stop ?? settings;
  if (choice) parts.push(`${choice.label}:\n${choice.url.href}`);
  const links = linksOf(brand).map(({ label, url }) => `${label}:\n${url.href}`);
  return `${[...parts, `${brand.name}\n${brand.tagline}`, ...links].join('\n\n')}\n`;
}

function asHtml(
  { subject, preview, figure, paragraphs, action, note, stop, settings }: EmailContent,
  brand: Brand,
  hello: string,
): string {
  const row = (content: string, style = 'padding:0 32px 16px') =>
    `<tr><td class="ink" style="${style}">${content}</td></tr>`;
  const small = (content: string) => `<tr><td class="soft" style="${smallPrint}">${content}</td></tr>`;
  const choice = stop ?? settings;
  const rows = [
    row(
      Boolean(action) === Boolean(choice) ? logo(brand) : linked(logo(brand), brand.site),
      `padding:32px 32px 24px;border-top:6px solid ${escapeHtml(brand.accent)};border-radius:24px 24px 0 0`,
    ),
    figure ? row(largeFigure(figure), 'padding:0 32px 24px') : '',
    ...[hello, ...paragraphs].map((paragraph) => row(escapeHtml(paragraph))),
    action ? row(button(action.label, action.url.href, brand.primary), 'padding:8px 32px 24px') : '',
    note ? small(escapeHtml(note)) : '',
    choice ? small(link(choice.label, choice.url.href)) : '',
    `<tr><td class="soft line" style="${legalLines}">${signature(brand)}</td></tr>`,
  ].join('\n');
  return `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${atNight}</style></head>
<body class="page" style="margin:0;padding:0;background:#f4f5f5">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}${afterPreview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f4f5f5"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:560px;background:#ffffff;border-radius:24px;color:#1a1a1a;font-size:16px;line-height:24px;${font};text-align:left">
${rows}
</table>
</td></tr></table>
</body>
</html>
`;
}

/** Blanks that keep the greeting out of a short preview. */
const afterPreview = '&#847;&zwnj;&nbsp;'.repeat(60);

const smallPrint = 'padding:0 32px 16px;color:#5b5b5b;font-size:14px;line-height:20px';

const legalLines = 'padding:24px 32px 32px;border-top:1px solid #e6e6e6;color:#5b5b5b;font-size:14px;line-height:20px';

/**
 * Colours for a client that is dark and reads style sheets; the others keep light ones. A logo stands on white, so that
 * the card is black: turned about, the white is lost in it.
 */
const atNight = `@media (prefers-color-scheme:dark){.page{background:#1c1c1e!important}.card{background:#000000!important}.ink{color:#f2f2f7!important}.soft{color:#aeaeb2!important}.line{border-top-color:#3a3a3c!important}.button{border-color:#ffffff!important;background:#ffffff!important;color:#000000!important}.logo{filter:invert(1) hue-rotate(180deg)}}`;

/** An amount, read at arm's length, over the words that say what became of it. */
const largeFigure = ({ amount, words }: { amount: string; words: string }): string =>
  `<span class="ink" style="display:block;color:#1a1a1a;font-size:44px;line-height:52px;font-weight:700;letter-spacing:-1px">${escapeHtml(amount)}</span><span class="soft" style="color:#5b5b5b">${escapeHtml(words)}</span>`;

const link = (label: string, url: string): string =>
  `<a href="${escapeHtml(url)}" class="soft" style="color:#5b5b5b">${escapeHtml(label)}</a>`;

const logo = ({ logo: image, name, club }: Brand): string =>
  `<img src="${escapeHtml(image.href)}" alt="${escapeHtml(club === undefined ? name : `${club}, with ${name}`)}" height="40" class="ink logo" style="height:40px;max-width:240px;border:0;display:block;color:#1a1a1a;font-size:20px;font-weight:600">`;

/** The logo's link, which makes the addresses of an email even in number: rspamd gives a point to an odd one. */
const linked = (content: string, site: URL): string =>
  `<a href="${escapeHtml(site.href)}" class="ink" style="color:#1a1a1a;text-decoration:none">${content}</a>`;

const button = (label: string, url: string, colour: string): string =>
  `<a href="${escapeHtml(url)}" class="button" style="display:inline-block;border:1px solid ${escapeHtml(colour)};background:${escapeHtml(colour)};color:${inkOn(colour)};border-radius:24px;padding:12px 28px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>`;

/** Links from every email to its brand; emails ask to "contact us". */
const linksOf = ({ name, site }: Brand) => [
  { label: `Go to ${name}`, url: site },
  { label: 'Support', url: new URL('/support', site) },
  { label: 'Privacy', url: new URL('/privacy', site) },
];

const signature = (brand: Brand): string => {
  const links = linksOf(brand).map(({ label, url }) => link(label, url.href));
  return `<strong class="ink" style="color:#1a1a1a">${escapeHtml(brand.name)}</strong><br>${escapeHtml(brand.tagline)}<br>${links.join(' · ')}`;
};

/** Returns white or black, the more readable on colour `#rrggbb`. */
export const inkOn = (colour: string): string =>
  contrast('#000000', colour) > contrast('#ffffff', colour) ? '#000000' : '#ffffff';
