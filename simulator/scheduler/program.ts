import { AsyncLocalStorage } from 'node:async_hooks';
import type { Crash } from '../faults/crash.ts';

/** The owner of a piece of code: one run of the product's process, or the simulation around it. */
interface Program {
  /** Set once it has ended. */
  readonly crash: Crash | undefined;
}

const programs = new AsyncLocalStorage<Program>();

/** Runs something as part of a process, with all that it starts and leaves over. */
export const inProgram = <Result>(program: Program, work: () => Promise<Result>): Promise<Result> =>
  programs.run(program, work);

/** Returns whether the caller runs in a simulated process that has not crashed; false outside any. */
export function isAlive(): boolean {
  const program = programs.getStore();
  return program !== undefined && program.crash === undefined;
}
