import { printableLine, withoutFormatControls } from '@sparechange/domain';
import { contrast } from '@sparechange/domain/contrast';
import { escapeHtml } from '#html.ts';
import type { Mail } from '#ports/mailer.ts';
import type { Brand, EmailContent } from './email.ts';

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Renders an email as plain text and tenant-branded HTML. */
export function renderEmail(letter: EmailContent, brand: Brand, firstName?: string): Omit<Mail, 'to'> {
  const hello = firstName ? `Hello ${firstName},` : 'Hello,';
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
  { subject, preview, paragraphs, action, note, stop, settings }: EmailContent,
  brand: Brand,
  hello: string,
): string {
  const row = (content: string, style = 'padding:0 32px 16px') => `<tr><td style="${style}">${content}</td></tr>`;
  const choice = stop ?? settings;
  const rows = [
    row(
      logo(brand),
      `padding:32px 32px 24px;border-top:6px solid ${escapeHtml(brand.accent)};border-radius:24px 24px 0 0`,
    ),
    ...[hello, ...paragraphs].map((paragraph) => row(escapeHtml(paragraph))),
    action ? row(button(action.label, action.url.href, brand.primary), 'padding:8px 32px 24px') : '',
    note ? row(escapeHtml(note), smallPrint) : '',
    choice ? row(link(choice.label, choice.url.href), smallPrint) : '',
    row(
      signature(brand),
      'padding:24px 32px 32px;border-top:1px solid #e6e6e6;color:#5b5b5b;font-size:14px;line-height:20px',
    ),
  ].join('\n');
  return `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light only"><meta name="supported-color-schemes" content="light only"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f4f5f5">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}${afterPreview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f5"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:24px;color:#1a1a1a;font-size:16px;line-height:24px;${font};text-align:left">
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

const link = (label: string, url: string): string =>
  `<a href="${escapeHtml(url)}" style="color:#5b5b5b">${escapeHtml(label)}</a>`;

const logo = ({ logo: image, name, site }: Brand): string =>
  `<a href="${escapeHtml(site.href)}" style="color:#1a1a1a;text-decoration:none;font-size:20px;font-weight:600"><img src="${escapeHtml(image.href)}" alt="${escapeHtml(name)}" height="40" style="height:40px;max-width:240px;border:0;display:block"></a>`;

const button = (label: string, url: string, colour: string): string =>
  `<a href="${escapeHtml(url)}" style="display:inline-block;background:${escapeHtml(colour)};color:${inkOn(colour)};border-radius:24px;padding:12px 28px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>`;

/** Links from every email to its brand; emails ask to "contact us". */
const linksOf = ({ name, site }: Brand) => [
  { label: `Go to ${name}`, url: site },
  { label: 'Support', url: new URL('/support', site) },
  { label: 'Privacy', url: new URL('/privacy', site) },
];

const signature = (brand: Brand): string => {
  const links = linksOf(brand).map(({ label, url }) => link(label, url.href));
  return `<strong style="color:#1a1a1a">${escapeHtml(brand.name)}</strong><br>${escapeHtml(brand.tagline)}<br>${links.join(' · ')}`;
};

/** Returns white or black, the more readable on colour `#rrggbb`. */
export const inkOn = (colour: string): string =>
  contrast('#000000', colour) > contrast('#ffffff', colour) ? '#000000' : '#ffffff';
