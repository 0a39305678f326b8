/** Amounts travel as text with two decimals; money out carries a minus sign. */
export function dollars(cents: number): string {
  const positive = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(positive / 100)}.${String(positive % 100).padStart(2, '0')}`;
}
