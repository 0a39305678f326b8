import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { cloneOf } from './clone-of.ts';
import { rounded } from './stopwatch.ts';

type Figures = { [name: string]: unknown };

/** Divides each figure of a document by another document’s of the same name; what either lacks is left out. */
export function ratiosOf(ours: Figures, former: Figures): Figures {
  const ratios: Figures = {};
  for (const [name, value] of Object.entries(ours)) {
    const other = former[name];
    if (typeof value === 'number' && typeof other === 'number' && other !== 0) ratios[name] = rounded(value / other);
    else if (isFigures(value) && isFigures(other)) {
      const inner = ratiosOf(value, other);
      if (Object.keys(inner).length > 0) ratios[name] = inner;
    }
  }
  return ratios;
}

const isFigures = (value: unknown): value is Figures =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Runs the same bench of another commit, in a clone that goes with it, and returns its document. Throws where that commit
 * does not know an option or a part.
 */
export async function measureFormer(commit: string, args: string[]): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-beside-'));
  try {
    const checkout = await cloneOf(commit, fileURLToPath(new URL('..', import.meta.url)), folder);
    const bench = spawn('npm', ['run', '-s', 'bench', '--', ...args], {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed, [code]] = await Promise.all([text(bench.stdout), once(bench, 'close')]);
    if (code !== 0) throw new Error(`The bench of ${commit} ended with ${code}.`);
    return JSON.parse(printed.slice(printed.indexOf('{'))) as Figures;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
