/** All but the last four digits replaced by X (spec section 9). */
export function maskAccountNumber(number: string): string {
  return number.slice(0, -4).replace(/./g, 'X') + number.slice(-4);
}
