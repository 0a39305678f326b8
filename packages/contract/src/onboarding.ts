import { z } from 'zod';
import { IdempotencyKey } from './donations.ts';
import { UserAnswer } from './identity.ts';
import { operation } from './operation.ts';
import { supporterFields } from './registration-form.ts';
import { text } from './text.ts';

export const register = operation({
  name: 'register',
  method: 'POST',
  path: '/client/round-up/user/register',
  access: 'supporter',
  summary: 'Makes the supporter of a new identity user; the same Idempotency-Key again answers the same CDRID.',
  refusals: {
    403: 'the campaign has ended (code campaign-ended)',
    409: 'the caller is a supporter already; nothing is changed',
  },
  headers: {
    'Idempotency-Key': {
      description: 'Made once a form, so that a repeat after a lost answer is no second registration.',
      schema: IdempotencyKey.optional(),
    },
  },
  input: z.object({
    email: supporterFields.email,
    firstName: supporterFields.firstName,
    lastName: supporterFields.lastName,
    mobile: supporterFields.mobileNumber,
    tenantA: text(80),
    supportingClubId: text(80).min(1),
    userId: text(128).min(1),
    referrer: text(200).nullish(),
  }),
  output: z.object({ CDRID: z.uuid() }),
});

export const onboardingComplete = operation({
  name: 'onboardingComplete',
  method: 'POST',
  path: '/client/round-up/user/onboarding-complete',
  access: 'supporter',
  summary: 'Ends onboarding; round-ups count from today, or from the first of this month.',
  refusals: { 404: 'the caller has not registered', 409: 'no bank connection or no funding account yet' },
  input: z.object({ cdrid: z.uuid(), syncBeginningOfMonth: z.boolean() }),
  output: UserAnswer,
});
