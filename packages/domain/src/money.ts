declare const wholeCents: unique symbol;

/** Whole Australian cents, never a fraction and never dollars. */
export type Cents = number & { readonly [wholeCents]: true };

/** Declares a number to be whole cents; throws a RangeError for a fraction or a number too large to be exact. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of cents`);
  return value as Cents;
}

export const noCents = cents(0);

/** Adds amounts up. */
export function total(amounts: Iterable<Cents>): Cents {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return cents(sum);
}

/** Returns the amounts added up. */
export const add = (...amounts: Cents[]): Cents => total(amounts);

/** Returns an amount less another, which may fall below zero. */
export const subtract = (amount: Cents, less: Cents): Cents => cents(amount - less);

/** Returns an amount with its sign turned. */
export const negate = (amount: Cents): Cents => cents(0 - amount);

/** Returns the absolute value of an amount. */
export const magnitude = (amount: Cents): Cents => cents(Math.abs(amount));

/** "$5.00 more" or "$5.00 less": a difference in cents, as a sentence says it. */
export const moreOrLess = (difference: Cents): string =>
  `${formatCents(magnitude(difference))} ${difference > 0 ? 'more' : 'less'}`;

/** "$3.42", "-$0.05", "$1,204.00": cents divided by 100, two decimals. */
export function formatCents(amount: Cents): string {
  const dollars = Math.floor(Math.abs(amount) / 100).toLocaleString('en-AU');
  const rest = String(Math.abs(amount) % 100).padStart(2, '0');
  return `${amount < 0 ? '-' : ''}$${dollars}.${rest}`;
}

/** "4.35": how an amount travels where the wire wants dollars. */
export function dollars(amount: Cents): string {
  return formatCents(amount).replace(/[$,]/g, '');
}

/** Reads "4.35", "4.3" or "-124.69" exactly; undefined for anything else. */
export function parseDollars(text: string): Cents | undefined {
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const amount = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return cents(sign && amount !== 0 ? -amount : amount);
}
