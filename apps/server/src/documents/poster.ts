import { type TenantTheme, tenantColours } from '@sparechange/domain/tenant-colours';
import type { Content } from 'pdfmake/interfaces.js';
import { escapeHtml } from '#html.ts';
import { type LogoShape, problemsOfLogo } from '#tenants/check-logo.ts';
import { type FittedText, fitText } from './fit-text.ts';
import { writePdf } from './pdf.ts';
import { qrCodeSvg } from './qr-code.ts';
import { ringsSvg } from './share-picture.ts';

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
  address: string;
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

/** Returns an A4 PDF poster inviting gifts to a club. */
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
      drawn(qrCodeSvg(poster.address), [margin - 18, bandHeight + 32], 240),
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
  const lineWidth = width - 2 * margin;
  const named = fitText(club, { width: lineWidth, height: 194, largest: 54, leading: 1.08, isBold: true });
  const placed = fitText(place, { width: lineWidth, height: 36, largest: 16, leading: 1.2 });
  const text = (words: string, x: number, y: number, size: number, isBold = false) =>
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="${isBold ? 700 : 400}">${escapeHtml(words)}</text>`;
  /** Writes lines of which the last stands at y. */
  const linesUpTo = (y: number, { size, lines }: FittedText, leading: number, isBold = false) =>
    lines.map((words, at) => text(words, margin, y - (lines.length - 1 - at) * size * leading, size, isBold)).join('');
  const lastLine = bandHeight - 76;
  const firstLine = lastLine - (named.lines.length - 1) * named.size * 1.08;
  const { host, pathname } = new URL(address);
  const read = `${host}${pathname}`.replace(/\/$/, '');
  const readable = fitText(read, { width: lineWidth, height: 29, largest: 18, leading: 1.2, isBold: true });
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
      ${place ? linesUpTo(firstLine - named.size - 8, placed, 1.2) : ''}
      ${linesUpTo(lastLine, named, 1.08, true)}
      ${text('Give your spare change, a few cents at a time.', left, bandHeight - 34, 20)}
    </g>
    <g fill="#14191b">
      ${text('Scan, and round up', right, bandHeight + 68, 24, true)}
      ${written.join('')}
      ${linesUpTo(bandHeight + 308, readable, 1.2, true)}
    </g>
    <g fill="#545d61">${text(`Run by ${provider}. Pause, set a limit or stop at any time.`, left, bandHeight + 334, 11)}</g>
  </svg>`;
}
