import { z } from 'zod';
import { pageFacts, programFacts, shapeOf } from './club-facts.ts';
import { day as calendarDay } from './day.ts';
import type { Operation } from './operation.ts';
import { wholeCents } from './whole-cents.ts';

/** The permissions of an API key. */
export const KeyScope = z.enum(['read_clubs', 'read_payouts', 'read_totals', 'write_clubs']);
export type KeyScope = z.infer<typeof KeyScope>;

/** An operation of programs, which show an API key instead of a tenant's key and an ID token. */
export interface ProgramOperation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType>
  extends Pick<Operation<Input, Output>, 'name' | 'input' | 'output' | 'summary' | 'refusals'> {
  method: 'GET' | 'PATCH';
  /** Below /api; what stands in braces is a field of the input. */
  path: string;
  access: 'program';
  scope: KeyScope;
}

const operation = <Input extends z.ZodType, Output extends z.ZodType>(
  definition: Omit<ProgramOperation<Input, Output>, 'access'>,
): ProgramOperation<Input, Output> => ({ ...definition, access: 'program' });

const day = z.iso.date().describe('a day in Sydney');
const supporters = z.int().min(5).nullable().describe('null below five');
const noSuchClub = 'the key sees no such club';
const noSuchPayout = 'the key sees no such payout';

/** Where a page ended: opaque, and good for as long as anybody likes. */
export const Cursor = z
  .string()
  .length(22)
  .regex(/^[\w-]+$/);

const paging = {
  cursor: Cursor.optional().describe('`next` of the page before; the first page without it'),
  limit: z.coerce.number<number>().int().min(1).max(100).default(50),
};
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: Cursor.nullable().describe('null on the last page') });

export const ProgramClub = z.object({
  id: z.uuid(),
  ...shapeOf(programFacts, 'stored'),
  endsOn: day.nullable().describe('from which it takes no more gifts; null while no end is known'),
  supporters,
});
export type ProgramClub = z.infer<typeof ProgramClub>;

const payout = {
  id: z.uuid(),
  clubId: z.uuid(),
  reference: z.string().describe("as shown on the club's bank statement"),
  paidOn: day,
  state: z
    .enum(['planned', 'submitting', 'submitted', 'cleared', 'returned', 'reversed', 'refused'])
    .describe('reversed: returned after it had cleared'),
  amountCents: wholeCents,
  outcomeAt: z.iso.datetime().nullable().describe('when it cleared, came back or was refused'),
};
export const ProgramPayout = z.object(payout);
export type ProgramPayout = z.infer<typeof ProgramPayout>;

const PayoutLine = z.object({
  kind: z.enum(['day', 'correction', 'reserve']),
  day: day.nullable().describe('on which it cleared, or was corrected'),
  supporters,
  grossCents: wholeCents,
  returnedCents: wholeCents.describe('cleared before, and taken back by a bank or refunded'),
  savingsCents: wholeCents.describe('put aside by supporters for themselves'),
  netCents: wholeCents.describe('gross less returned and savings, or the adjustment'),
});
export type PayoutLine = z.infer<typeof PayoutLine>;

export const ProgramTotals = z.object({
  clubId: z.uuid(),
  collectedCents: wholeCents.describe('cleared, less what was taken back'),
  correctedCents: wholeCents,
  payableCents: wholeCents.describe('for the next payouts; below zero: owed by the club'),
  reservedCents: wholeCents,
  inTransitCents: wholeCents,
  remittedCents: wholeCents,
  supporters,
  until: day.nullable().describe('the last day that is counted'),
});
export type ProgramTotals = z.infer<typeof ProgramTotals>;

export const listClubs = operation({
  name: 'listClubs',
  method: 'GET',
  path: '/v1/clubs',
  scope: 'read_clubs',
  summary: 'The clubs that the key sees.',
  input: z.object({ ...paging, parentId: z.uuid().optional() }),
  output: pageOf(ProgramClub),
});

export const getClub = operation({
  name: 'getClub',
  method: 'GET',
  path: '/v1/clubs/{id}',
  scope: 'read_clubs',
  summary: 'One club.',
  refusals: { 404: noSuchClub },
  input: z.object({ id: z.uuid() }),
  output: ProgramClub,
});

/** The texts of a club's public page that a program may write; null empties one. */
export const ClubChanges = z.object(shapeOf(pageFacts, 'given'));
export type ClubChanges = z.infer<typeof ClubChanges>;

export const updateClub = operation({
  name: 'updateClub',
  method: 'PATCH',
  path: '/v1/clubs/{id}',
  scope: 'write_clubs',
  summary: "Changes what a club's public page says; what is left out stays.",
  refusals: { 404: noSuchClub },
  input: ClubChanges.extend({ id: z.uuid() }),
  output: ProgramClub,
});

export const listPayouts = operation({
  name: 'listPayouts',
  method: 'GET',
  path: '/v1/payouts',
  scope: 'read_payouts',
  summary: 'The payouts to the clubs that the key sees, the oldest first.',
  input: z.object({ ...paging, clubId: z.uuid().optional(), from: calendarDay.optional(), to: calendarDay.optional() }),
  output: pageOf(ProgramPayout),
});

export const getPayout = operation({
  name: 'getPayout',
  method: 'GET',
  path: '/v1/payouts/{id}',
  scope: 'read_payouts',
  summary: 'One payout and its lines, which add up to it.',
  refusals: { 404: noSuchPayout },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    ...payout,
    lines: z.array(PayoutLine).nullable().describe('null until it was sent to the bank'),
  }),
});

export const listTotals = operation({
  name: 'listTotals',
  method: 'GET',
  path: '/v1/totals',
  scope: 'read_totals',
  summary: 'What each club that the key sees was given, was paid and is still to be paid.',
  input: z.object({ ...paging, clubId: z.uuid().optional() }),
  output: pageOf(ProgramTotals),
});

/** Every operation of programs, by its name. */
export const programOperations = {
  listClubs,
  getClub,
  updateClub,
  listPayouts,
  getPayout,
  listTotals,
} satisfies Record<string, ProgramOperation>;
