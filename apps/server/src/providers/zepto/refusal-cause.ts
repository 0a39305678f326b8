import type { RefusalCause } from '#ports/direct-debit.ts';

/** Zepto refuses in sentences alone; the first matching pattern decides. */
const patterns: readonly [RefusalCause, RegExp][] = [
  [
    'mandate_cancelled',
    /valid agreement in place|no (valid |accepted )?agreement|agreement (is|was|has been) (cancelled|declined|expended)/i,
  ],
  ['above_ceiling', /exceeds the agreement|terms of the agreement/i],
  [
    'not_permitted',
    /your (bank )?account (is )?(not|blocked)|not (permitted|allowed|authori[sz]ed) to|account is (suspended|closed)/i,
  ],
  [
    'account_invalid',
    /contact .*(removed|is blocked|not receivable)|(branch code|account number|bank account) .*invalid/i,
  ],
];

/** Returns why Zepto refused an order, by its words. */
export function refusalCauseOf(reason: string): RefusalCause {
  return patterns.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'other';
}
