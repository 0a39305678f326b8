import { createRequire } from 'node:module';

const { default: encoder }: typeof import('pdfmake/js/qrEnc.js') = createRequire(import.meta.url)(
  'pdfmake/js/qrEnc.js',
);

/** Modules of white around a code, as its standard asks for. */
const quiet = 4;

/** Returns an address as a QR code, an SVG; a quarter of it may be torn or dirty. */
export function qrCodeSvg(address: string): string {
  const [ground, ...dark] = encoder.measure({ qr: address, eccLevel: 'Q' })._canvas;
  const module = dark[0]?.w ?? 1;
  const size = (ground?.w ?? 0) / module;
  const squares = dark.map(({ x, y }) => `M${x / module} ${y / module}h1v1h-1z`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-quiet} ${-quiet} ${size + 2 * quiet} ${size + 2 * quiet}">
    <rect x="${-quiet}" y="${-quiet}" width="${size + 2 * quiet}" height="${size + 2 * quiet}" fill="#ffffff"/>
    <path d="${squares}" fill="#000000" shape-rendering="crispEdges"/>
  </svg>`;
}
