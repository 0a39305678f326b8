import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from '@sparechange/server/db/connect.ts';

/** A node of a Citus cluster whose data directory is on this machine. */
export interface Node {
  name: 'coordinator' | 'worker node';
  /** Kills its PostgreSQL as a power cut would. */
  kill(): void;
  /** Starts it with its former options; waits until it answers. */
  start(): Promise<void>;
}

/** Time for a killed server's processes to release its memory, and for the restarted one to recover. */
const startsWithinMs = 60_000;

/**
 * Returns the nodes whose data directories stand in CITUS_DATA, that of the coordinator first, separated by commas; none where
 * it is unset. `url` is any address of the cluster's database: nodes differ by port.
 */
export function nodesHere(url: string): Node[] {
  const folders = (process.env.CITUS_DATA ?? '').split(',').filter((folder) => folder !== '');
  return folders.map((folder, index) => ({
    name: index === 0 ? 'coordinator' : 'worker node',
    kill: () => process.kill(pidIn(folder).pid, 'SIGKILL'),
    start: () => start(folder, url),
  }));
}

/** Reads the process and the port of the server that runs, or ran last, on a data directory. */
function pidIn(folder: string): { pid: number; port: string } {
  const [pid, , , port = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(pid), port };
}

async function start(folder: string, url: string): Promise<void> {
  const { port } = pidIn(folder);
  const [program = '', ...args] = readFileSync(join(folder, 'postmaster.opts'), 'utf8').trim().split(' ').map(unquoted);
  const { uid, gid } = statSync(folder);
  const node = new URL(url);
  node.port = port;
  const endsAt = Date.now() + startsWithinMs;
  while (Date.now() < endsAt) {
    // libpq looks for certificates in the home folder, which must not be that of another user.
    const env = { PATH: process.env.PATH, HOME: folder };
    const server = spawn(program, args, { uid, gid, env, cwd: folder, stdio: 'ignore', detached: true });
    server.unref();
    const ended = once(server, 'exit').then(() => true);
    while (Date.now() < endsAt && !(await Promise.race([ended, setTimeout(500, false)])))
      if (await answers(node.href)) return;
  }
  throw new Error(`PostgreSQL on ${folder} does not start again; its log says why.`);
}

const unquoted = (word: string): string => word.replace(/^"(.*)"$/, '$1');

async function answers(url: string): Promise<boolean> {
  const db = connect(url, { max: 1 });
  try {
    await db`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await db.end();
  }
}
