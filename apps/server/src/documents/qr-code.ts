import encode from 'qr';

/** Modules of white around a code, as its standard asks. */
const quiet = 4;

export interface QrCode {
  /** The modules of a side, those around the code included. */
  size: number;
  /** The dark modules as the path of an SVG. */
  path: string;
}

/** Returns an address as a QR code; a quarter of it may be torn or dirty. */
export function qrCode(address: string): QrCode {
  const rows = encode(address, 'raw', { ecc: 'quartile', border: quiet });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: dark.join('') };
}

/** Returns an address as an SVG of its code, drawn with `pixels` pixels a module where they are given. */
export function qrCodeSvg(address: string, pixels?: number): string {
  const { size, path } = qrCode(address);
  const side = pixels === undefined ? '' : `width="${size * pixels}" height="${size * pixels}" `;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${side}viewBox="0 0 ${size} ${size}">
    <rect width="${size}" height="${size}" fill="#ffffff"/>
    <path d="${path}" fill="#000000" shape-rendering="crispEdges"/>
  </svg>`;
}
