import { z } from 'zod';
import { text } from './text.ts';
import { withoutSeparators } from './written-numbers.ts';

/** The savings account form with its messages. */
export const SavingsAccountForm = z.object({
  accountName: text(100).trim().min(1, 'Account name is required'),
  bsb: text(100)
    .trim()
    .min(1, 'BSB is required')
    .overwrite(withoutSeparators)
    .regex(/^\d{6}$/, 'BSB must be 6 numbers'),
  accountNumber: text(100)
    .trim()
    .min(1, 'Account number is required')
    .overwrite(withoutSeparators)
    .regex(/^\d{8,12}$/, 'Account number must be 8-12 numbers'),
});
export type SavingsAccountForm = z.infer<typeof SavingsAccountForm>;
