import { parseMonth } from '@sparechange/domain';
import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { FileAnswer } from './file.ts';
import { supporterFigures } from './follows.ts';
import { consoleOperation, exampleId } from './operation.ts';
import { ClubPayout } from './treasurer.ts';

/** Names supporters, so it is for the organisation alone. */
const ofMonth = {
  method: 'GET',
  allowed: ['owner', 'finance'],
  readsOnly: true,
  input: z.object({
    clubId: z.uuid(),
    month: text(7).transform((written, context) => {
      const month = parseMonth(written);
      if (month) return month;
      context.addIssue('Please choose a month');
      return z.NEVER;
    }),
  }),
} as const;

export const StatementSupporter = z.object({
  id: z.uuid(),
  supporter: z.string(),
  roundUpCents: wholeCents,
  donationCents: wholeCents,
  takenBackCents: wholeCents.describe('by a bank or a refund, after it had cleared'),
  totalCents: wholeCents,
});
export type StatementSupporter = z.infer<typeof StatementSupporter>;

/** Returns what the payouts of a month are made of, supporter by supporter, without bank data. */
export const retrieveClubStatement = consoleOperation({
  ...ofMonth,
  name: 'retrieveClubStatement',
  path: '/club/statement',
  follows: [...supporterFigures, 'ledger_entries', 'platform_entries', 'remittances', 'closed_days'],
  example: { clubId: exampleId, month: '2026-11' },
  output: z.object({
    payouts: z.array(z.object({ date: day, reference: z.string(), cents: wholeCents, state: ClubPayout.shape.state })),
    supporters: z.array(StatementSupporter).describe('the first hundred'),
    supportersInAll: z.int(),
    corrections: z.array(
      z.object({ date: day, reason: z.string().nullable(), cents: wholeCents, isRemitted: z.boolean() }),
    ),
    heldBackCents: wholeCents.describe('below zero where it was paid out of the reserve'),
    totalCents: wholeCents,
  }),
});
export type ClubStatement = z.infer<typeof retrieveClubStatement.output>;

/** Makes a spreadsheet of the whole statement. */
export const downloadClubStatement = consoleOperation({
  ...ofMonth,
  name: 'downloadClubStatement',
  path: '/club/statement/file',
  isSlow: true,
  audited: ['clubId', 'month'],
  words: "Saved a club's statement",
  example: { clubId: exampleId, month: '2026-11' },
  output: FileAnswer,
});
