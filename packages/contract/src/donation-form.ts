import { parseTypedAmount } from '@sparechange/domain';
import { z } from 'zod';

const isWholeCents = (amount: number) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

/** The donation, in dollars. */
export const donatedDollars = z
  .number({ error: 'Amount is required' })
  .max(250, 'Amount must be $250 or less')
  .min(0.01, 'Amount is required')
  .refine(isWholeCents, { error: 'Amount must be in dollars and cents' });

/** Makes dollars of what is typed; undefined, which is no amount, of anything else. */
const typedDollars = (typed: string): number | undefined => {
  const amount = parseTypedAmount(typed);
  return amount === undefined ? undefined : amount / 100;
};

/** The one-off donation form and its messages: what is typed, and so a text, becomes dollars. */
export const DonationForm = z.object({ amount: z.string().transform(typedDollars).pipe(donatedDollars) });
export type TypedDonation = z.input<typeof DonationForm>;
export type DonationForm = z.infer<typeof DonationForm>;
