import { type SubmitDeps, type Submitted, submitDebits } from '#features/debits/submit-debits.ts';
import { Refusal } from '#http/errors.ts';

/**
 * Submits the one-off donations that are not yet at the provider, on any day; round-ups wait for their debit days
 * (design 7.5). Throws while an answer is missing, so that it is asked for again.
 */
export async function submitDonations(deps: SubmitDeps): Promise<Submitted> {
  const report = await submitDebits(deps, ['donation']);
  if (report.unknown > 0) {
    throw new Refusal(
      502,
      'provider-unavailable',
      `${report.unknown} donations may or may not be at the provider; the next submission asks.`,
    );
  }
  return report;
}
