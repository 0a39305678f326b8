import { EventEmitter, once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Work as one process sends it to the other. */
export interface WorkOrder {
  name: string;
  input: unknown;
  cpuMs: number;
}

export type WorkAnswer = ({ result: unknown } | { error: { name: string; message: string } }) & {
  /** True where the process has kept so much memory that the next piece would have too little. */
  isWorn?: boolean;
};

/** A part of a result that is sent before the rest; the next one follows when it is asked for. */
export interface WorkPart {
  part: unknown;
}

/** Asks for the next part, with the answer to the one before if it has one. */
export interface NextPart {
  answer: unknown;
}

type Work = Record<string, (input: never) => unknown>;

/** The facts that the thread beside the work sees. */
export interface Watched {
  /** The number of the piece in work, 0 for none; and the milliseconds of processor time that it may take. */
  state: Int32Array<SharedArrayBuffer>;
  memoryMb: number;
  /** The process that the work is for. */
  parent: number;
}

/** Hears of each part that is asked for. */
const asking = new EventEmitter<{ asked: [answer: unknown] }>();

const isInParts = (made: unknown): made is Generator =>
  typeof made === 'object' && made !== null && Object.prototype.toString.call(made) === '[object Generator]';

/** Sends a generator's parts, each with the answer to the one before; returns the generator's result. */
async function sendParts(parts: Generator): Promise<unknown> {
  let answer: unknown;
  for (;;) {
    const { done, value } = parts.next(answer);
    if (done) return value;
    const asked = once(asking, 'asked');
    process.send?.({ part: value } satisfies WorkPart);
    [answer] = await asked;
  }
}

async function answerOf(work: Work, { name, input }: WorkOrder): Promise<WorkAnswer> {
  try {
    const made = await work[name]?.(input as never);
    return { result: isInParts(made) ? await sendParts(made) : made };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message } };
  }
}

/** The share of its memory that a process may keep between pieces. */
const keptShare = 0.6;

/** Returns whether this process keeps too much memory between pieces, even after collecting garbage. */
function keepsTooMuch(memoryMb: number): boolean {
  const isTooMuch = () => process.memoryUsage.rss() > memoryMb * 1_048_576 * keptShare;
  if (!isTooMuch()) return false;
  globalThis.gc?.(); // what native code has made is seen as small, and stays long
  return isTooMuch();
}

/**
 * Does one piece of work after the other for the process that started this one (own-process.ts). A thread beside it ends
 * this process when a piece takes too much: work of native code can be interrupted by nothing else. Work that is a generator
 * sends what it yields in parts, and each `yield` returns what was answered to it.
 */
export async function serveWork(work: Work): Promise<void> {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const memoryMb = Number(process.argv[2]);
  const workerData: Watched = { state, memoryMb, parent: process.ppid };
  await once(new Worker(new URL('./watch-work.ts', import.meta.url), { workerData }), 'online');
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}); // the server finishes what it has begun
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  let pieces = 0;
  process.on('message', async (order: WorkOrder | NextPart) => {
    if (!('name' in order)) {
      asking.emit('asked', order.answer);
      return;
    }
    pieces += 1;
    Atomics.store(state, 1, order.cpuMs);
    Atomics.store(state, 0, pieces);
    Atomics.notify(state, 0);
    const answer = await answerOf(work, order);
    Atomics.store(state, 0, 0);
    Atomics.notify(state, 0);
    process.send?.({ ...answer, isWorn: keepsTooMuch(memoryMb) } satisfies WorkAnswer);
  });
  process.send?.('ready');
}
