import { z } from 'zod';
import { donatedDollars } from './donation-form.ts';
import { operation } from './operation.ts';

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
  input: z.object({ values: z.object({ amount: donatedDollars, cdrid: z.uuid() }) }),
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
