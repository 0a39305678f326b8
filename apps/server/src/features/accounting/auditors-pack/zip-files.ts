import { createHash } from 'node:crypto';
import { strToU8, Zip, ZipDeflate } from 'fflate';

export interface FileToZip {
  name: string;
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** Largest archive without the fields of ZIP64, which not every program reads. */
const maxBytes = 2 ** 32 - 2 ** 20;

/** Thrown for an archive that would be too large. */
export class ArchiveTooLarge extends Error {}

/**
 * Packs files, one after another, into a ZIP archive in pieces, so that memory does not grow with them. The last file,
 * SHA256SUMS, has the hash of each.
 */
export async function* zipFiles(folder: string, files: AsyncIterable<FileToZip>, at: Date): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let size = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    size += chunk.length;
    ready.push(chunk);
  });
  const sums: string[] = [];
  async function* pack({ name, pieces }: FileToZip): AsyncGenerator<Uint8Array> {
    const entry = new ZipDeflate(`${folder}/${name}`, { level: 6 });
    const hash = createHash('sha256');
    entry.mtime = at;
    zip.add(entry);
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? strToU8(piece) : piece;
      hash.update(bytes);
      entry.push(bytes);
      if (size > maxBytes) throw new ArchiveTooLarge('The pack would be larger than 4 GB; write shorter periods.');
      yield* ready.splice(0);
    }
    entry.push(new Uint8Array(), true);
    sums.push(`${hash.digest('hex')}  ${name}\n`);
    yield* ready.splice(0);
  }
  for await (const file of files) yield* pack(file);
  yield* pack({ name: 'SHA256SUMS', pieces: [sums.join('')] });
  zip.end();
  yield* ready.splice(0);
}
