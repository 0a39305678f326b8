import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Ends the program with a sentence. */
export function fail(sentence) {
  console.error(`\n${sentence}\n`);
  process.exit(1);
}

/** Runs a program that prints to standard error; returns a sentence where it failed. */
export function problemOf(command, args, { what, cwd }) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  return status === 0
    ? undefined
    : `${what} failed${error ? `: ${error.message}` : '; what was printed above says why'}.`;
}

export const stampOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
