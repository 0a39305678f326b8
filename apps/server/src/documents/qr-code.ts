import { createRequire } from 'node:module';

const { default: encoder }: typeof import('pdfmake/js/qrEnc.js') = createRequire(import.meta.url)(
  'pdfmake/js/qrEnc.js',
);

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
  const [ground, ...dark] = encoder.measure({ qr: address, eccLevel: 'Q' })._canvas;
  const module = dark[0]?.w ?? 1;
  return {
    size: (ground?.w ?? 0) / module + 2 * quiet,
    path: dark.map(({ x, y }) => `M${x / module + quiet} ${y / module + quiet}h1v1h-1z`).join(''),
  };
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
