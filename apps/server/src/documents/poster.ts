import { type TenantTheme, tenantColours } from '@sparechange/domain/tenant-colours';
import type { Content } from 'pdfmake/interfaces.js';
import { escapeHtml } from '#html.ts';
import { type LogoShape, problemsOfLogo } from '#tenants/check-logo.ts';
import { writePdf } from './pdf.ts';
import { qrCodeSvg } from './qr-code.ts';
import { breakEvenly, ringsSvg } from './share-picture.ts';

/** The words and marks of a poster for a clubhouse. */
export interface Poster {
  theme: TenantTheme;
  /** The brand's wide logo, an SVG. */
  logo: string | undefined;
  /** The club's mark, an SVG. */
  mark: string | undefined;
  club: string;
  place: string;
  /** Where the code leads; people read it without its query. */
  address: URL;
  /** The company that runs the product. */
  provider: string;
}

/** A4 in points, the unit of everything here. */
const [width, height] = [595.28, 841.89];
const margin = 48;
const bandHeight = 470;

const steps = [
  ['1', 'Scan the code and register.'],
  ['2', 'Connect your bank, and', 'choose what is rounded up.'],
  ['3', 'A coffee for $4.35 gives $0.65.'],
];

/** Returns an A4 poster that invites to give to a club, as PDF. */
export const printPoster = (poster: Poster): Promise<Uint8Array> =>
  writePdf({
    pageSize: 'A4',
    pageMargins: 0,
    defaultStyle: { font: 'Inter' },
    info: { title: `Round up for ${poster.club}`, author: poster.provider },
    content: [
      drawn(pageSvg(poster), [0, 0], width),
      ...plate(poster.mark ?? poster.logo, poster.mark ? 'mark' : 'wide', margin),
      ...(poster.mark ? plate(poster.logo, 'wide', width - margin - 232) : []),
      drawn(qrCodeSvg(poster.address.href), [margin - 18, bandHeight + 32], 240),
    ],
  });

const drawn = (svg: string, [x, y]: [number, number], width: number): Content => ({
  svg,
  font: 'Inter',
  width,
  absolutePosition: { x, y },
});

/** Embeds a logo that may be trusted, on the plate that the page has for it. */
function plate(svg: string | undefined, shape: LogoShape, x: number): Content[] {
  if (svg === undefined || problemsOfLogo(svg, shape).length > 0) return [];
  const fit: [number, number] = shape === 'wide' ? [200, 40] : [64, 64];
  const [plateWidth, plateHeight] = [fit[0] + 32, fit[1] + 24];
  const ground = `<svg viewBox="0 0 ${plateWidth} ${plateHeight}"><rect width="${plateWidth}" height="${plateHeight}" rx="12" fill="#ffffff"/></svg>`;
  return [
    drawn(ground, [x, margin], plateWidth),
    { svg, font: 'Inter', fit, absolutePosition: { x: x + 16, y: margin + 12 } },
  ];
}

function pageSvg({ theme, club, place, address, provider }: Poster): string {
  const colours = tenantColours({ theme });
  const lines = breakEvenly(club, 17, 4);
  const size = lines.length > 3 ? 44 : 54;
  const firstLine = bandHeight - 76 - (lines.length - 1) * size * 1.08;
  const text = (words: string, x: number, y: number, size: number, isBold = false) =>
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="${isBold ? 700 : 400}">${escapeHtml(words)}</text>`;
  const read = `${address.host}${address.pathname}`.replace(/\/$/, '');
  const [left, right] = [margin, 306];
  let line = bandHeight + 104;
  const written = steps.flatMap(([number = '', ...words]) => {
    const step = [
      text(number, right, line, 16, true),
      ...words.map((each, at) => text(each, right + 24, line + at * 20, 16)),
    ];
    line += words.length * 20 + 14;
    return step;
  });
  return `<svg viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${bandHeight}" fill="${colours['--tenant-background']}"/>
    <g transform="translate(330 66) scale(0.86)" opacity="0.5">${ringsSvg(colours['--tenant-ring'])}</g>
    <g fill="${colours['--tenant-on-background']}">
      ${place ? text(place, left, firstLine - size - 8, 16) : ''}
      ${lines.map((words, at) => text(words, left, firstLine + at * size * 1.08, size, true)).join('')}
      ${text('Give your spare change, a few cents at a time.', left, bandHeight - 34, 20)}
    </g>
    <g fill="#14191b">
      ${text('Scan, and round up', right, bandHeight + 68, 24, true)}
      ${written.join('')}
      ${text(read, left, bandHeight + 308, read.length > 44 ? 13 : 18, true)}
    </g>
    <g fill="#545d61">${text(`Run by ${provider}. Pause, set a limit or stop at any time.`, left, bandHeight + 334, 11)}</g>
  </svg>`;
}
