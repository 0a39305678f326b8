import { problemsOfLogo } from './check-logo.ts';
import type { PictureKind } from './picture-repository.ts';

/** Limits what a page loads beside its words. */
export const largestPictureBytes = 300_000;

/** The most pixels of a picture's width or height. */
const largestSide = 4_096;

interface Pixels {
  width: number;
  height: number;
}

function pixelsOfPng(content: Buffer): Pixels | undefined {
  const isPng = content.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) && content.length > 24;
  return isPng ? { width: content.readUInt32BE(16), height: content.readUInt32BE(20) } : undefined;
}

/** Reads the frame header of a JPEG, past the segments before it. */
function pixelsOfJpeg(content: Buffer): Pixels | undefined {
  if (content[0] !== 0xff || content[1] !== 0xd8) return undefined;
  for (let at = 2; at + 9 <= content.length && content[at] === 0xff; at += 2 + content.readUInt16BE(at + 2)) {
    const marker = content[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) };
  }
  return undefined;
}

/** Returns what a file is, by its content; undefined for what no browser should be given. */
export function kindOfPicture(content: Buffer): PictureKind | undefined {
  if (pixelsOfPng(content)) return 'png';
  if (pixelsOfJpeg(content)) return 'jpg';
  return /^\uFEFF?\s*</.test(content.subarray(0, 100).toString('utf8')) ? 'svg' : undefined;
}

/** Returns whether a file is a WebP and all of it is there: its head says how long it is. */
const isWholeWebp = (content: Buffer): boolean =>
  content.length > 20 &&
  content.toString('latin1', 0, 4) === 'RIFF' &&
  content.toString('latin1', 8, 12) === 'WEBP' &&
  content.readUInt32LE(4) + 8 <= content.length;

export function problemsOfPicture(name: string, content: Buffer): string[] {
  if (content.length > largestPictureBytes) return [`${content.length} bytes, more than ${largestPictureBytes}`];
  if (name.endsWith('.svg')) return problemsOfLogo(content.toString('utf8'), 'picture');
  if (name.endsWith('.webp')) return isWholeWebp(content) ? [] : ['not a whole WebP file'];
  const pixels = name.endsWith('.png') ? pixelsOfPng(content) : pixelsOfJpeg(content);
  if (!pixels) return [`not a ${name.endsWith('.png') ? 'PNG' : 'JPEG'} file`];
  const { width, height } = pixels;
  return Math.max(width, height) > largestSide || Math.min(width, height) < 1
    ? [`${width} × ${height} pixels, more than ${largestSide} × ${largestSide}`]
    : [];
}
