import { z } from 'zod';
import { operation } from './operation.ts';
import { wholeCents } from './whole-cents.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';

const inFlightCents = wholeCents
  .min(0)
  .optional()
  .describe('cents of it whose debit the bank has not confirmed yet; absent where there are none');

export const debitsYTD = operation({
  name: 'debitsYTD',
  method: 'POST',
  path: `${path}/debits-ytd`,
  access: 'supporter',
  summary: 'Cents donated this calendar year.',
  readsOnly: true,
  input: z.object({ cdrid }),
  output: z.object({
    debitYTD: wholeCents,
    inFlightCents,
    allTimeCents: wholeCents.optional().describe('cents donated to date; absent where all of it was this year'),
  }),
});

export const debitsAllTime = operation({
  name: 'debitsAllTime',
  method: 'POST',
  path: `${path}/debits-total`,
  access: 'supporter',
  summary: 'Cents donated to date.',
  readsOnly: true,
  input: z.object({ cdrid }),
  output: z.object({ debitAllTime: wholeCents, inFlightCents }),
});

export const retrieveGivenPicture = operation({
  name: 'retrieveGivenPicture',
  method: 'POST',
  path: `${path}/given-picture`,
  access: 'supporter',
  summary: 'A picture with the club and what the supporter has given to date, to share.',
  readsOnly: true,
  input: z.object({ cdrid }),
  output: z.object({
    path: z.string().nullable().describe('of a PNG that names nobody, signed; null while no debit has cleared'),
  }),
});

export const retrieveTotalDebits = operation({
  name: 'retrieveTotalDebits',
  method: 'POST',
  path: `${path}/retrieve-total-debits`,
  access: 'supporter',
  summary: 'Cents donated by month, newest first.',
  readsOnly: true,
  input: z.object({ cdrid }),
  output: z.object({
    debitHistory: z.object({
      documents: z.array(
        z.object({ monthYear: z.string().describe('"Nov-26"'), totalDebitAmount: wholeCents.describe('cents') }),
      ),
    }),
  }),
});
