import type { ErrorCode } from '@sparechange/contract/console';

/** A refused or unanswered call; unanswered, its `status` is 0. The message is safe to show. */
export class CallProblem extends Error {
  override name = 'CallProblem';
  readonly status: number;
  readonly code: ErrorCode | 'no-answer';
  readonly fields: Record<string, string>;

  constructor(status: number, code: CallProblem['code'], message: string, fields: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** Returns the server's problem with one field of a form. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof CallProblem && !changedMeanwhile(error) ? error.fields[field] : undefined;

/** Returns what stands in fields that somebody else changed since they were read; the sentence of the refusal shows it. */
export const changedMeanwhile = (error: unknown): Record<string, string> | undefined =>
  error instanceof CallProblem && error.code === 'changed-meanwhile' ? error.fields : undefined;

/** Returns a failure in a sentence, unless it stands at a field. */
export function sentenceOf(error: unknown): string | undefined {
  if (!error) return undefined;
  if (!(error instanceof CallProblem)) return 'Something unexpected happened. Please try again.';
  return Object.keys(error.fields).length > 0 && !changedMeanwhile(error) ? undefined : error.message;
}
