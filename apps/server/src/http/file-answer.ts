import { extname } from 'node:path';
import type { FileAnswer } from '@sparechange/contract/console';

const mediaTypes: Record<string, string> = {
  '.csv': 'text/csv; charset=utf-8',
  '.journal': 'text/plain; charset=utf-8',
  '.ofx': 'application/x-ofx',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** Returns a file as the console's calls carry it. */
export const fileAnswer = (name: string, content: string | Uint8Array): FileAnswer => ({
  name,
  mediaType: mediaTypes[extname(name)] ?? 'application/octet-stream',
  content: Buffer.from(content).toString('base64'),
});
