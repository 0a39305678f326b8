import type { z } from 'zod';

/**
 * The callers of an operation: `open` needs the tenant's key alone, `supporter` an ID token as well
 * (docs/rules.md#token-on-every-supporter-call).
 */
export type Access = 'open' | 'supporter';

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  method: 'GET' | 'POST';
  /** Below /api. */
  path: string;
  access: Access;
  /**
   * Set where nothing is changed, neither here nor at a provider. A session that ended within the last second may
   * still be answered; every other operation looks (docs/decisions/identity.md#sessions).
   */
  readsOnly?: true;
  /** A POST's JSON body, or a GET's query. */
  input: Input;
  output: Output;
  /** A sentence for the published description. */
  summary: string;
  /** Successful HTTP statuses and their meanings; 200 alone by default. */
  answers?: Record<number, string>;
  /** Request headers of this operation alone, by name. */
  headers?: Record<string, { description: string; schema: z.ZodType }>;
  /** Its refusals besides the common ones: HTTP status and reason. */
  refusals?: Record<number, string>;
}

export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}

export type InputOf<Op extends Operation> = z.input<Op['input']>;
export type OutputOf<Op extends Operation> = z.output<Op['output']>;
/** An output as sent, before its caller parses it. */
export type SentOf<Op extends Operation> = z.input<Op['output']>;
