import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { receipt } from '@sparechange/server/documents/testing/sample-documents.ts';
import { filesOf } from '@sparechange/server/features/accounting/dossiers/write-dossier.ts';
import { makeDossierKeys } from '@sparechange/server/secrets/dossier-keys.ts';
import { afterAll, expect, test } from 'vitest';
import { debianPrograms } from './debian-programs.ts';

const found = await debianPrograms({ openssl: 'openssl' });
const whyNot = found.whyNot ? ` (skipped: ${found.whyNot})` : '';
const folder = mkdtempSync(join(tmpdir(), 'dossier-signatures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [current, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const keysAddress = 'https://give.example/.well-known/dossier-keys.pem';

/** Writes the files of a dossier into a folder of its own. */
function unpacked(name: string, keys = makeDossierKeys([current])): string {
  const place = join(folder, name);
  mkdirSync(place);
  const json = Buffer.from(JSON.stringify({ debit: { reference: 'RU1', amountCents: 430 } }));
  for (const { name: file, pieces } of filesOf(keys, { pdf: receipt(), json, keysAddress }))
    for (const piece of pieces as Iterable<string | Uint8Array>) writeFileSync(join(place, file), piece);
  return place;
}

/** Runs the commands of the page, as a stranger does who copies them; returns what each says. */
function checkedBy(place: string): Promise<string[]> {
  const commands = readFileSync(join(place, 'CHECK.txt'), 'utf8').match(/^ {2}openssl .+$/gm) ?? [];
  return Promise.all(
    commands.map((command) =>
      promisify(execFile)('sh', ['-c', command], { cwd: place }).then(
        ({ stdout }) => stdout.trim(),
        ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => `FAILED ${stdout}${stderr}`.trim(),
      ),
    ),
  );
}

const isGood = 'Signature Verified Successfully';
const isBad = expect.stringMatching(/^FAILED/);

/** Changes one bit of one byte in the middle of a file. */
function changeOneByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(file, bytes);
}

test.skipIf(found.whyNot)(`the commands of the page find a dossier as it was signed${whyNot}`, async () => {
  expect(await checkedBy(unpacked('whole'))).toEqual([isGood, isGood]);
});

test.skipIf(found.whyNot).each([
  ['dossier.pdf', [isBad, isGood]],
  ['dossier.pdf.sig', [isBad, isGood]],
  ['dossier.json', [isGood, isBad]],
  ['dossier.json.sig', [isGood, isBad]],
])(`one changed byte of %s fails${whyNot}`, async (file, said) => {
  const place = unpacked(`changed-${file}`);
  changeOneByte(join(place, file));
  expect(await checkedBy(place)).toEqual(said);
});

test.skipIf(found.whyNot)(`a dossier signed by somebody else fails with our key${whyNot}`, async () => {
  const place = unpacked('forged', makeDossierKeys([Buffer.alloc(32, 9)]));
  writeFileSync(join(place, 'key.pem'), makeDossierKeys([current]).publicKey);
  expect(await checkedBy(place)).toEqual([isBad, isBad]);
});

test('the published keys are the current one and the former ones, and nothing private', () => {
  const keys = makeDossierKeys([current, former]);
  expect(keys.published).toBe(keys.publicKey + makeDossierKeys([former]).publicKey);
  expect(keys.published).not.toContain('PRIVATE');
});
