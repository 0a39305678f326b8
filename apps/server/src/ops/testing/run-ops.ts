import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import type { OwnDatabase } from '#testing/database.ts';
import { operatorProgram } from '../program.ts';

/** Runs a test file's commands on one database; each returns its exit code and all that it printed. */
export function opsOn(database: () => OwnDatabase) {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ops-'));
    const { url, pool } = database();
    vi.stubEnv('DATABASE_URL', url);
    vi.stubEnv('BUCKETS', String(pool.scope.buckets));
    vi.stubEnv('DATA_DIR', folder);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    process.exitCode = 0;
    await rm(folder, { recursive: true });
  });
  return async (...words: string[]): Promise<{ code: unknown; said: string }> => {
    process.exitCode = 0;
    const said: string[] = [];
    const ended = new Error('the program ended');
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0),
      vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0),
      vi.spyOn(console, 'error').mockImplementation((text) => void said.push(`${text}\n`)),
      vi.spyOn(process, 'exit').mockImplementation((code) => {
        process.exitCode = code ?? 0;
        throw ended;
      }),
    ];
    try {
      const program = await operatorProgram(words);
      await program.parseAsync(['node', 'ops', ...words]);
    } catch (error) {
      if (error !== ended) throw error;
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return { code: process.exitCode, said: said.join('') };
  };
}
