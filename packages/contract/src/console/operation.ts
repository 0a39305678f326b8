import type { z } from 'zod';
import type { Follows } from './follows.ts';
import type { Role } from './roles.ts';

/** Callers of an operation: everybody, everybody who is signed in (about their own account), or those with a role. */
export type Allowed = 'anyone' | 'signed_in' | readonly Role[];

type Fields = z.ZodType<unknown, Record<string, unknown>>;

/** A call of the console. Permission to make it is declared here and nowhere else (docs/console.md). */
export interface ConsoleOperation<Input extends Fields = Fields, Output extends z.ZodType = z.ZodType> {
  name: string;
  method: 'GET' | 'POST';
  /** Below /console/api. */
  path: string;
  allowed: Allowed;
  /** Field of the input that names a club; a treasurer's calls are refused unless it is theirs. */
  clubField?: string;
  /** Set where nothing is changed; all others are noted in the audit log, by person. */
  readsOnly?: true;
  /** Requires the passkey or code from within five minutes. */
  isDangerous?: true;
  /** Limit of a body that may be larger than those of others. */
  maxBodyBytes?: number;
  /** Takes seconds: 20 calls in a row for a person, then ten a minute. */
  isSlow?: true;
  /** Fields of the input that the audit log keeps, of a call that only reads too; never a secret or an address. */
  audited?: readonly string[];
  /** Shown for its entries in the audit log: "Retired a club". */
  words?: string;
  /** Changes after which a page refetches this answer. */
  follows?: Follows;
  input: Input;
  /** A valid input, for tests. */
  example?: z.input<Input>;
  output: Output;
}

/** Calls that the audit log notes need words; answers that pages of an organisation show say what they follow. */
type Purpose =
  | { allowed: 'anyone'; words?: never; follows?: never }
  | { allowed: 'signed_in'; readsOnly: true; audited?: never; words?: never; follows?: never }
  | { allowed: 'signed_in' | readonly Role[]; readsOnly?: never; words: string; follows?: never }
  | { allowed: readonly Role[]; readsOnly: true; audited: readonly string[]; words: string; follows?: never }
  | { allowed: readonly Role[]; readsOnly: true; audited?: never; isSlow: true; words?: never; follows?: never }
  | { allowed: readonly Role[]; readsOnly: true; audited?: never; isSlow?: never; words?: never; follows: Follows };

/** An input that may be empty needs no example. */
type WithExample<Input extends Fields> = Record<never, never> extends z.input<Input> ? unknown : { example: unknown };

export function consoleOperation<Input extends Fields, Output extends z.ZodType>(
  definition: ConsoleOperation<Input, Output> & Purpose & WithExample<Input>,
): ConsoleOperation<Input, Output> {
  return definition;
}

/** An id that belongs to nothing, for examples. */
export const exampleId = '6f1d2a54-93c7-4e0b-8a6d-2c5b7e9f0a13';
/** An id in examples that each call of a test replaces, for what may be there once. */
export const freshId = '0d9b4c7e-5a21-4f38-b6c0-e81f3a7d2496';
