import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Watched } from './serve-work.ts';

const { state, memoryMb, parent } = workerData as Watched;
const everyMs = 25;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Ends the process immediately, with all its threads. */
function end(why: string): void {
  writeSync(2, why); // a thread has no stream of its own there
  process.kill(process.pid, 'SIGKILL');
}

for (;;) {
  Atomics.wait(state, 0, 0); // there is no work
  const work = Atomics.load(state, 0);
  const lastMs = cpuMs() + Atomics.load(state, 1);
  while (work !== 0 && Atomics.wait(state, 0, work, everyMs) === 'timed-out') {
    if (cpuMs() > lastMs) end(`more than ${Atomics.load(state, 1)} ms of processor time`);
    if (process.memoryUsage.rss() > memoryMb * 1_048_576) end(`more than ${memoryMb} MB of memory`);
    if (process.ppid !== parent) end('nobody waits for the work');
  }
}
