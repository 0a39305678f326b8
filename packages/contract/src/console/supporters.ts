import { z } from 'zod';
import { UserRecord } from '../identity.ts';
import { Receipt, ReceiptOf } from '../receipts.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { FileAnswer } from './file.ts';
import { tablesOfSupporters } from './follows.ts';
import { consoleOperation, exampleId } from './operation.ts';
import { Paged, pageOverServers } from './paging.ts';

const lookers = ['owner', 'finance', 'support'] as const;

export const FoundSupporter = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  mobile: z.string(),
  tenant: z.string(),
  club: z.string(),
  onboardedOn: z.iso.date().nullable(),
  isClosed: z.boolean(),
  isOnHold: z.boolean().describe('kept from being debited by an operator'),
  isPaused: z.boolean(),
});
export type FoundSupporter = z.infer<typeof FoundSupporter>;

export const SupporterFilterState = z.enum(['on_hold']).describe('kept from being debited by an operator');
export type SupporterFilterState = z.infer<typeof SupporterFilterState>;

/** Finds supporters, by name; without words it lists them by registration, the newest first. */
export const listSupporters = consoleOperation({
  name: 'listSupporters',
  method: 'GET',
  path: '/supporters',
  allowed: lookers,
  readsOnly: true,
  follows: ['clubs', 'debit_holds', 'pauses', 'supporters'],
  input: Paged.extend({
    after: text(60)
      .regex(/^\d{1,5}$|^\d{1,13}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      .optional(),
    search: text(100)
      .trim()
      .optional()
      .describe('an address, mobile number, id, reference on a bank statement, or beginnings of names'),
    state: SupporterFilterState.optional(),
  }),
  output: pageOverServers(FoundSupporter),
});

const supporterId = z.uuid();
const sum = z.object({ count: z.number(), cents: wholeCents });

export const SupporterDetails = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  isEmailProven: z.boolean(),
  isSignInDisabled: z.boolean().nullable().describe('null of a closed account, and with a Firebase project'),
  bounce: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable().describe('the address refused a mail'),
  mobile: z.string(),
  tenant: z.string(),
  club: z.string(),
  registeredAt: z.iso.datetime(),
  onboardedOn: z.iso.date().nullable(),
  closedOn: z.iso.date().nullable(),
  today: z.iso.date().describe("the product's day"),
  record: UserRecord.pick({
    isConsent: true,
    isUserPausedRoundUp: true,
    pausedUntil: true,
    roundupAmountCents: true,
    weeklyMaximumLimit: true,
    savingsAccountEnabled: true,
    consentHealth: true,
    nextDebit: true,
    campaignEnded: true,
    waitsForAccountCents: true,
    waitsForResumeCents: true,
    whyNoAccount: true,
    tracksNoAccount: true,
    isOnHold: true,
  }),
  hold: z.object({ since: z.iso.datetime(), because: z.string() }).nullable(),
  accounts: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      maskedNumber: z.string(),
      isDebited: z.boolean(),
      isTracked: z.boolean(),
      isListed: z.boolean(),
    }),
  ),
  pending: z.object({
    debits: sum,
    donations: sum,
    donationsToCome: sum,
    deposits: sum,
    refunds: sum,
    waitingCents: wholeCents,
    setAsideCents: wholeCents,
  }),
});
export type SupporterDetails = z.infer<typeof SupporterDetails>;

export const retrieveSupporter = consoleOperation({
  name: 'retrieveSupporter',
  method: 'GET',
  path: '/supporters/one',
  allowed: lookers,
  readsOnly: true,
  follows: [tablesOfSupporters],
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
  output: SupporterDetails,
});

/** Everything that happened to a supporter, the newest first. */
export const retrieveTimeline = consoleOperation({
  name: 'retrieveTimeline',
  method: 'GET',
  path: '/supporters/timeline',
  allowed: lookers,
  readsOnly: true,
  follows: [tablesOfSupporters],
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
  output: z.object({
    events: z.array(
      z.object({
        number: z.number().describe('from the first of all on'),
        at: z.iso.datetime(),
        on: z.iso.date().nullable().describe('set where the day alone is known'),
        sentence: z.string(),
        textHash: z.string().nullable().describe('names the direct debit request that was agreed to'),
      }),
    ),
    leftOut: z.number().describe('older ones'),
    isWhole: z.boolean().describe('no entry of the audit log about them is changed or missing'),
  }),
});

/** Returns a direct debit request as it was agreed to, for a bank that asks or a dispute. */
export const retrieveRequestText = consoleOperation({
  name: 'retrieveRequestText',
  method: 'GET',
  path: '/supporters/request-text',
  allowed: lookers,
  readsOnly: true,
  follows: 'nothing',
  input: z.object({ hash: text(64).regex(/^[0-9a-f]{64}$/) }),
  example: { hash: '0'.repeat(64) },
  output: z.object({ version: z.string(), content: z.string().describe('a paragraph or list item a line') }),
});

/** Lists receipts of months and statements of financial years that are over, the newest first. */
export const listSupporterReceipts = consoleOperation({
  name: 'listSupporterReceipts',
  method: 'GET',
  path: '/supporters/receipts',
  allowed: lookers,
  readsOnly: true,
  follows: [tablesOfSupporters],
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
  output: z.object({ receipts: z.array(Receipt) }),
});
export type SupporterReceipt = z.infer<typeof Receipt>;

/** Makes the PDF of one, which is issued where nobody has asked for it before. */
export const downloadSupporterReceipt = consoleOperation({
  name: 'downloadSupporterReceipt',
  method: 'GET',
  path: '/supporters/receipts/file',
  allowed: lookers,
  readsOnly: true,
  isSlow: true,
  audited: ['supporterId', 'kind', 'firstDay'],
  words: "Saved a supporter's receipt",
  input: ReceiptOf.extend({ supporterId }),
  example: { supporterId: exampleId, kind: 'month', firstDay: '2026-10-01' },
  output: FileAnswer,
});
