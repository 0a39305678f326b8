import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs an operator's command against the product under test and reads its JSON. */
export async function ops<Answer = Record<string, unknown>>(...words: string[]): Promise<Answer> {
  const { stdout } = await promisify(execFile)(process.execPath, ['apps/server/src/ops/main.ts', ...words, '--json'], {
    cwd: root,
    env: { ...process.env, PORT: process.env.E2E_PORT, DATA_DIR: process.env.E2E_DATA_DIR },
  });
  return JSON.parse(stdout) as Answer;
}
