import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a file that only its owner reads, under its own name once it is whole. */
export async function writeWhole(file: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(part, { mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
