import { z } from 'zod';

const day = z.iso.date();
const amountCents = z.int().positive();

/** What a mail is about: all that is kept of it until it is sent, and never bank data. */
export const MailFacts = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome'), clubName: z.string(), roundsFrom: day }),
  z.object({ kind: z.literal('consent reminder'), expiresAt: z.iso.datetime(), expiresOn: day }),
  z.object({ kind: z.literal('consent expired'), linkUntil: z.iso.datetime(), endedOn: day }),
  z.object({ kind: z.literal('consent withdrawn'), linkUntil: z.iso.datetime() }),
  z.object({
    kind: z.literal('debit returned'),
    debit: z.enum(['round-up', 'donation']),
    amountCents,
    remedy: z.enum(['change the account', 'asked once more', 'nothing']),
  }),
  z.object({ kind: z.literal('paused after two returns'), amountCents }),
  z.object({ kind: z.literal('donation received'), amountCents, clubName: z.string() }),
  z.object({ kind: z.literal('savings deposited'), amountCents, month: z.string().regex(/^\d{4}-\d{2}$/) }),
  z.object({ kind: z.literal('round-ups resumed'), on: day }),
  z.object({
    kind: z.literal('next debit'),
    run: day,
    amountCents,
    reference: z.string(), // of the debit to come, known ahead (migration 0011-a)
  }),
]);
export type MailFacts = z.infer<typeof MailFacts>;
export type FactsOf<Kind extends MailFacts['kind']> = Extract<MailFacts, { kind: Kind }>;
