// Writes the files of the web app and the console compressed by brotli and gzip at their highest level beside them, for the
// server to send. A product that starts does not wait for it: until then it sends the files as they are.
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const textFile = /\.(js|css|html|svg|json|txt|webmanifest)$/;
/** The server writes and compresses the page for every visitor, and sends nothing of the folder of its own. */
const isSentOtherwise = (path) => path === 'index.html' || path.startsWith('server/') || path.startsWith('.');
const minBytes = 1_000;

const ways = {
  gz: (content) => promisify(gzip)(content, { level: 9 }),
  br: (content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
};

/** Puts a file in its place whole, as the server may be sending it. */
async function put(file, way, small) {
  const draft = `${file}.${process.pid}.${way}`;
  await writeFile(draft, small);
  await rename(draft, `${file}.${way}`);
}

async function compress(file) {
  const content = await readFile(file);
  if (content.length < minBytes) return;
  for (const [way, make] of Object.entries(ways)) await put(file, way, await make(content));
}

/** Compresses the files of an app four together, one for each of Node's threads. */
async function compressApp(app) {
  const folder = join(root, app, 'dist');
  const paths = await readdir(folder, { recursive: true });
  const files = paths.filter((path) => textFile.test(path) && !isSentOtherwise(path)).values();
  const workThrough = async () => {
    for (const path of files) await compress(join(folder, path));
  };
  await Promise.all([1, 2, 3, 4].map(workThrough));
}

const [stamp, wanted] = process.argv.slice(2);
setPriority(19); // everything else that starts comes first
await compressApp('apps/web');
await compressApp('apps/console');
await writeFile(stamp, wanted);
