const format = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });

/** Cents as people write dollars. */
export const aud = (cents: number): string => format.format(cents / 100);
