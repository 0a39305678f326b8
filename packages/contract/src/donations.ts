import { parseTypedAmount } from '@sparechange/domain';
import { z } from 'zod';
import { operation } from './operation.ts';

const isWholeCents = (amount: number) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

const amount = z
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
export const DonationForm = z.object({ amount: z.string().transform(typedDollars).pipe(amount) });
export type TypedDonation = z.input<typeof DonationForm>;
export type DonationForm = z.infer<typeof DonationForm>;

/** Makes a repeated request run once; a UUID will do. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,100}$/);

/** Sent with an `Idempotency-Key` header, made once a gift. */
export const donateNow = operation({
  name: 'donateNow',
  method: 'POST',
  path: '/client/round-up/user/donate-now',
  access: 'supporter',
  summary: 'A one-off donation in dollars, debited once per request id.',
  refusals: {
    403: 'the campaign has ended (code campaign-ended)',
    404: 'the caller has not registered',
    409: 'no bank connection or no funding account yet',
  },
  headers: {
    'Idempotency-Key': {
      description:
        'Made once a gift: the same key again donates nothing more. Without one every call is a gift of its own.',
      schema: IdempotencyKey.optional(),
    },
  },
  input: z.object({ values: z.object({ amount, cdrid: z.uuid() }) }),
  output: z.object({}),
});

export const undoDonation = operation({
  name: 'undoDonation',
  method: 'POST',
  path: '/client/round-up/user/undo-donation',
  access: 'supporter',
  summary: 'Undoes a one-off donation in the ten minutes before it is submitted; once undone it stays so.',
  refusals: { 404: 'no donation has that request id', 409: 'it can no longer be undone' },
  input: z.object({ cdrid: z.uuid(), requestId: IdempotencyKey.max(100) }),
  output: z.object({}),
});
