import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const lookAgainMs = 100;
/** Time in which the processes of a killed server end on their own. */
const deadAfterMs = 5_000;
/** A stopping server first writes its memory to disk. */
const givenUpAfterMs = 120_000;

interface Look {
  /** Returns whether pg_ctl sees the process of `postmaster.pid` alive. */
  isRunning(): Promise<boolean>;
  /** Returns whether the cluster answers; dying servers hold their port. */
  answers(port: number): Promise<boolean>;
}

/**
 * The port of the server that runs on a cluster, once it answers; undefined when there is none. `postmaster.pid` is all
 * there is to tell by, and it outlives a server that was killed: until its process is reaped it counts as running, and
 * in a container, where process 1 may never reap and numbers repeat after a restart, another process may bear its number.
 */
export async function runningPort(folder: string, look: Look): Promise<number | undefined> {
  for (let waitedMs = 0; await look.isRunning(); waitedMs += lookAgainMs) {
    const { pid, port } = await readPidFile(folder);
    if (port && (await look.answers(port))) return port;
    if (waitedMs >= deadAfterMs && !(await isPostgres(pid))) await rm(join(folder, 'postmaster.pid'), { force: true });
    else if (waitedMs >= givenUpAfterMs)
      throw new Error(`PostgreSQL, process ${pid}, does not answer; ${join(folder, 'server.log')} says why.`);
    else await setTimeout(lookAgainMs);
  }
  return undefined;
}

/** Returns the port of the last server, which a killed one leaves behind; 0 if unknown. */
export const formerPort = async (folder: string): Promise<number> => (await readPidFile(folder)).port || 0;

/** Returns the port of the server that wrote last that it is ready, alive or killed since; 0 if there is none. */
export async function readyPort(folder: string): Promise<number> {
  const { port, status } = await readPidFile(folder);
  return status === 'ready' ? port : 0;
}

async function readPidFile(folder: string): Promise<{ pid: number; port: number; status: string | undefined }> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() };
}

/** Returns whether the process may be PostgreSQL; true if unknown. */
const isPostgres = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (command) => command.includes('postgres'),
    () => true,
  );
