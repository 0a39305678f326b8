import type { z } from 'zod';
import type { Role } from './roles.ts';

/** Callers of an operation: everybody, everybody who is signed in (about their own account), or those with a role. */
export type Allowed = 'anyone' | 'signed_in' | readonly Role[];

/** A call of the console. Permission to make it is declared here and nowhere else (docs/console.md). */
export interface ConsoleOperation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
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
  input: Input;
  output: Output;
}

export function consoleOperation<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ConsoleOperation<Input, Output>,
): ConsoleOperation<Input, Output> {
  return definition;
}
