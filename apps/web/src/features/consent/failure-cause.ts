import { ApiError } from '#api/api-error.ts';
import type { FailureCause } from './connection.ts';

/** The cause and next step, beside the Verification state's words. */
export const causeWords: Record<FailureCause, string> = {
  declined: 'You stopped at your bank. Nothing was shared.',
  failed_at_bank: 'Your bank did not finish the connection. Retry starts again at your bank.',
  unreachable: 'Your bank cannot be reached just now. Please retry in a few minutes.',
  no_job: 'Your bank is not connected yet. Retry leads to your bank.',
  no_answer_yet: 'Your bank has not confirmed anything yet. Retry starts again at your bank.',
};

/** Reads why asking about a bank connection failed. */
export function failureCause(error: unknown): FailureCause {
  if (!(error instanceof ApiError)) return 'unreachable';
  if (error.code === 'bank-declined') return 'declined';
  if (error.status === 404) return 'no_job';
  return error.status === 409 ? 'failed_at_bank' : 'unreachable';
}
