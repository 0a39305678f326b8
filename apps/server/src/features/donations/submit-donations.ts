import { type SubmitDeps, type Submitted, submitDebits } from '#features/debits/submit-debits.ts';
import { requireWhole } from '#features/submission/submit-payments.ts';

/**
 * Submits the one-off donations that are not yet at the provider, on any day; round-ups wait for their debit days
 * (docs/decisions/0040). Throws when it stopped early.
 */
export async function submitDonations(deps: SubmitDeps): Promise<Submitted> {
  const report = await submitDebits(deps, ['donation']);
  requireWhole(report, 'donations');
  return report;
}
