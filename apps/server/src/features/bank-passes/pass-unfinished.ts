import type { PassState } from './pass-repository.ts';

const mostFailedShare = 0.05;

/** Few enough failures may wait for the next pass; two of a handful of supporters say nothing about the bank link. */
export const hasFailedTooOften = ({ attempted, failed }: Pick<PassState, 'attempted' | 'failed'>): boolean =>
  failed > attempted * mostFailedShare && (failed > 2 || failed === attempted);

const names = { sync: 'fetching transactions', consent_poll: 'looking at consents' };

export const passSentence = ({ task, dueAt, attempted, failed }: PassState): string =>
  `The bank link did not answer for ${failed} of ${attempted} supporters while ${names[task]} (due ${dueAt.toISOString()}). ` +
  'Only these are tried again, every few minutes, until it answers; until 09:00 a debit run waits for it.';

/** A pass that failed for too many supporters, or was stopped: it is not finished and goes on soon. */
export class PassUnfinished extends Error {
  override name = 'PassUnfinished';
  constructor(pass: PassState) {
    super(passSentence(pass));
  }
}
