import type { EndHere } from '../scheduler/scheduler.ts';

/** Kinds of faults. A run without some of them draws the same lots as one with all, so that the others stay as they are. */
export const faultKinds = [
  'ends',
  'calls',
  'outages',
  'nights',
  'empty lists',
  'collections',
  'notifications',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Injected faults, or none. */
export interface Faults {
  /** Work begins, in which the process may end. */
  begin(work: string): void;
  endHere: EndHere;
  /** Calls an external system, or lets the call fail. */
  call(fetch: typeof globalThis.fetch, input: string, init: RequestInit): Promise<Response>;
  /** Chooses the faults of a day. */
  newDay(): Promise<void>;
  /** From now on nothing goes wrong. */
  stop(): Promise<void>;
  /** Returns whether these faults may lead to an error. */
  mayCause(error: unknown): boolean;
}

export const noFaults: Faults = {
  begin: () => {},
  endHere: () => undefined,
  call: (fetch, input, init) => fetch(input, init),
  newDay: async () => {},
  stop: async () => {},
  mayCause: () => false,
};
