import { readdir, readFile } from 'node:fs/promises';

interface Process {
  id: string;
  parent: string | undefined;
  kb: number;
  isOfFolder: boolean;
}

async function readProcess(id: string, folder: string): Promise<Process> {
  const read = (file: string) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
  const about = `${await read('cmdline')}${await read('environ')}`;
  return {
    id,
    parent: /^PPid:\s+(\d+)/m.exec(await read('status'))?.[1],
    kb: Number(/^Pss:\s+(\d+)/m.exec(await read('smaps_rollup'))?.[1] ?? 0),
    isOfFolder: about.includes(folder),
  };
}

/**
 * Returns the memory, in MB, of all processes that have a folder in their environment or arguments, and of their children,
 * as PostgreSQL's processes for connections have neither. Pages that several share are divided among them.
 */
export async function memoryMb(folder: string): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const processes = await Promise.all(ids.map((id) => readProcess(id, folder)));
  const counted = new Set(processes.filter(({ isOfFolder }) => isOfFolder).map(({ id }) => id));
  for (let before = -1; before !== counted.size; ) {
    before = counted.size;
    for (const { id, parent } of processes) if (parent !== undefined && counted.has(parent)) counted.add(id);
  }
  return processes.reduce((sum, { id, kb }) => sum + (counted.has(id) ? kb : 0), 0) / 1024;
}
