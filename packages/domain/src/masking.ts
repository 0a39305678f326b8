/** All but the last four digits replaced by X. */
export function maskAccountNumber(number: string): string {
  return number.slice(0, -4).replace(/./g, 'X') + number.slice(-4);
}

/** Returns whether banks accept this length: at most 9 digits. */
export const isPayableNumber = (number: string): boolean => number.length <= 9;
