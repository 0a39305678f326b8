import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LaneDone {
  done: number;
  seconds: number;
}

const laneFile = fileURLToPath(new URL('lane.ts', import.meta.url));

/** Starts a program of one lane (bench/lane.ts) and waits until it is ready; the answer lets it go and awaits its end. */
export async function startLane(
  lane: string,
  url: string,
  options: Record<string, string | number>,
): Promise<() => Promise<LaneDone>> {
  const settings = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const program = spawn(process.execPath, [laneFile, '--lane', lane, '--url', url, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await answerOf(program);
  return async () => {
    program.stdin.write('go\n');
    return JSON.parse(await answerOf(program)) as LaneDone;
  };
}

/** Returns a program's next line; throws if it ends without one. */
async function answerOf(program: ChildProcess): Promise<string> {
  const ended = once(program, 'exit').then(([code]) => Promise.reject(new Error(`A lane ended with ${code}.`)));
  const [line] = await Promise.race([once(program.stdout ?? program, 'data'), ended]);
  return String(line);
}
