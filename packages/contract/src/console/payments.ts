import { parseTypedAmount } from '@sparechange/domain';
import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { FileAnswer } from './file.ts';
import { tablesOfSupporters } from './follows.ts';
import { consoleOperation, exampleId } from './operation.ts';
import { Paged, pageOverServers } from './paging.ts';

export const PaymentKind = z.enum(['debit', 'donation', 'deposit', 'remittance', 'repayment']);
export type PaymentKind = z.infer<typeof PaymentKind>;

/** A parked payment was sent, has no clear answer and is no longer asked about. */
export const PaymentState = z.enum([
  'planned',
  'submitting',
  'parked',
  'submitted',
  'cleared',
  'returned',
  'reversed',
  'refused',
  'deferred',
]);
export type PaymentState = z.infer<typeof PaymentState>;

const payment = {
  id: z.uuid(),
  kind: PaymentKind,
  reference: z.string(),
  amountCents: wholeCents,
  state: PaymentState,
  supporter: z.object({ id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
  club: z.object({ id: z.uuid(), name: z.string() }).nullable(),
};

export const ListedPayment = z.object({ ...payment, plannedOn: day });
export type ListedPayment = z.infer<typeof ListedPayment>;

/** Dollars as they are typed: 43.50, 43,50 or $1,043.50 (docs/rules.md#amounts-and-days). */
export const Dollars = text(20)
  .transform(parseTypedAmount)
  .refine((amount) => amount !== undefined && amount > 0, 'Please enter dollars such as 43.50');

const filter = {
  search: text(100).trim().optional().describe('a reference, name, e-mail address or mobile number'),
  kind: PaymentKind.optional(),
  state: PaymentState.optional(),
  amount: Dollars.optional(),
  from: day.optional(),
  to: day.optional(),
};
const listed = ['clubs', 'debits', 'deposits', 'remittances', 'repayments', 'supporters'];

/** A column that payments are sorted by; with a minus, its largest or last first. */
export const PaymentSort = z.enum(['planned', '-planned', 'kind', '-kind', 'amount', '-amount', 'state', '-state']);
export type PaymentSort = z.infer<typeof PaymentSort>;

/** Lists payments: all of them, one, or those of the people or clubs that a text finds. */
export const listPayments = consoleOperation({
  name: 'listPayments',
  method: 'GET',
  path: '/payments',
  allowed: ['owner', 'finance', 'support'],
  readsOnly: true,
  follows: listed,
  input: Paged.extend({ ...filter, sort: PaymentSort.default('-planned') }),
  output: pageOverServers(ListedPayment),
});

/** Payments of a kind, with their dollars. */
const PaymentSum = z.object({ kind: PaymentKind, payments: z.int(), cents: wholeCents });

/** Sums the payments of a filter by kind, over all of its pages. */
export const sumPayments = consoleOperation({
  name: 'sumPayments',
  method: 'GET',
  path: '/payments/sum',
  allowed: ['owner', 'finance', 'support'],
  readsOnly: true,
  follows: listed,
  input: z.object(filter),
  output: z.object({
    sums: z.array(PaymentSum),
    isCut: z.boolean().describe('there are more payments than are summed'),
    silentServers: z.array(z.string()),
  }),
});
export type PaymentSums = z.infer<typeof sumPayments.output>;

const instant = z.iso.datetime();
const instantOrNone = instant.nullable();

/** Another payment's relation to this one. */
export const Relation = z.enum(['repeats', 'repeated_by', 'refunded_by', 'refund_of', 'paid_to_club_by']);
export type Relation = z.infer<typeof Relation>;

export const PaymentTrace = z.object({
  ...payment,
  account: z.string().nullable().describe('masked'),
  savingsCents: wholeCents.nullable().describe('its part for savings'),
  refundsCents: wholeCents.nullable().describe('by which a debit is less: spare change of refunded purchases'),
  reason: z.string().nullable().describe('why it was given back'),
  providerReference: z.string().nullable(),
  returnCode: z.int().nullable(),
  failure: z.string().nullable(),
  lastAnswer: z.string().nullable(),
  attempts: z.int(),
  plannedAt: instant,
  submittingAt: instantOrNone,
  submittedAt: instantOrNone,
  unknownSince: instantOrNone,
  nextAttemptAt: instantOrNone,
  parkedAt: instantOrNone,
  outcomeAt: instantOrNone,
  purchases: z.array(z.object({ day, purchaseCents: wholeCents, countedCents: wholeCents })),
  hasMorePurchases: z.boolean(),
  isSecondReturn: z.boolean().describe('it asked again for what had come back with code 6'),
  related: z.array(
    z.object({
      relation: Relation,
      kind: PaymentKind,
      reference: z.string(),
      amountCents: wholeCents,
      state: PaymentState,
      plannedOn: day,
    }),
  ),
  entries: z.array(z.object({ bookedOn: day, transfer: z.string(), account: z.string(), cents: wholeCents })),
  mails: z.array(
    z.object({
      about: z.string(),
      queuedAt: instant,
      sentAt: instantOrNone,
      isGivenUp: z.boolean(),
      failure: z.string().nullable(),
    }),
  ),
  notes: z.array(z.object({ at: instant, action: z.string(), because: z.string().nullable() })),
  refundableCents: wholeCents.nullable().describe('what can still be given back; null where nothing ever is'),
  clubOwesCents: wholeCents,
  waiting: z.array(z.object({ id: z.uuid(), summary: z.string(), askedBy: z.string(), expiresOn: day })),
});
export type PaymentTrace = z.infer<typeof PaymentTrace>;

const reference = text(40).trim().min(1);

/** Traces one payment: what it is made of, what became of it, what was booked and emailed, and what waits. */
export const retrievePayment = consoleOperation({
  name: 'retrievePayment',
  method: 'GET',
  path: '/payments/one',
  allowed: ['owner', 'finance', 'support'],
  readsOnly: true,
  follows: [tablesOfSupporters, 'remittances', 'approvals', 'operators'],
  input: z.object({ reference }),
  example: { reference: 'RU0123456789ABCDEF' },
  output: PaymentTrace,
});

const because = text(200).trim().min(1, 'Please say why');
const mayAct = ['owner', 'finance'] as const;

/** Makes the dossier of a debit for a dispute: a ZIP of a PDF and JSON, both signed, and a page on how to check them. */
export const downloadDossier = consoleOperation({
  name: 'downloadDossier',
  method: 'GET',
  path: '/payments/dossier',
  allowed: mayAct,
  readsOnly: true,
  isSlow: true,
  audited: ['reference'],
  words: 'Saved the dossier of a debit',
  input: z.object({ reference }),
  example: { reference: 'RU0123456789ABCDEF' },
  output: FileAnswer,
});

/** Asks the provider again: it is found there, or sent once more. */
export const retryPayment = consoleOperation({
  name: 'retryPayment',
  method: 'POST',
  path: '/payments/retry',
  allowed: mayAct,
  isDangerous: true,
  audited: ['reference'],
  words: 'Asked a provider again for a payment',
  input: z.object({ reference }),
  example: { reference: 'RU0123456789ABCDEF' },
  output: z.object({ state: PaymentState }),
});

/** Stops asking about a payment without a clear answer. */
export const parkPayment = consoleOperation({
  name: 'parkPayment',
  method: 'POST',
  path: '/payments/park',
  allowed: mayAct,
  audited: ['reference', 'because'],
  words: 'Parked a payment',
  input: z.object({ reference, because }),
  example: { reference: 'RU0123456789ABCDEF', because: 'an outage' },
  output: z.object({}),
});

/** Gives up a payment that the provider does not have; by force, also where the provider does not answer. */
export const failPayment = consoleOperation({
  name: 'failPayment',
  method: 'POST',
  path: '/payments/fail',
  allowed: mayAct,
  isDangerous: true,
  audited: ['reference', 'because', 'force'],
  words: 'Marked a payment as failed',
  input: z.object({ reference, because, force: z.boolean().default(false) }),
  example: { reference: 'RU0123456789ABCDEF', because: 'never sent' },
  output: z.object({}),
});

/** Done, or waiting for a second person until a day. */
const DoneOrWaits = z.object({ waitsUntil: day.nullable() });

export const refundPayment = consoleOperation({
  name: 'refundPayment',
  method: 'POST',
  path: '/payments/refund',
  allowed: mayAct,
  isDangerous: true,
  audited: ['reference', 'amountCents', 'because'],
  words: 'Refunded a payment, or asked for it',
  input: z.object({
    reference,
    amountCents: wholeCents.positive(),
    because,
    requestId: z.uuid().describe('made by the page: the same one refunds once'),
  }),
  example: { reference: 'RU0123456789ABCDEF', amountCents: 100, because: 'a mistake', requestId: exampleId },
  output: DoneOrWaits,
});
