import type { ErrorCode } from '@sparechange/contract/console';
import { z } from 'zod';

/** A refused or unanswered call; unanswered, its `status` is 0. The message is safe to show. */
export class CallProblem extends Error {
  override name = 'CallProblem';
  readonly status: number;
  readonly code: ErrorCode | 'no-answer';
  readonly fields: Record<string, string>;
  /** Describes what the operation takes. */
  readonly input: z.ZodType | undefined;

  constructor(
    status: number,
    code: CallProblem['code'],
    message: string,
    fields: Record<string, string> = {},
    input?: z.ZodType,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.input = input;
  }
}

/** Returns whether repeating a call may bring an answer; a refusal stays one. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof CallProblem) || error.status === 0 || error.status >= 500;

/**
 * Returns the server's problem with one field of a form while it may still apply: none once the operation accepts any
 * reading of the field's present value.
 */
export function problemOf(error: unknown, field: string, readings: readonly unknown[] = []): string | undefined {
  if (!(error instanceof CallProblem) || changedMeanwhile(error)) return undefined;
  const taken: unknown = error.input instanceof z.ZodObject ? error.input.shape[field] : undefined;
  const isTaken = taken instanceof z.ZodType && readings.some((reading) => taken.safeParse(reading).success);
  return isTaken ? undefined : error.fields[field];
}

/**
 * Returns the present values of fields that somebody else changed since they were read; the refusal's sentence shows
 * them.
 */
export const changedMeanwhile = (error: unknown): Record<string, string> | undefined =>
  error instanceof CallProblem && error.code === 'changed-meanwhile' ? error.fields : undefined;

/** Returns a failure as a sentence, unless it is shown at a field. */
export function sentenceOf(error: unknown): string | undefined {
  if (!error) return undefined;
  if (!(error instanceof CallProblem)) return 'Something unexpected happened. Please try again.';
  return Object.keys(error.fields).length > 0 && !changedMeanwhile(error) ? undefined : error.message;
}
