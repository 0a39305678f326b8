import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A node of a Citus cluster whose data directory is on this machine. */
export interface Node {
  name: 'coordinator' | 'worker node';
  /** Kills its PostgreSQL as a power cut would. */
  kill(): void;
  /** Starts it with its former options; waits until it takes connections. */
  start(): Promise<void>;
}

/** Time for a killed server's processes to release its memory, and for the restarted one to recover. */
const startsWithinMs = 60_000;

/**
 * Returns the nodes whose data directories stand in CITUS_DATA, that of the coordinator first, separated by commas; none where
 * it is unset.
 */
export function nodesHere(): Node[] {
  const folders = (process.env.CITUS_DATA ?? '').split(',').filter((folder) => folder !== '');
  return folders.map((folder, index) => ({
    name: index === 0 ? 'coordinator' : 'worker node',
    kill: () => process.kill(stateOf(folder).pid, 'SIGKILL'),
    start: () => start(folder),
  }));
}

/** Reads the process of the server that runs, or ran last, on a data directory, and whether it said that it takes connections. */
function stateOf(folder: string): { pid: number; isReady: boolean } {
  const file = join(folder, 'postmaster.pid');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []; // a start puts another in its place
  return { pid: Number(lines[0]), isReady: lines[7]?.trim() === 'ready' };
}

async function start(folder: string): Promise<void> {
  const [program = '', ...args] = readFileSync(join(folder, 'postmaster.opts'), 'utf8').trim().split(' ').map(unquoted);
  const { uid, gid } = statSync(folder);
  const endsAt = Date.now() + startsWithinMs;
  while (Date.now() < endsAt) {
    // libpq looks for certificates in the home folder, which must not be that of another user.
    const env = { PATH: process.env.PATH, HOME: folder };
    const server = spawn(program, args, { uid, gid, env, cwd: folder, stdio: 'ignore', detached: true });
    server.unref();
    const ended = once(server, 'exit').then(() => true);
    while (Date.now() < endsAt && !(await Promise.race([ended, setTimeout(500, false)]))) {
      const { pid, isReady } = stateOf(folder);
      if (pid === server.pid && isReady) return;
    }
  }
  throw new Error(`PostgreSQL on ${folder} does not start again; its log says why.`);
}

const unquoted = (word: string): string => word.replace(/^"(.*)"$/, '$1');
