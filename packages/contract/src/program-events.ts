import { z } from 'zod';
import { wholeCents } from './whole-cents.ts';

const timestamp = z.iso.datetime();
const clubId = z.uuid();
const day = z.iso.date();

const PayoutCleared = z.object({
  type: z.literal('payout.cleared'),
  timestamp,
  data: z.object({ payoutId: z.uuid(), clubId, reference: z.string(), amountCents: wholeCents }),
});
const DebitRunFinished = z.object({
  type: z.literal('debit.run.finished'),
  timestamp,
  data: z.object({ date: day, debits: z.int(), totalCents: wholeCents }),
});
const ClubChanged = z.object({
  type: z.literal('club.changed'),
  timestamp,
  data: z.object({ clubId }),
});
const SupporterCount = z.object({
  type: z.literal('supporter.count'),
  timestamp,
  data: z.object({ clubId, supporters: z.int().min(5).nullable().describe('null below five'), until: day }),
});

/** The body of an event that tests an endpoint. */
export const TestEvent = z.object({ type: z.literal('test'), timestamp, data: z.object({}) });

/** The body of an outgoing webhook. */
export const ProgramEvent = z.discriminatedUnion('type', [
  PayoutCleared,
  DebitRunFinished,
  ClubChanged,
  SupporterCount,
]);
export type ProgramEvent = z.infer<typeof ProgramEvent>;

export const EventType = z.enum(['payout.cleared', 'debit.run.finished', 'club.changed', 'supporter.count']);
export type EventType = z.infer<typeof EventType>;
