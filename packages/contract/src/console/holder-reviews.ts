import { z } from 'zod';
import { text } from '../text.ts';
import { consoleOperation, exampleId } from './operation.ts';
import { Paged, pageOverServers } from './paging.ts';

/** An account to be debited in a name that is not the supporter's, which waits for a decision. */
export const HolderReview = z.object({
  id: z.uuid().describe("the account's"),
  supporterId: z.uuid(),
  name: z.string().describe("the supporter's"),
  email: z.string(),
  accountName: z.string(),
  maskedNumber: z.string(),
  askedAt: z.iso.datetime(),
});
export type HolderReview = z.infer<typeof HolderReview>;

/** Lists accounts in another name that wait for a decision, the longest waiting first. */
export const listHolderReviews = consoleOperation({
  name: 'listHolderReviews',
  method: 'GET',
  path: '/holder-reviews',
  allowed: ['owner', 'finance', 'support'],
  readsOnly: true,
  follows: ['holder_reviews', 'accounts', 'supporters'],
  input: Paged.extend({
    after: text(100)
      .regex(/^\d{1,13}(?:\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}){2}$/)
      .optional(),
  }),
  output: pageOverServers(HolderReview),
});

const deciders = ['owner', 'finance'] as const;
const input = z.object({ supporterId: z.uuid(), accountId: z.uuid() });
const audited = ['supporterId', 'accountId'];

/** Asks the bank whose name is on an account awaiting review; null where it names nobody. The answer is not kept. */
export const lookUpAccountHolder = consoleOperation({
  name: 'lookUpAccountHolder',
  method: 'GET',
  path: '/holder-reviews/holder',
  allowed: deciders,
  readsOnly: true,
  isSlow: true,
  audited,
  words: 'Asked a bank whose name is on an account',
  input,
  example: { supporterId: exampleId, accountId: exampleId },
  output: z.object({ holder: z.string().nullable() }),
});

/** Allows an account in another name as the funding account once the supporter chooses it, and emails them. */
export const approveHolderReview = consoleOperation({
  name: 'approveHolderReview',
  method: 'POST',
  path: '/holder-reviews/approve',
  allowed: deciders,
  isDangerous: true,
  audited,
  words: 'Approved an account in another name',
  input,
  example: { supporterId: exampleId, accountId: exampleId },
  output: z.object({}),
});

/** Refuses an account in another name for good, and emails the supporter. */
export const refuseHolderReview = consoleOperation({
  name: 'refuseHolderReview',
  method: 'POST',
  path: '/holder-reviews/refuse',
  allowed: deciders,
  isDangerous: true,
  audited,
  words: 'Refused an account in another name',
  input,
  example: { supporterId: exampleId, accountId: exampleId },
  output: z.object({}),
});
