/** Whole Australian cents. The sandbox shares no money code with the product: docs/decisions/operation.md#adapters-and-sandbox. */
export type Cents = number;

/** Writes cents as two-decimal text, as banks do; money out has a minus. */
export const dollars = (cents: Cents): string => (cents / 100).toFixed(2);

const amounts = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });

/** Writes cents as people write dollars. */
export const aud = (cents: Cents): string => amounts.format(cents / 100);

export const sumOf = (amounts: { cents: Cents }[]): Cents => amounts.reduce((sum, { cents }) => sum + cents, 0);
