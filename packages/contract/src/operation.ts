import type { z } from 'zod';

/** Who may call: `open` needs the tenant's key alone, `supporter` a valid ID token besides (design section 6). */
export type Access = 'open' | 'supporter';

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  method: 'GET' | 'POST';
  /** Below /api. */
  path: string;
  access: Access;
  /** The JSON body of a POST, the query of a GET. */
  input: Input;
  output: Output;
  /** What it does, for the published description. */
  summary: string;
}

export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}

export type InputOf<Op extends Operation> = z.input<Op['input']>;
export type OutputOf<Op extends Operation> = z.output<Op['output']>;
