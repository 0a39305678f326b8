import { isAbn } from '@sparechange/domain';
import { z } from 'zod';
import { text } from './text.ts';

const required = (missing: string, max: number) => text(max).trim().min(1, missing);

/** The form of a club that asks to join, with its messages. */
export const ClubRequestForm = z.object({
  name: required('Please enter the name of the club', 120),
  abn: required('Please enter the ABN', 20)
    .overwrite((abn) => abn.replace(/\s/g, ''))
    .refine(isAbn, 'Please check the ABN: its digits do not add up'),
  suburb: required('Please enter the suburb', 60),
  purpose: required('Please say what the money is for', 300),
  contactName: required('Please enter your name', 100),
  email: required('Please enter your email', 254).toLowerCase().pipe(z.email('Enter a valid email')),
});
export type ClubRequestForm = z.infer<typeof ClubRequestForm>;
