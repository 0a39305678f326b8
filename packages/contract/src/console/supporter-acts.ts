import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { consoleOperation, exampleId } from './operation.ts';

const supporterId = z.uuid();
const helpers = ['owner', 'support'] as const;
const audited = ['supporterId'];
const reason = text(200).trim().min(1, 'Please say why');

export const pauseSupporter = consoleOperation({
  name: 'pauseSupporter',
  method: 'POST',
  path: '/supporters/pause',
  allowed: helpers,
  audited,
  words: 'Paused a supporter',
  input: z.object({ supporterId, until: day.optional() }),
  example: { supporterId: exampleId, until: '2026-12-04' },
  output: z.object({}),
});

export const resumeSupporter = consoleOperation({
  name: 'resumeSupporter',
  method: 'POST',
  path: '/supporters/resume',
  allowed: helpers,
  audited,
  words: 'Resumed a supporter',
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
  output: z.object({}),
});

/** Debits nothing from a supporter until they are released; round-ups still count. */
export const holdSupporter = consoleOperation({
  name: 'holdSupporter',
  method: 'POST',
  path: '/supporters/hold',
  allowed: helpers,
  audited,
  words: 'Stopped debits of a supporter',
  input: z.object({ supporterId, reason }),
  example: { supporterId: exampleId, reason: 'asked' },
  output: z.object({}),
});

export const releaseSupporter = consoleOperation({
  name: 'releaseSupporter',
  method: 'POST',
  path: '/supporters/release',
  allowed: helpers,
  audited,
  words: 'Allowed debits of a supporter again',
  input: z.object({ supporterId, reason }),
  example: { supporterId: exampleId, reason: 'asked' },
  output: z.object({}),
});

export const sendPasswordReset = consoleOperation({
  name: 'sendPasswordReset',
  method: 'POST',
  path: '/supporters/password-reset',
  allowed: helpers,
  audited,
  words: 'Sent a password reset',
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
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
  words: "Disabled a supporter's sign-in",
  input: z.object({ supporterId, reason }),
  example: { supporterId: exampleId, reason: 'abused' },
  output: z.object({}),
});

export const enableSignIn = consoleOperation({
  name: 'enableSignIn',
  method: 'POST',
  path: '/supporters/enable-sign-in',
  allowed: helpers,
  isDangerous: true,
  audited,
  words: "Enabled a supporter's sign-in",
  input: z.object({ supporterId, reason }),
  example: { supporterId: exampleId, reason: 'settled' },
  output: z.object({}),
});

/** Emails a supporter the way to their data, which only they can download. */
export const offerExport = consoleOperation({
  name: 'offerExport',
  method: 'POST',
  path: '/supporters/export',
  allowed: helpers,
  audited,
  words: 'Sent a supporter a link to their data',
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
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
  words: "Deleted a supporter's bank data, or asked for it",
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
  output: z.object({ isDeleted: z.boolean().describe('else the daily run deletes them') }),
});

export const closeSupporter = consoleOperation({
  name: 'closeSupporter',
  method: 'POST',
  path: '/supporters/close',
  allowed: helpers,
  isDangerous: true,
  audited,
  words: 'Closed an account',
  input: z.object({ supporterId }),
  example: { supporterId: exampleId },
  output: z.object({ identity: z.enum(['removed', 'not ours']) }),
});
