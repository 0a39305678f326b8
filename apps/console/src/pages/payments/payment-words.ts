import type { PaymentKind, PaymentState, PaymentTrace, Relation } from '@sparechange/contract/console';
import { afterReturn, type ReturnCode, unexplainedReturn } from '@sparechange/domain';
import { capitalised } from '../../words.ts';

export const kindNames: Record<PaymentKind, string> = {
  debit: 'Debit',
  donation: 'Donation',
  deposit: 'Savings deposit',
  remittance: 'Payout to a club',
  repayment: 'Refund',
};

export const stateNames: Record<PaymentState, string> = {
  planned: 'Planned',
  submitting: 'Being sent',
  parked: 'Parked',
  submitted: 'Sent',
  cleared: 'Cleared',
  returned: 'Returned',
  reversed: 'Reversed',
  refused: 'Refused',
  deferred: 'Left for a later run',
};

export const toneOf = (state: PaymentState): 'good' | 'bad' | 'plain' => {
  if (state === 'cleared') return 'good';
  return ['parked', 'returned', 'reversed', 'refused'].includes(state) ? 'bad' : 'plain';
};

/** Names another payment's relation to this one, by kind. */
export function relationInWords(relation: Relation, kind: PaymentKind): string {
  const isPayout = kind === 'remittance';
  switch (relation) {
    case 'repeats':
      return isPayout ? 'Pays again what failed' : 'Asks again for';
    case 'repeated_by':
      return isPayout ? 'Paid again by' : 'Asked for again by';
    case 'refunded_by':
      return 'Refunded by';
    case 'refund_of':
      return 'Refund of';
    case 'paid_to_club_by':
      return 'Paid to the club by';
  }
}

/** Says what follows from a debit or donation that came back; nothing for other payments. */
export function afterReturnInWords({
  kind,
  state,
  returnCode,
  related,
  isSecondReturn,
}: PaymentTrace): string | undefined {
  if (state !== 'returned') return undefined;
  if (kind === 'donation') return 'It is not asked for again, and the supporter is mailed.';
  if (kind !== 'debit') return undefined;
  const again = related.find(({ relation }) => relation === 'repeated_by');
  if (again) return `The amount was asked for again by ${again.reference}.`;
  const code = (returnCode ?? unexplainedReturn) as ReturnCode;
  const { accountUnusable, pauseSupporter, suspendRuns } = afterReturn(code, isSecondReturn);
  if (suspendRuns) return 'No run is made until somebody has looked, as our own registration is wrong.';
  if (accountUnusable) return 'The supporter is mailed to choose another account; the amount waits until they have.';
  if (pauseSupporter) return 'It was the second time in a row: round-ups are paused, and the supporter is mailed.';
  return 'The next run asks for the amount once more. If that comes back too, round-ups pause and the supporter is mailed.';
}

/** Turns a code into words: "Debit returned" for `debit_returned`. */
export const codeInWords = (code: string): string => capitalised(code.replaceAll('_', ' '));
