import { type Cents, cents, formatCents } from './money.ts';

/** A week's round-ups for a club, after limits, from those who still give, and what banks took back. */
export interface WeekGiven {
  given: Cents;
  takenBack: Cents;
}

export interface Forecast {
  low: Cents;
  expected: Cents;
  high: Cents;
}

export const weeksLookedBack = 12;
const weeksAhead = 4;
/** Fewer weeks than that do not show their variation. */
const fewestWeeks = 4;
/** Four in five of normally distributed sums lie within this many standard deviations of their mean. */
const fourInFive = 1.28;

/**
 * The next four weeks of a club: four average weeks, those without any round-up included, of those who are giving still, with the range in which four in five
 * such sums fall when weeks differ as the last ones did; never below nothing, never above what all weekly limits
 * together let through. Undefined before there are four weeks to look at.
 */
export function forecast(weeks: readonly WeekGiven[], weeklyCeiling: Cents | undefined): Forecast | undefined {
  if (weeks.length < fewestWeeks) return undefined;
  const nets = weeks.map(({ given, takenBack }) => given - takenBack);
  const mean = nets.reduce((sum, net) => sum + net, 0) / nets.length;
  const variance = nets.reduce((sum, net) => sum + (net - mean) ** 2, 0) / (nets.length - 1);
  const spread = fourInFive * Math.sqrt(variance * weeksAhead);
  const most = weeklyCeiling === undefined ? Number.POSITIVE_INFINITY : weeklyCeiling * weeksAhead;
  const within = (amount: number) => cents(Math.round(Math.min(Math.max(amount, 0), most)));
  const expected = mean * weeksAhead;
  return { low: within(expected - spread), expected: within(expected), high: within(expected + spread) };
}

const tenDollars = 1_000;

/** Returns an amount of a forecast to the nearest $10, below $20 to the dollar: cents would promise what nobody knows. */
export function aboutAmount(amount: Cents): string {
  const step = amount < 2 * tenDollars ? 100 : tenDollars;
  return formatCents(cents(Math.round(amount / step) * step)).replace('.00', '');
}
