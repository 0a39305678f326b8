import { crc32, deflateSync } from 'node:zlib';

function chunk(kind: string, content: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const summed = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(summed));
  return Buffer.concat([length, summed, sum]);
}

/** Returns a PNG of 32 by 18 pixels in one shade of grey; its last 12 bytes are the end, and the pixels are before it. */
export function aPng(shade = 128): Buffer {
  const head = Buffer.from([0, 0, 0, 32, 0, 0, 0, 18, 8, 0, 0, 0, 0]);
  const rows = Buffer.alloc(18 * 33, shade);
  for (let row = 0; row < 18; row += 1) rows[row * 33] = 0; // no filter
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
