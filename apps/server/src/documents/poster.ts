import { type TenantTheme, tenantColours } from '@sparechange/domain/tenant-colours';
import { type LogoShape, problemsOfLogo } from '#tenants/check-logo.ts';
import { fitText } from './fit-text.ts';
import { qrCodeSvg } from './qr-code.ts';
import { ringsSvg } from './share-picture.ts';
import { drawSvg, type Page, writePdf } from './typst.ts';

/** The words and marks of a poster for a clubhouse. */
export interface Poster {
  theme: TenantTheme;
  /** The name of the brand that the poster leads to. */
  brand: string;
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

/** A4 in points, the unit of everything here and in typst/poster.typ. */
const [width, height] = [595.28, 841.89];
const lineWidth = width - 2 * 48;
const bandHeight = 470;

/** Returns an A4 PDF poster inviting gifts to a club. */
export const printPoster = (poster: Poster): Uint8Array => writePdf(pageOf(poster));

/** Returns the same poster as SVG, for a picture of it. */
export const posterSvg = (poster: Poster): string => drawSvg(pageOf(poster));

function pageOf(poster: Poster): Page {
  const { theme, brand, club, address, provider } = poster;
  const colours = tenantColours({ theme });
  const { host, pathname } = new URL(address);
  const read = `${host}${pathname}`.replace(/\/$/, '');
  return {
    program: 'poster',
    words: {
      title: `Round up for ${club}`,
      band: bandHeight,
      colours: { band: colours['--tenant-background'], ink: colours['--tenant-on-background'] },
      ...{ brand, club, provider, read },
      ...linesOf(poster, read),
    },
    pictures: {
      ground: groundSvg(colours['--tenant-ring']),
      code: qrCodeSvg(address),
      logo: trusted(poster.logo, 'wide'),
      mark: trusted(poster.mark, 'mark'),
    },
  };
}

const trusted = (svg: string | undefined, shape: LogoShape) =>
  svg !== undefined && problemsOfLogo(svg, shape).length === 0 ? svg : undefined;

/** Returns the lines of words of any length; each block ends where its place does. */
function linesOf({ club, place }: Poster, read: string) {
  const name = fitText(club, { width: lineWidth, height: 194, largest: 54, leading: 1.08, isBold: true });
  const placed = fitText(place, { width: lineWidth, height: 36, largest: 16, leading: 1.2 });
  const readable = fitText(read, { width: lineWidth, height: 29, largest: 18, leading: 1.2, isBold: true });
  const firstOf = (last: number, { lines, size }: typeof name, leading: number) =>
    last - (lines.length - 1) * size * leading;
  const firstOfName = firstOf(bandHeight - 76, name, 1.08);
  return {
    name: { ...name, y: firstOfName },
    place: { ...placed, lines: place ? placed.lines : [], y: firstOf(firstOfName - name.size - 8, placed, 1.2) },
    address: { ...readable, y: firstOf(bandHeight + 308, readable, 1.2) },
  };
}

const groundSvg = (ring: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><g transform="translate(330 66) scale(0.86)" opacity="0.5">${ringsSvg(ring)}</g></svg>`;
