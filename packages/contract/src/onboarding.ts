import { z } from 'zod';
import { UserAnswer } from './identity.ts';
import { operation } from './operation.ts';
import { text } from './text.ts';

const required = (message: string, max: number) => text(max).trim().min(1, message);

const fields = {
  firstName: required('First name is required', 100),
  lastName: required('Last name is required', 100),
  email: required('Email is required', 254).pipe(z.email('Enter a valid email')),
  mobileNumber: required('Mobile number is required', 100).regex(
    /^\d{10}$/,
    'Mobile number must be 10 digits, no spaces',
  ),
};

/** The registration form with the messages of spec section 5. */
export const RegistrationForm = z
  .object({
    ...fields,
    password: z
      .string()
      .min(1, 'Password is required')
      .min(8, 'Password should be of minimum 8 characters length')
      .max(4096),
    confirmPassword: z.string().min(1, 'Confirm password is required'),
    agree: z.literal(true),
  })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords must match',
    when: ({ value }) => {
      const form = value as { password?: unknown; confirmPassword?: unknown } | undefined;
      return Boolean(form?.password && form.confirmPassword);
    },
  });
export type RegistrationForm = z.infer<typeof RegistrationForm>;

export const register = operation({
  name: 'register',
  method: 'POST',
  path: '/client/round-up/user/register',
  access: 'supporter',
  summary: 'Makes the supporter of a new identity user; again with the same user it answers the same CDRID.',
  refusals: { 403: 'the campaign has ended (code campaign-ended)' },
  input: z.object({
    email: fields.email,
    firstName: fields.firstName,
    lastName: fields.lastName,
    mobile: fields.mobileNumber,
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
