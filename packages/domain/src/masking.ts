/** All but the last four digits replaced by X. */
export function maskAccountNumber(number: string): string {
  return number.slice(0, -4).replace(/./g, 'X') + number.slice(-4);
}
