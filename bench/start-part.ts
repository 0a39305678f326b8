import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface PartDone {
  done: number;
  seconds: number;
}

const partFile = fileURLToPath(new URL('load-part.ts', import.meta.url));

export interface Part {
  pid: number;
  /** Does the part once more; resolves when it is done. */
  go(): Promise<PartDone>;
  end(): void;
}

/** Starts a process of one part (bench/load-part.ts) and waits until it is ready. */
export async function startPart(part: string, url: string, options: Record<string, string | number>): Promise<Part> {
  const settings = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const program = spawn(process.execPath, [partFile, '--part', part, '--url', url, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await answerOf(program);
  return {
    pid: program.pid ?? Number.NaN,
    go: async () => {
      program.stdin.write('go\n');
      return JSON.parse(await answerOf(program)) as PartDone;
    },
    end: () => void program.stdin.end(),
  };
}

/** Returns a process's next line; throws if it ends first. */
export async function answerOf(program: ChildProcess): Promise<string> {
  const ended = once(program, 'exit').then(([code]) => Promise.reject(new Error(`A part ended with ${code}.`)));
  const [line] = await Promise.race([once(program.stdout ?? program, 'data'), ended]);
  return String(line);
}
