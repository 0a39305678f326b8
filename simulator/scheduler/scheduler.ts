import { AsyncLocalStorage } from 'node:async_hooks';
import { Crash } from '../faults/crash.ts';

/** Work that takes time outside the product's own code: at each such point its process may end. */
export type PointKind = 'statement' | 'transaction' | 'provider call' | 'document' | 'mail';

/** Describes a point; computed only where it is reported. */
type Description = string | (() => string);

const textOf = (what: Description): string => (typeof what === 'string' ? what : what());

/** Decides where the process ends: before a point takes effect, after it has, or not here. */
export type EndHere = (kind: PointKind) => 'before' | 'after' | undefined;

const maxTurnMs = 120_000;

/**
 * Lets one process do one thing at a time, in the order asked for. That makes a run with a real database deterministic;
 * and it is where a process ends: from then on nothing it still tries has an effect.
 */
export class Scheduler {
  private last: Promise<void> = Promise.resolve();
  private readonly endHere: EndHere;
  private readonly turns = new AsyncLocalStorage<{ isOver: boolean }>();
  /** Set once this process has ended. */
  crash: Crash | undefined;

  constructor(endHere: EndHere) {
    this.endHere = endHere;
  }

  /** Waits for a turn; what a turn itself does, as asking a bucket within a transaction of control, is part of it. */
  async take<Result>(kind: PointKind, what: Description, work: () => Promise<Result>): Promise<Result> {
    if (this.turns.getStore()?.isOver === false) return work();
    const turn = { isOver: false };
    const before = this.last;
    const { promise, resolve: pass } = Promise.withResolvers<void>();
    this.last = promise;
    await before;
    const stuck = setTimeout(() => {
      console.error(`The simulation waits for ${kind} ${textOf(what)}: something inside it waits for its own turn.`);
    }, maxTurnMs);
    try {
      if (this.crash) throw this.crash;
      const end = this.endHere(kind);
      if (end === 'before') throw this.end(`before ${kind} ${textOf(what)}`);
      const result = await this.turns.run(turn, work);
      if (end === 'after') throw this.end(`after ${kind} ${textOf(what)}`);
      return result;
    } finally {
      turn.isOver = true;
      clearTimeout(stuck);
      pass();
    }
  }

  /** Waits for the turn that is being taken, if any. */
  async idle(): Promise<void> {
    await this.last;
  }

  end(where: string): Crash {
    this.crash ??= new Crash(where);
    return this.crash;
  }
}
