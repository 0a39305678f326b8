import { type Cents, cents } from './money.ts';

/**
 * Shares whole cents out in proportion, so that they add up: everybody gets what their part comes to, rounded down, and
 * the cents that are left go to the largest remainders, the first of equal ones first. A part may be negative, as what a
 * refund takes off is; its share then is. The parts must not add up to 0.
 */
export function apportion(amount: Cents, parts: readonly Cents[]): Cents[] {
  const whole = parts.reduce((sum, part) => sum + BigInt(part), 0n);
  const shares = parts.map((part) => divideDown(BigInt(amount) * BigInt(part), whole));
  let left = BigInt(amount) - shares.reduce((sum, { down }) => sum + down, 0n);
  const byRemainder = shares
    .map((share, place) => ({ ...share, place }))
    .sort((one, other) => Number(other.rest - one.rest) || one.place - other.place);
  for (const { place } of byRemainder) {
    const share = shares[place];
    if (left === 0n || !share) break;
    share.down += 1n;
    left -= 1n;
  }
  return shares.map(({ down }) => cents(Number(down)));
}

function divideDown(amount: bigint, by: bigint): { down: bigint; rest: bigint } {
  const rest = ((amount % by) + by) % by;
  return { down: (amount - rest) / by, rest };
}
