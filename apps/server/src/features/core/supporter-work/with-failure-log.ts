import type { Logger } from 'pino';
import type { OnFailure } from './do-work.ts';
import { failureTally } from './failure-tally.ts';

export const bankNotAnswering = 'the bank link did not answer for supporters';

/** Runs work over everybody and always logs its failures, by cause. */
export async function withFailureLog<Result>(
  { log }: { log: Logger },
  about: string,
  work: (onFailure: OnFailure) => Promise<Result>,
): Promise<Result> {
  const tally = failureTally(log, about);
  try {
    return await work(tally.onFailure);
  } finally {
    tally.write();
  }
}
