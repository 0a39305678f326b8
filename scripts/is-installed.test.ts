import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('is-installed.mjs', import.meta.url));
const ask = `const { isInstalled } = await import(process.argv[1]);
process.stdout.write(String(isInstalled(process.argv[2], { withDevelopment: process.argv[3] === 'develop' })))`;
const isInstalled = (root: string, to: 'run' | 'develop' = 'develop') =>
  execFileSync(process.execPath, ['--input-type=module', '-e', ask, program, root, to], { encoding: 'utf8' });

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

type Packages = Record<string, object>;
const elsewhere = { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['mips'] };
const ofLongerName = { version: '1.0.0', optional: true, os: process.platform, cpu: `${process.arch}el` };
const here = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
const wanted: Packages = {
  '': {},
  'node_modules/one': { version: '1.0.0', integrity: 'sha512-1' },
  'node_modules/one/node_modules/two': { version: '2.0.0', integrity: 'sha512-2' },
  'node_modules/elsewhere': elsewhere,
  'node_modules/longer': ofLongerName,
  'node_modules/here': here,
  'node_modules/tool': { version: '3.0.0', integrity: 'sha512-3', dev: true },
};
const { '': _, 'node_modules/elsewhere': __, 'node_modules/longer': ___, ...usual } = wanted;

/** A checkout with what npm says it installed, and the packages that are really there. */
function aCheckout(installed: Packages | 'broken off' | undefined, there = Object.keys(usual)): string {
  const root = mkdtempSync(join(tmpdir(), 'sparechange-installed-'));
  folders.push(root);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package-lock.json', JSON.stringify({ packages: wanted }));
  if (installed)
    write(
      'node_modules/.package-lock.json',
      installed === 'broken off' ? '{"packages":{"node_mod' : JSON.stringify({ packages: installed }),
    );
  for (const path of there) write(`${path}/package.json`, '{}');
  return root;
}

test('running needs no tools of development, which tests do', () => {
  const { 'node_modules/tool': _, ...toRun } = usual;
  const checkout = aCheckout(toRun, Object.keys(toRun));
  expect(isInstalled(checkout, 'run')).toBe('true');
  expect(isInstalled(checkout, 'develop')).toBe('false');
});

test('what npm ci has installed is taken as it is', () => {
  expect(isInstalled(aCheckout(usual))).toBe('true');
});

test('what came from another registry is taken as it is', () => {
  const from = Object.entries(usual).map(([path, entry]) => [
    path,
    { ...entry, resolved: `https://other/${path}.tgz` },
  ]);
  expect(isInstalled(aCheckout(Object.fromEntries(from) as Packages))).toBe('true');
});

test.each<[string, Packages | 'broken off' | undefined, string[]?]>([
  ['nothing', undefined],
  ['an installation that was broken off', 'broken off'],
  ['a package of another version', { ...usual, 'node_modules/one': { version: '0.9.0', integrity: 'sha512-1' } }],
  ['a package of other content', { ...usual, 'node_modules/one': { version: '1.0.0', integrity: 'sha512-9' } }],
  ['a package too few', { 'node_modules/one': usual['node_modules/one'] ?? {}, 'node_modules/here': here }],
  ['no package for this machine', { ...usual, 'node_modules/here': undefined as never }],
  ['a package whose folder was deleted', usual, ['node_modules/one', 'node_modules/here']],
])('%s is no installation', (_, installed, there) => {
  expect(isInstalled(aCheckout(installed, there))).toBe('false');
});
