/** Return codes of Australian direct entry (BECS). */
export const returnCodes = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export type ReturnCode = (typeof returnCodes)[number];

/** Assumed if a provider gives no return code: the account is unusable. */
export const unexplainedReturn: ReturnCode = 9;

/** Returns the return code of a digit, or undefined for 0 and anything else. */
export const parseReturnCode = (digit: string): ReturnCode | undefined =>
  returnCodes.find((code) => String(code) === digit);

/** The reason for each return code, whether a bank file or a hosted provider reports it. */
export const becsReasons: Record<ReturnCode, string> = {
  1: 'invalid BSB',
  2: 'payment stopped',
  3: 'account closed',
  4: 'customer deceased',
  5: 'no account, or a wrong number',
  6: 'refer to customer',
  7: 'account deleted',
  8: 'invalid Direct Entry user ID',
  9: 'technically invalid',
};

export interface AfterReturn {
  /** True if debits stop until the supporter changes the account. */
  accountUnusable: boolean;
  /** True if round-ups are paused and the supporter is emailed. */
  pauseSupporter: boolean;
  /** True if our registration is at fault, so that submission waits for an operator. */
  suspendRuns: boolean;
}

/**
 * Returns the consequences of a returned debit (docs/rules.md#return-code-6). In every case the amount of a round-up
 * debit is asked for again with the next one. `isSecondInARow` is true if it re-presented a debit returned with code 6.
 */
export function afterReturn(code: ReturnCode, isSecondInARow: boolean): AfterReturn {
  return {
    accountUnusable: code !== 6 && code !== 8,
    pauseSupporter: code === 6 && isSecondInARow,
    suspendRuns: code === 8,
  };
}
