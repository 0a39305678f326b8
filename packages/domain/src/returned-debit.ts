/** The return codes of Australian direct entry (1 to 6, 8 and 9 are in use). */
export type BecsReturnCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Why a bank sends a direct-entry item back; files and hosted providers share them. */
export const becsReasons: Record<BecsReturnCode, string> = {
  1: 'invalid BSB',
  2: 'payment stopped',
  3: 'account closed',
  4: 'customer deceased',
  5: 'no account, or a wrong number',
  6: 'refer to customer',
  7: 'account deleted',
  8: 'invalid user id',
  9: 'technically invalid',
};

export interface AfterReturn {
  /** The account takes no more debits until the supporter changes it. */
  accountUnusable: boolean;
  /** Round-ups are paused and the supporter is told. */
  pauseSupporter: boolean;
  /** Our own registration is at fault: nothing more is submitted until an operator has looked. */
  haltRun: boolean;
}

/**
 * Returns the consequences of a returned debit (docs/rules.md#return-code-6). Its amount goes with the next debit in
 * every case. `isSecondInARow`: it asked again for what had come back with code 6.
 */
export function afterReturn(code: BecsReturnCode, isSecondInARow: boolean): AfterReturn {
  return {
    accountUnusable: code !== 6 && code !== 8,
    pauseSupporter: code === 6 && isSecondInARow,
    haltRun: code === 8,
  };
}
