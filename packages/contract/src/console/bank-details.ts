import { z } from 'zod';
import { text } from '../text.ts';
import { consoleOperation, exampleId } from './operation.ts';
import { type Permitted, refusalOfCall } from './roles.ts';

const clubId = z.uuid();

/** Other bank details of a club, until they are used. */
export const BankDetailChange = z.object({
  endsIn: z.string().describe('last digits of the account number'),
  accountName: z.string().nullable(),
  account: z.string().nullable().describe('BSB with its bank, number masked; null once the details are deleted'),
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  contactEmail: z.string().nullable().describe('asked to confirm; null where the club had no contact'),
  confirmedAt: z.iso.datetime().nullable(),
  agreedBy: z.string().nullable().describe('null while it waits for a second person'),
  effectiveOn: z.iso.date().nullable(),
  lapsesOn: z.iso.date(),
});
export type BankDetailChange = z.infer<typeof BankDetailChange>;

/** A club's last change of bank details, where it was stopped or lapsed within the last 30 days. */
export const StoppedChange = z.object({
  endsIn: z.string(),
  on: z.iso.date(),
  by: z
    .string()
    .nullable()
    .describe('who stopped or refused it, `contact` for the contact of the club; null if it lapsed'),
});
export type StoppedChange = z.infer<typeof StoppedChange>;

export const retrieveBankDetailChange = consoleOperation({
  name: 'retrieveBankDetailChange',
  method: 'GET',
  path: '/clubs/bank-details',
  allowed: ['owner', 'finance', 'treasurer'],
  clubField: 'clubId',
  readsOnly: true,
  follows: ['bank_detail_changes', 'clubs'],
  input: z.object({ clubId }),
  example: { clubId: exampleId },
  output: z.object({
    change: BankDetailChange.nullable(),
    stopped: StoppedChange.nullable(),
    confirmingContact: z
      .string()
      .nullable()
      .describe('who would be asked to confirm a change made now; null for nobody'),
  }),
});

/** Returns whether somebody may see the account that a club is paid to. */
export const maySeeBankDetails = (person: Permitted, clubId: string): boolean =>
  refusalOfCall(retrieveBankDetailChange, person, { clubId }) === undefined;

/** An account number of a club as Australian banks give them; none is of zeros alone. */
export const ClubAccountNumber = z
  .string()
  .regex(/^(?!0+$)\d{4,9}$/, 'An account number has four to nine digits, not zeros alone');

/** The name of a club's account, of characters that a bank has in names. */
export const ClubAccountName = text(120)
  .trim()
  .min(1, 'Please enter the name of the account')
  .regex(/^(?=.*[\p{L}\p{N}])[^\p{ExtPict}]*$/u, 'Please write the name as the bank does');

/** Asks for new bank details in place of any that were asked for before; the contact and a second person decide. */
export const changeBankDetails = consoleOperation({
  name: 'changeBankDetails',
  method: 'POST',
  path: '/clubs/bank-details/change',
  allowed: ['owner', 'finance', 'treasurer'],
  clubField: 'clubId',
  isDangerous: true,
  audited: ['clubId'],
  words: 'Asked for new bank details of a club',
  input: z.object({
    clubId,
    bsb: text(20)
      .transform((given) => given.replace(/[\s-]/g, ''))
      .pipe(z.string().regex(/^\d{6}$/, 'A BSB has six digits')),
    accountNumber: text(20)
      .transform((given) => given.replace(/[\s-]/g, ''))
      .pipe(ClubAccountNumber),
    accountName: ClubAccountName,
  }),
  example: { clubId: exampleId, bsb: '062-000', accountNumber: '12345678', accountName: 'Bay Rovers' },
  output: z.object({}),
});

export const stopBankDetailChange = consoleOperation({
  name: 'stopBankDetailChange',
  method: 'POST',
  path: '/clubs/bank-details/stop',
  allowed: ['owner', 'finance', 'treasurer'],
  clubField: 'clubId',
  isDangerous: true,
  audited: ['clubId'],
  words: "Stopped a change of a club's bank details",
  input: z.object({ clubId }),
  example: { clubId: exampleId },
  output: z.object({}),
});
