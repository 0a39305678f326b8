import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const textFile = /\.(js|css|html|svg|json|txt|webmanifest)$/;
/** The server writes and compresses the page for every visitor. */
const isWrittenAnew = (path: string) => path === 'index.html';
const minBytes = 1_000;

/** Also writes each text file compressed by brotli and gzip at their highest level, for the server to send. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true });
      await Promise.all(
        files.filter((path) => textFile.test(path) && !isWrittenAnew(path) && !path.startsWith('.')).map(compressFile),
      );
    },
  };

  async function compressFile(path: string): Promise<void> {
    const file = join(folder, path);
    const content = await readFile(file);
    if (content.length < minBytes) return;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    await Promise.all([
      promisify(brotliCompress)(content, { params }).then((small) => writeFile(`${file}.br`, small)),
      promisify(gzip)(content, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
    ]);
  }
}
