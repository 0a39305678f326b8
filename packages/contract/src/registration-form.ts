import { z } from 'zod';
import { text, tooLong } from './text.ts';
import { domesticMobile } from './written-numbers.ts';

const required = (message: string, max: number) => text(max).trim().min(1, message);

/** Matches what mail clients make a link of: a host may have digits, as web24.example; J.R.R. and St.Clair are none. */
const noName = /www\.|(?:[\p{L}\p{Nd}]{3}|\p{Nd}\p{L}{0,2})[.。]\p{L}{2}|\p{Nd}[.。]\p{Nd}|[:/\\<>@]/iu;
/** Mail clients link full-width letters and signs like plain ones. */
const isName = (given: string): boolean => !noName.test(given.normalize('NFKC'));

const name = (missing: string) => required(missing, 100).refine(isName, 'Please use a name without links or @');

/** The fields that the call to register sends on. */
export const supporterFields = {
  firstName: name('First name is required'),
  lastName: name('Last name is required'),
  email: required('Email is required', 254).pipe(z.email('Enter a valid email')),
  mobileNumber: required('Mobile number is required', 100)
    .overwrite(domesticMobile)
    .regex(/^\d{10}$/, 'Mobile number must be 10 digits, no spaces'),
};

/** The registration form with its messages. */
export const RegistrationForm = z
  .object({
    ...supporterFields,
    password: z
      .string()
      .min(1, 'Password is required')
      .min(8, 'Password should be of minimum 8 characters length')
      .max(4096, tooLong(4096)),
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
