import { wholeCents } from '@sparechange/contract';
import { z } from 'zod';

const day = z.iso.date();

/** A receipt's facts, without bank data, stored beside its bytes. */
export const ReceiptFacts = z.object({
  number: z.string(),
  kind: z.enum(['month', 'year']),
  firstDay: day,
  lastDay: day,
  issuedOn: day,
  supporter: z.string(),
  issuer: z.string().describe('the name of the tenant'),
  clubs: z.array(
    z.object({
      name: z.string(),
      abn: z.string().nullable(),
      isDeductibleGiftRecipient: z.boolean().describe('at the end of the period'),
      lines: z.array(
        z.object({
          day: day.describe('the day it cleared, was taken back or refunded; of a statement, the first of that month'),
          kind: z.enum(['round-ups', 'one-off gift', 'taken back', 'refunded']),
          cents: wholeCents,
        }),
      ),
      totalCents: wholeCents,
      deductibleCents: wholeCents,
    }),
  ),
  totalCents: wholeCents,
  deductibleCents: wholeCents,
  savingsCents: wholeCents.describe('the part of the same debits that was set aside for the supporter'),
});
export type ReceiptFacts = z.infer<typeof ReceiptFacts>;
export type ReceiptClub = ReceiptFacts['clubs'][number];
