import { clubPlace } from '@sparechange/domain/club-place';
import { type TenantTheme, tenantColours } from '@sparechange/domain/tenant-colours';
import { escapeHtml } from '#html.ts';
import { isTrustedLogo } from '#tenants/check-logo.ts';

/** The words and marks of a picture that a shared link shows. */
export interface SharePicture {
  theme: TenantTheme;
  /** The brand's wide logo, an SVG. */
  logo: string | undefined;
  /** The club's mark, an SVG; undefined for a brand and a club without one. */
  mark?: string | undefined;
  /** The club's name, whose first letter is its mark where it has no other. */
  club?: string | undefined;
  title: string;
  subtitle: string;
}

interface SharedPage {
  theme: TenantTheme;
  readLogo: (name: string | null) => Promise<string | undefined>;
  /** The address of the brand's logo. */
  logoURL: string;
  club: { name: string; suburb: string | null; sport: string | null; logoURL: string | null };
}

/** Returns the picture of a club's link. */
export const clubPicture = async ({ theme, readLogo, logoURL, club }: SharedPage): Promise<SharePicture> => ({
  theme,
  logo: await readLogo(logoURL),
  mark: await readLogo(club.logoURL),
  club: club.name,
  title: club.name,
  subtitle: clubPlace(club),
});

/** Returns a drawing as an address that holds it. */
const dataOf = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

/** Embeds a logo that may be trusted, on white, as logos are drawn for it. */
function plate(svg: string | undefined, shape: 'wide' | 'mark', [x, y]: [number, number]): string {
  if (svg === undefined || !isTrustedLogo(svg, shape)) return '';
  const [width, height] = shape === 'wide' ? [330, 66] : [112, 112];
  return `
    <rect x="${x}" y="${y}" width="${width + 40}" height="${height + 32}" rx="20" fill="#ffffff"/>
    <image x="${x + 20}" y="${y + 16}" width="${width}" height="${height}" preserveAspectRatio="xMinYMid meet"
      href="${dataOf(svg)}"/>`;
}

/** Returns a club's mark on its plate, or its first letter, as screens show it; '' for a brand. */
function clubPlate({ mark, club }: Pick<SharePicture, 'mark' | 'club'>): string {
  const drawn = plate(mark, 'mark', [80, 64]);
  if (drawn || !club) return drawn;
  return `
    <rect x="80" y="64" width="152" height="144" rx="34" fill="#ffffff"/>
    ${letterSvg(club, [156, 136], 84)}`;
}

/** Returns the first letter of a name around a point, for lack of a mark. */
const letterSvg = (name: string, [x, y]: [number, number], size: number): string =>
  `<text x="${x}" y="${y + size * 0.36}" font-family="Inter" font-size="${size}" font-weight="700" fill="#111111" text-anchor="middle">${escapeHtml([...name][0] ?? '')}</text>`;

/** Breaks words into lines of limited length; text that does not fit ends in an ellipsis. */
export function breakLines(words: string, maxLetters: number, maxLines: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= maxLetters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > maxLetters ? `${line.slice(0, maxLetters - 1)}…` : line));
  if (lines.length > maxLines) shown[maxLines - 1] = `${(shown[maxLines - 1] ?? '').replace(/…$/, '')}…`;
  return shown;
}

/** Breaks words into as few lines as fit, each about as long as the others. */
function breakEvenly(words: string, maxLetters: number, maxLines: number): string[] {
  const lines = breakLines(words, maxLetters, maxLines);
  const narrower = breakLines(words, maxLetters - 1, maxLines);
  const isAsGood = narrower.length === lines.length && !narrower.some((line) => line.endsWith('…'));
  return isAsGood && maxLetters > 10 ? breakEvenly(words, maxLetters - 1, maxLines) : lines;
}

/** Returns coins rounding up to circles, 400 by 400. */
export const ringsSvg = (colour: string): string => `
  <g fill="none" stroke="${colour}" stroke-width="26" stroke-linecap="round">
    <circle cx="230" cy="230" r="150" opacity="0.16"/><path d="M230 80a150 150 0 1 1-143 105" opacity="0.28"/>
    <circle cx="230" cy="230" r="98" opacity="0.16"/><path d="M230 132a98 98 0 1 1-98 98" opacity="0.4"/>
    <circle cx="230" cy="230" r="46" opacity="0.55"/>
  </g>`;

/** Returns the picture as SVG, 1200 by 630, as link previews want it. */
export function shareSvg({ theme, logo, mark, club, title, subtitle }: SharePicture): string {
  const colours = tenantColours({ theme });
  const ink = colours['--tenant-on-background'];
  const own = clubPlate({ mark, club });
  const lines = breakEvenly(title, 24, 3);
  const size = lines.length > 2 ? 68 : 80;
  const firstLine = 396 - (lines.length - 1) * size;
  const written = lines.map(
    (line, at) =>
      `<text x="80" y="${firstLine + at * size * 1.1}" font-size="${size}" font-weight="700" letter-spacing="${-size * 0.03}">${escapeHtml(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
    <rect width="1200" height="630" fill="${colours['--tenant-background']}"/>
    <g transform="translate(700 130) scale(1.6)">${ringsSvg(colours['--tenant-ring'])}</g>
    ${own || plate(logo, 'wide', [80, 64])}
    ${own && plate(logo, 'wide', [750, 64])}
    <g font-family="Inter" fill="${ink}">
      ${written.join('')}
      <text x="80" y="${firstLine + lines.length * size * 1.1 - 8}" font-size="34" font-weight="500">${escapeHtml(breakLines(subtitle, 56, 1).join(''))}</text>
      <text x="80" y="566" font-size="30" font-weight="500">A coffee for $4.35 gives $0.65.</text>
    </g>
  </svg>`;
}

/** Returns a drawing in a share of a white picture's sides, in the middle unless `place`, as `preserveAspectRatio` has it, says otherwise. */
export const onWhite = (logo: string, [width, height]: [number, number], share = 1, place = 'xMidYMid'): string => {
  const [shownWidth, shownHeight] = [width * share, height * share];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#ffffff"/>
    <image x="${(width - shownWidth) / 2}" y="${(height - shownHeight) / 2}" width="${shownWidth}" height="${shownHeight}" preserveAspectRatio="${place}" href="${dataOf(logo)}"/></svg>`;
};

/** Returns a tenant's mark as an icon on white; a maskable one has it in the circle of four fifths that no phone cuts into. */
export const iconSvg = (mark: string, size: number, purpose: 'any' | 'maskable'): string =>
  onWhite(mark, [size, size], purpose === 'maskable' ? 0.8 : 1);

/**
 * Returns a wide logo at the left of a white picture, twice as large as emails show it: mail clients show no SVG, and may turn backgrounds
 * dark.
 */
export const mailLogoSvg = (logo: string): string => onWhite(logo, [400, 80], 1, 'xMinYMid');

/**
 * Returns a club's mark, or its first letter, with the brand's wide logo beside it: one picture, twice as large as emails
 * show it, and no wider than the narrowest phone has room for.
 */
export const clubMailLogoSvg = ({
  logo,
  mark,
  club,
}: {
  logo: string;
  mark: string | undefined;
  club: string;
}): string => {
  const own =
    mark !== undefined && isTrustedLogo(mark, 'mark')
      ? `<image width="80" height="80" href="${dataOf(mark)}"/>`
      : `<rect x="1.5" y="1.5" width="77" height="77" rx="20" fill="#ffffff" stroke="#c8cccc" stroke-width="3"/>${letterSvg(club, [40, 40], 44)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="424" height="80"><rect width="424" height="80" fill="#ffffff"/>${own}
    <rect x="101" y="12" width="2" height="56" fill="#d9dcdc"/>
    <image x="124" y="12" width="300" height="56" preserveAspectRatio="xMinYMid" href="${dataOf(logo)}"/></svg>`;
};
