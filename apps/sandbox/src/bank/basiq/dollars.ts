/** Writes cents as two-decimal text; money out has a minus. */
export function dollars(cents: number): string {
  const positive = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(positive / 100)}.${String(positive % 100).padStart(2, '0')}`;
}
