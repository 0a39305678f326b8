import { wholeCents } from '@sparechange/contract';
import { noCents } from '@sparechange/domain';
import { z } from 'zod';

const day = z.iso.date();
const amountCents = wholeCents.positive();
const sum = z.object({ count: z.int().min(0), cents: wholeCents.min(0) });
/** Payments that complete although the supporter leaves. */
const underWay = {
  debits: sum,
  donations: sum,
  deposits: sum,
  refunds: sum.default({ count: 0, cents: noCents }), // absent in emails queued by earlier versions
  setAsideCents: wholeCents.min(0),
};

/** The facts of an email: all that is stored of it until it is sent, and never bank data. */
export const MailFacts = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome'), clubName: z.string(), roundsFrom: day }),
  z.object({ kind: z.literal('onboarding_reminder'), clubName: z.string() }),
  z.object({ kind: z.literal('consent_reminder'), expiresAt: z.iso.datetime(), expiresOn: day }),
  z.object({ kind: z.literal('bank_reminder'), endsOn: day }),
  z.object({ kind: z.literal('bank_ended'), endedOn: day }),
  z.object({ kind: z.literal('consent_expired'), linkUntil: z.iso.datetime(), endedOn: day }),
  z.object({ kind: z.literal('consent_withdrawn'), linkUntil: z.iso.datetime() }),
  z.object({
    kind: z.literal('debit_returned'),
    debit: z.enum(['round-up', 'donation']),
    amountCents,
    remedy: z.enum(['change the account', 'asked once more', 'nothing']),
  }),
  z.object({
    kind: z.literal('debit_reversed'),
    debit: z.enum(['round-up', 'donation']),
    amountCents,
    remedy: z.enum(['change the account', 'nothing']),
  }),
  z.object({ kind: z.literal('donation_refused'), amountCents }),
  z.object({
    kind: z.literal('debit_refunded'),
    debit: z.enum(['round-up', 'donation']),
    amountCents,
    clubName: z.string(),
  }),
  z.object({ kind: z.literal('mandate_cancelled') }),
  z.object({ kind: z.literal('account_missing'), isDebited: z.boolean(), isTracked: z.boolean() }),
  z.object({ kind: z.literal('paused_after_two_returns'), amountCents }),
  z.object({ kind: z.literal('donation_received'), amountCents, clubName: z.string() }),
  z.object({ kind: z.literal('savings_deposited'), amountCents, month: z.string().regex(/^\d{4}-\d{2}$/) }),
  z.object({ kind: z.literal('savings_account_refused'), amountCents }),
  z.object({ kind: z.literal('round_ups_resumed'), on: day }),
  z.object({ kind: z.literal('paused_by_you'), until: day.nullable(), ...underWay }),
  z.object({ kind: z.literal('debits_stopped'), ...underWay }),
  z.object({
    kind: z.literal('bank_data_deleted'),
    accounts: z.int().min(0),
    roundUps: z.int().min(0),
    droppedCents: wholeCents.min(0),
  }),
  z.object({ kind: z.literal('data_downloaded'), day }),
  z.object({ kind: z.literal('data_offered') }),
  z.object({ kind: z.literal('account_closed'), ...underWay }),
  z.object({ kind: z.literal('savings_account_changed'), receivesFrom: day.nullable() }),
  z.object({ kind: z.literal('funding_account_changed') }),
  z.object({ kind: z.literal('direct_debit_request'), agreedOn: day, textHash: z.string() }),
  z.object({ kind: z.literal('password_changed') }),
  z.object({ kind: z.literal('holder_decided'), isApproved: z.boolean() }),
  z.object({
    kind: z.literal('debit_notice'),
    run: day,
    amountCents: wholeCents.min(0),
    reference: z.string(), // of the debit to come, known ahead
    furtherReferences: z
      .array(z.string())
      .default([])
      .describe('of debits left over from a run before that go with it'),
    isUnusual: z.boolean().default(false).describe('for somebody who is mailed before unusual debits only'),
  }),
  z.object({
    kind: z.literal('debit_summary'),
    from: day,
    run: day.describe('the next one'),
    debits: z.int().min(0),
    debitedCents: wholeCents.min(0),
    nextCents: wholeCents.min(0),
  }),
]);
export type MailFacts = z.infer<typeof MailFacts>;
export type FactsOf<Kind extends MailFacts['kind']> = Extract<MailFacts, { kind: Kind }>;
