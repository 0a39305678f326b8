/** States of a payment: a debit, or a payout to a club, to savings or back to a payer. Only debits are deferred. */
export const paymentStates = [
  'planned',
  'submitting',
  'submitted',
  'cleared',
  'returned',
  'reversed',
  'refused',
  'deferred',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** A provider's report of a payment, by notification, by poll or in a bank's file. */
export const reportedOutcomes = ['pending', 'cleared', 'returned'] as const;
export type ReportedOutcome = (typeof reportedOutcomes)[number];

/** The state a report moves a payment to, or `nothing`. */
export type OutcomeChange = 'cleared' | 'returned' | 'reversed' | 'nothing';

const unmoved = { pending: 'nothing', cleared: 'nothing', returned: 'nothing' } as const;

/**
 * The change of each state by each report. A payment moves forward only, so that late, duplicate and out-of-order reports
 * are applied once (docs/rules.md#outcomes-move-forward); docs/one-debit.md shows this table.
 */
export const outcomeChanges: Readonly<Record<PaymentState, Readonly<Record<ReportedOutcome, OutcomeChange>>>> = {
  planned: unmoved,
  submitting: unmoved,
  submitted: { pending: 'nothing', cleared: 'cleared', returned: 'returned' },
  cleared: { pending: 'nothing', cleared: 'nothing', returned: 'reversed' },
  returned: unmoved,
  reversed: unmoved,
  refused: unmoved,
  deferred: unmoved,
};
