import { type Tracer, traceWith } from '@sparechange/server/ports/spans.ts';
import { rounded } from './stopwatch.ts';

/** Statements of one kind that a piece of work sent. */
export interface Sent {
  /** Verb and first table. */
  statement: string;
  count: number;
  /** From sending to the answer, all of them together; those that run concurrently count each. */
  ms: number;
}

/** Runs work and returns the statements that it sent, those that took longest first. */
export async function timeStatements(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent = new Map<string, Sent>();
  const tracer: Tracer = {
    parent: () => undefined,
    start: ({ name, kind }) => {
      if (kind !== 'client') return undefined;
      const begun = performance.now();
      const end = () => {
        const known = sent.get(name) ?? { statement: name, count: 0, ms: 0 };
        sent.set(name, { ...known, count: known.count + 1, ms: known.ms + performance.now() - begun });
      };
      return { attribute: () => {}, end, run: (inside) => inside() };
    },
  };
  traceWith(tracer);
  try {
    await work();
  } finally {
    traceWith(undefined);
  }
  return [...sent.values()].map((each) => ({ ...each, ms: rounded(each.ms) })).sort((one, other) => other.ms - one.ms);
}
