import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Unavailable } from '#errors.ts';
import type { NextPart, WorkAnswer, WorkOrder, WorkPart } from './serve-work.ts';

/** The most that a piece of work may take. */
export interface WorkLimits {
  /** Milliseconds of processor time, which does not depend on the machine's other work. */
  cpuMs: number;
  /** Milliseconds on the clock until it says something, for what waits without end. */
  wallMs: number;
}

export interface ProcessLimits extends WorkLimits {
  /** Resident memory of the whole process. */
  memoryMb: number;
  /** Further callers must retry later. */
  maxWaiting: number;
  /** True for work that everything else on the machine goes before. */
  givesWay?: boolean;
}

/** A piece of work was not finished: its process ended, or was ended at a limit. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded';
}

export interface OwnProcess {
  /**
   * Does one piece after the other. Throws ProcessEnded, what the work threw, or Unavailable where too many wait. A large result
   * comes in parts, and others have their turn between them; what `takePart` returns is the answer to its part.
   */
  run(name: string, input: unknown, limits?: Partial<WorkLimits>, takePart?: TakePart): Promise<unknown>;
}

export type TakePart = (part: unknown) => unknown;

interface Running {
  child: ChildProcess;
  /** The end of its standard error. */
  said: string;
}

const startMs = 60_000;

/**
 * Returns a process that does the work of a program (serve-work.ts). Native code, or a drawing without bounds, can take down only
 * that process, which is then replaced. It starts with the first work, knows no settings or secrets, and ends with ours.
 */
export function ownProcess(program: URL, limits: ProcessLimits): OwnProcess {
  let running: Running | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const start = async (): Promise<Running> => {
    const started = begin(program, limits);
    started.child.once('exit', () => {
      if (running === started) running = undefined;
    });
    await answerOf(started, startMs);
    running = started;
    return started;
  };

  /** Lets the next piece have a process of its own; this one ends as nobody holds its channel. */
  const retire = ({ child }: Running): void => {
    running = undefined;
    child.disconnect();
  };

  const doWork = async (order: WorkOrder, wallMs: number, takePart: TakePart): Promise<unknown> => {
    const at = running ?? (await start());
    try {
      const answer = await answerOf(at, wallMs, order, takePart);
      if (answer.isWorn) retire(at);
      if ('result' in answer) return answer.result;
      throw Object.assign(new Error(answer.error.message), { name: answer.error.name });
    } catch (error) {
      if (error instanceof ProcessEnded) running = undefined;
      throw error;
    }
  };

  return {
    run: async (name, input, { cpuMs = limits.cpuMs, wallMs = limits.wallMs } = {}, takePart = () => {}) => {
      if (waiting >= limits.maxWaiting) throw new Unavailable();
      waiting += 1;
      const done = last.then(() => doWork({ name, input, cpuMs }, wallMs, takePart));
      last = done.catch(() => {});
      return done.finally(() => {
        waiting -= 1;
      });
    },
  };
}

/** Lets our process end while that one runs, or not. */
function keepUs({ child }: Running, how: 'ref' | 'unref'): void {
  child[how]();
  child.channel?.[how]();
  (child.stderr as Socket | null)?.[how]();
}

/** Lowers the priority of a process that has just begun: its threads, which it has yet to make, inherit it. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {} // it has ended, which those hear who wait for an answer
}

function begin(program: URL, { memoryMb, givesWay }: ProcessLimits): Running {
  const child = fork(program, [String(memoryMb)], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`, '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (givesWay) giveWay(child);
  const started: Running = { child, said: '' };
  child.on('error', () => {}); // the end that follows is reported to those who wait for an answer
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    started.said = `${started.said}${text}`.slice(-200);
  });
  return started;
}

/** Waits for a process' answer, to an order where there is one; ends the process where none comes in time. */
async function answerOf(
  running: Running,
  wallMs: number,
  order?: WorkOrder,
  takePart: TakePart = () => {},
): Promise<WorkAnswer> {
  const { child } = running;
  keepUs(running, 'ref');
  const settled = new AbortController();
  const { signal } = settled;
  let overdue: NodeJS.Timeout | undefined;
  const ended = async (): Promise<never> => {
    const [code, ending] = await once(child, 'close', { signal });
    throw new ProcessEnded(`The process ended (${ending ?? code}): ${running.said || 'no reason given'}`);
  };
  try {
    const gone = ended();
    const answerTo = async (message?: WorkOrder | NextPart): Promise<WorkAnswer | WorkPart> => {
      const answered = Promise.race([once(child, 'message', { signal }), gone]);
      overdue = setTimeout(() => {
        running.said = `no answer in ${wallMs} ms`;
        child.kill('SIGKILL');
      }, wallMs);
      if (message) child.send(message);
      const [answer] = await answered;
      clearTimeout(overdue);
      return answer as WorkAnswer | WorkPart;
    };
    let answer = await answerTo(order);
    while (typeof answer === 'object' && 'part' in answer) {
      const taken = await Promise.race([takePart(answer.part), gone]);
      await setImmediate();
      answer = await answerTo({ answer: taken });
    }
    return answer;
  } catch (error) {
    if (error instanceof ProcessEnded) throw error;
    child.kill('SIGKILL');
    throw new ProcessEnded('The process cannot be reached.', { cause: error });
  } finally {
    clearTimeout(overdue);
    settled.abort();
    keepUs(running, 'unref');
  }
}
