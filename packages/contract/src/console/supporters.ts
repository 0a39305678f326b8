import { z } from 'zod';
import { day } from '../day.ts';
import { UserRecord } from '../identity.ts';
import { Receipt, ReceiptOf } from '../receipts.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { FileAnswer } from './file.ts';
import { consoleOperation } from './operation.ts';
import { Paged, pageOverServers } from './paging.ts';

const lookers = ['owner', 'finance', 'support'] as const;
const helpers = ['owner', 'support'] as const;

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
  input: z.object({ supporterId }),
  output: SupporterDetails,
});

/** Everything that happened to a supporter, the newest first. */
export const retrieveTimeline = consoleOperation({
  name: 'retrieveTimeline',
  method: 'GET',
  path: '/supporters/timeline',
  allowed: lookers,
  readsOnly: true,
  input: z.object({ supporterId }),
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
  input: z.object({ hash: text(64).regex(/^[0-9a-f]{64}$/) }),
  output: z.object({ version: z.string(), content: z.string().describe('a paragraph or list item a line') }),
});

/** Lists receipts of months and statements of financial years that are over, the newest first. */
export const listSupporterReceipts = consoleOperation({
  name: 'listSupporterReceipts',
  method: 'GET',
  path: '/supporters/receipts',
  allowed: lookers,
  readsOnly: true,
  input: z.object({ supporterId }),
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
  input: ReceiptOf.extend({ supporterId }),
  output: FileAnswer,
});

const audited = ['supporterId'];
const reason = text(200).trim().min(1, 'Please say why');

export const pauseSupporter = consoleOperation({
  name: 'pauseSupporter',
  method: 'POST',
  path: '/supporters/pause',
  allowed: helpers,
  audited,
  input: z.object({ supporterId, until: day.optional() }),
  output: z.object({}),
});

export const resumeSupporter = consoleOperation({
  name: 'resumeSupporter',
  method: 'POST',
  path: '/supporters/resume',
  allowed: helpers,
  audited,
  input: z.object({ supporterId }),
  output: z.object({}),
});

/** Debits nothing from a supporter until they are released; round-ups still count. */
export const holdSupporter = consoleOperation({
  name: 'holdSupporter',
  method: 'POST',
  path: '/supporters/hold',
  allowed: helpers,
  audited,
  input: z.object({ supporterId, reason }),
  output: z.object({}),
});

export const releaseSupporter = consoleOperation({
  name: 'releaseSupporter',
  method: 'POST',
  path: '/supporters/release',
  allowed: helpers,
  audited,
  input: z.object({ supporterId, reason }),
  output: z.object({}),
});

export const sendPasswordReset = consoleOperation({
  name: 'sendPasswordReset',
  method: 'POST',
  path: '/supporters/password-reset',
  allowed: helpers,
  audited,
  input: z.object({ supporterId }),
  output: z.object({}),
});

/** Ends every session of a supporter, and lets nobody sign in until it is enabled again. */
export const disableSignIn = consoleOperation({
  name: 'disableSignIn',
  method: 'POST',
  path: '/supporters/disable-sign-in',
  allowed: helpers,
  isDangerous: true,
  audited,
  input: z.object({ supporterId, reason }),
  output: z.object({}),
});

export const enableSignIn = consoleOperation({
  name: 'enableSignIn',
  method: 'POST',
  path: '/supporters/enable-sign-in',
  allowed: helpers,
  isDangerous: true,
  audited,
  input: z.object({ supporterId, reason }),
  output: z.object({}),
});

/** Emails a supporter the way to their data, which only they can download. */
export const offerExport = consoleOperation({
  name: 'offerExport',
  method: 'POST',
  path: '/supporters/export',
  allowed: helpers,
  audited,
  input: z.object({ supporterId }),
  output: z.object({}),
});

/** Withdraws the consent and deletes what came from the bank: immediately, or as soon as no debit is under way. */
export const deleteBankData = consoleOperation({
  name: 'deleteBankData',
  method: 'POST',
  path: '/supporters/delete-bank-data',
  allowed: helpers,
  isDangerous: true,
  audited,
  input: z.object({ supporterId }),
  output: z.object({ isDeleted: z.boolean().describe('else the daily run deletes them') }),
});

export const closeSupporter = consoleOperation({
  name: 'closeSupporter',
  method: 'POST',
  path: '/supporters/close',
  allowed: helpers,
  isDangerous: true,
  audited,
  input: z.object({ supporterId }),
  output: z.object({ identity: z.enum(['removed', 'not ours']) }),
});
