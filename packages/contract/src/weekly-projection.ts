import { z } from 'zod';
import { operation } from './operation.ts';
import { WeeklyMaximumLimit } from './roundups.ts';
import { wholeCents } from './whole-cents.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';
const cents = wholeCents.min(0);

/** This week's use of the limit; other settings' weekly costs. */
export const WeeklyProjection = z.object({
  usedCents: cents.describe("what counts of this week's purchases"),
  startsAgainOn: z.iso.date().describe('the Monday on which the next week begins, in Sydney'),
  lookingBack: z
    .object({
      days: z.int().min(7).max(90),
      wholeWeeks: z.int().min(1).nullable().describe('weeks from Monday to Sunday; null where there is none yet'),
      weeks: z
        .array(z.object({ stepCents: z.literal([100, 200, 500]), limitCents: WeeklyMaximumLimit, cents }))
        .describe('an average week with each step and limit, to the nearest 10 cents and never above the limit'),
    })
    .nullable()
    .describe('null where there is not yet a week with a purchase to look back on'),
});
export type WeeklyProjection = z.infer<typeof WeeklyProjection>;

/** The round-ups that backdating to the month's start adds. */
export const Backdating = z.object({
  purchases: z
    .int()
    .min(0)
    .describe('purchases of this month before today on the tracked accounts that give something'),
  cents: cents.describe('their spare change, with the step and the weekly limit as they are'),
});
export type Backdating = z.infer<typeof Backdating>;

export const retrieveAccountEstimates = operation({
  name: 'retrieveAccountEstimates',
  method: 'POST',
  path: `${path}/account-estimates`,
  access: 'supporter',
  summary:
    'What the last four weeks of each account would have given, with the step as it is; null where the bank does not show it.',
  readsOnly: true,
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid }),
  output: z.object({
    accountEstimates: z
      .array(
        z.object({
          accountId: z.uuid().describe('the internal _id'),
          purchases: z.int().min(0),
          weeklyCents: cents.describe('an average week, to the nearest 10 cents, before any weekly limit'),
        }),
      )
      .nullable(),
  }),
});

export const retrieveBackdating = operation({
  name: 'retrieveBackdating',
  method: 'POST',
  path: `${path}/backdating`,
  access: 'supporter',
  summary: 'What backdating to the first of this month adds, as far as the bank shows it; null where it is not known.',
  readsOnly: true,
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid }),
  output: z.object({
    backdating: Backdating.nullable(),
    firstDebitOn: z.iso.date().optional().describe('the next debit day, on which the first debit may be'),
  }),
});

export const retrieveWeeklyOutlook = operation({
  name: 'retrieveWeeklyOutlook',
  method: 'POST',
  path: `${path}/weekly-outlook`,
  access: 'supporter',
  summary:
    "How far this week's limit is used, and what the whole weeks of the last 90 days would have come to with other settings.",
  readsOnly: true,
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid }),
  output: z.object({ weeklyOutlook: WeeklyProjection }),
});
