import type { QrCode as Code } from '@sparechange/contract/console';

interface QrCodeProps {
  code: Code;
  name: string;
  /** Its width on the screen, in pixels. */
  side?: number;
}

/** A QR code, black on white by night too: cameras look for that. */
export const QrCode = ({ code: { size, path }, name, side = 176 }: QrCodeProps) => (
  <svg
    role="img"
    aria-label={name}
    viewBox={`0 0 ${size} ${size}`}
    width={side}
    height={side}
    shapeRendering="crispEdges"
  >
    <rect width={size} height={size} rx="2" fill="#ffffff" />
    <path d={path} fill="#000000" />
  </svg>
);
