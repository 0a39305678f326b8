/** Return codes of Australian direct entry (BECS). */
export const returnCodes = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export type ReturnCode = (typeof returnCodes)[number];

/** Counted where a provider names no code: the account is unusable. */
export const unexplainedReturn: ReturnCode = 9;

/** Returns a digit's return code; undefined for 0 or non-digits. */
export const parseReturnCode = (digit: string): ReturnCode | undefined =>
  returnCodes.find((code) => String(code) === digit);

/** Reasons of returned items, shared by files and hosted providers. */
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
  /** Round-ups are paused and the supporter is emailed. */
  pauseSupporter: boolean;
  /** Our registration is at fault; submission waits for an operator. */
  suspendRuns: boolean;
}

/**
 * Returns the consequences of a returned debit (docs/rules.md#return-code-6). The amount of a round-up
 * debit goes with the next one in every case. `isSecondInARow`: it asked again for what had come back with code 6.
 */
export function afterReturn(code: ReturnCode, isSecondInARow: boolean): AfterReturn {
  return {
    accountUnusable: code !== 6 && code !== 8,
    pauseSupporter: code === 6 && isSecondInARow,
    suspendRuns: code === 8,
  };
}
