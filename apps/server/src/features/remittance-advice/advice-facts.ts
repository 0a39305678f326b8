import { wholeCents } from '@sparechange/contract';
import { z } from 'zod';

const day = z.iso.date();
const amounts = { gross: wholeCents, returned: wholeCents, savings: wholeCents, net: wholeCents };

/** A payout pack's facts; names are only in `ops statement`. */
export const PackFacts = z.object({
  club: z.object({ id: z.string(), name: z.string(), abn: z.string().nullable() }),
  reference: z.string().describe("what stands on the club's bank statement"),
  paidOn: day,
  days: z.array(z.object({ day, givers: z.int(), ...amounts })),
  adjustments: z
    .array(z.object({ day: day.nullable(), kind: z.enum(['correction', 'reserve']), cents: wholeCents }))
    .default([])
    .describe('what else the deposit is made of: corrections by day, and what is held back or paid out of the reserve'),
  givers: z.int().describe('different people, on all days together'),
  totals: z.object({ ...amounts, fees: wholeCents }),
  forecast: z.object({ low: wholeCents, expected: wholeCents, high: wholeCents }).nullable(),
});
export type PackFacts = z.infer<typeof PackFacts>;
