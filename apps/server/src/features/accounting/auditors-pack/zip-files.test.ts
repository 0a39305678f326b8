import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type FileToZip, zipFiles } from './zip-files.ts';

async function* inTurn(files: FileToZip[]) {
  yield* files;
}

async function packed(files: FileToZip[]): Promise<Record<string, string>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipFiles('pack', inTurn(files), new Date('2026-12-01T00:00:00Z'))) chunks.push(chunk);
  return Object.fromEntries(
    Object.entries(unzipSync(Buffer.concat(chunks))).map(([name, bytes]) => [name, strFromU8(bytes)]),
  );
}

test('files of any pieces come out as they went in, with their hashes', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.string({ unit: 'grapheme' })), { maxLength: 4 }), async (contents) => {
      const files = contents.map((pieces, at) => ({ name: `${at}.txt`, pieces }));
      const { 'pack/SHA256SUMS': sums, ...found } = await packed(files);
      expect(found).toEqual(Object.fromEntries(contents.map((pieces, at) => [`pack/${at}.txt`, pieces.join('')])));
      const hashes = contents.map((pieces, at) => {
        const hash = createHash('sha256').update(pieces.join('')).digest('hex');
        return `${hash}  ${at}.txt\n`;
      });
      expect(sums).toBe(hashes.join(''));
    }),
  ));

test('pieces leave the archive while later ones are still to come', async () => {
  let asked = 0;
  const pieces = (function* () {
    for (; asked < 1_000; asked += 1) yield createHash('sha512').update(String(asked)).digest('hex').repeat(10);
  })();
  const chunks = zipFiles('pack', inTurn([{ name: 'books.journal', pieces }]), new Date('2026-12-01T00:00:00Z'));
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > 10_000) break;
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(asked).toBeLessThan(1_000);
});
