import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string): unknown => JSON.parse(readFileSync(`${root}${name}`, 'utf8'));

const Entry = z.object({
  version: z.string().optional(),
  link: z.boolean().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
});
const { packages } = z.object({ packages: z.record(z.string(), Entry) }).parse(read('package-lock.json'));
const { allowScripts } = z.object({ allowScripts: z.record(z.string(), z.boolean()) }).parse(read('package.json'));
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('settings and data stay out of git', () => {
  for (const file of ['.env', '.env.production', '.data/data.key'])
    expect(execFileSync('git', ['check-ignore', file], { cwd: root, encoding: 'utf8' }).trim()).toBe(file);
});

test('every package with a script at installation is allowed or refused by name', () => {
  const undecided = installed.filter(
    ([path, { hasInstallScript }]) => hasInstallScript && !(nameOf(path) in allowScripts),
  );
  expect(undecided.map(([path]) => path)).toEqual([]);
});

test("every package has an integrity hash, except Biome's binaries", () => {
  const unheld = installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => nameOf(path));
  for (const name of unheld) expect(name).toMatch(/^@biomejs\/cli-/);
});
