import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux counts processor time in hundredths of a second. */
const msOfTick = 10;

interface Times {
  parent: number;
  own: number;
  /** Time of children that have ended. */
  ofEnded: number;
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number) => fields[index] ?? 0;
  return { parent: at(1), own: (at(11) + at(12)) * msOfTick, ofEnded: (at(13) + at(14)) * msOfTick };
}

/** Returns the processor time of a process, in milliseconds. */
export const processorMs = async (pid: number): Promise<number> => (await timesOf(pid))?.own ?? 0;

/** Returns the processor time of a process and all its children, those that have ended included, in milliseconds. */
export async function processorMsOfAll(pid: number): Promise<number> {
  const root = await timesOf(pid);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const children = (await Promise.all(pids.map(timesOf))).filter((times) => times?.parent === pid);
  return children.reduce((sum, times) => sum + (times?.own ?? 0), (root?.own ?? 0) + (root?.ofEnded ?? 0));
}

/** Returns the process of an embedded database's server, whose children are its connections. */
export const postgresPid = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
