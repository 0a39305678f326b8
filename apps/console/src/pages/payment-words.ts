import type { PaymentKind, PaymentState, Relation } from '@sparechange/contract/console';

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
  deferred: 'Deferred',
};

export const toneOf = (state: PaymentState): 'good' | 'bad' | 'plain' => {
  if (state === 'cleared') return 'good';
  return ['parked', 'returned', 'reversed', 'refused'].includes(state) ? 'bad' : 'plain';
};

/** Says what another payment, of a kind, is to this one. */
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

/** Turns a code into words: "Debit returned" for `debit_returned`. */
export const codeInWords = (code: string): string => {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
