import type { EndHere } from './turns.ts';

/** Misfortune, or the want of it. */
export interface Faults {
  /** A piece of work begins, in which the program may end. */
  begin(work: string): void;
  endHere: EndHere;
  /** Makes a call to the outside, or spoils it. */
  call(fetch: typeof globalThis.fetch, input: string, init: RequestInit): Promise<Response>;
  /** Chooses the misfortunes of a day. */
  newDay(): Promise<void>;
  /** From now on nothing goes wrong. */
  cease(): Promise<void>;
  /** Returns whether these faults may lead to an error. */
  mayCause(error: unknown): boolean;
}

export const noFaults: Faults = {
  begin: () => {},
  endHere: () => undefined,
  call: (fetch, input, init) => fetch(input, init),
  newDay: async () => {},
  cease: async () => {},
  mayCause: () => false,
};
