import type { QrCode as Code } from '@sparechange/contract/console';

/** A QR code, black on white by night too: cameras look for that. */
export const QrCode = ({ code: { size, path }, name }: { code: Code; name: string }) => (
  <svg
    role="img"
    aria-label={name}
    viewBox={`0 0 ${size} ${size}`}
    width="176"
    height="176"
    shapeRendering="crispEdges"
  >
    <rect width={size} height={size} rx="2" fill="#ffffff" />
    <path d={path} fill="#000000" />
  </svg>
);
