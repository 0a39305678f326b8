import { z } from 'zod';
import { operation } from './operation.ts';
import { wholeCents } from './whole-cents.ts';

const path = '/client/round-up/user';
const amount = wholeCents.min(0);
const sum = z.object({ count: z.int().min(0), cents: amount });
const notRegistered = { 404: 'the caller has not registered' };

/** Everything that offboarding would touch and that is under way; `whatStepDoes` of the domain puts it into words. */
export const OffboardingStatus = z.object({
  isPaused: z.boolean(),
  hasMandate: z.boolean().describe('a mandate is in effect'),
  hasConsent: z.boolean(),
  hasBankData: z.boolean().describe('accounts or purchases from the bank are kept'),
  debits: sum.describe('round-up debits at the payment provider: they complete'),
  donations: sum.describe('one-off donations at the payment provider: they complete'),
  donationsToCome: sum.describe('one-off donations not yet at the payment provider'),
  deposits: sum.describe('on their way into the savings account'),
  refunds: sum.describe('on their way back to the account that was debited'),
  waitingCents: amount.describe('counted and not debited'),
  setAsideCents: amount.describe('debited and still to be deposited into the savings account'),
});

const status = z.object({ status: OffboardingStatus });

/** A step of leaving: it may be taken again, answers how things stand after it, and waits for no provider. Each step writes its method and access itself, as the web app's build reads them there. */
const step = {
  refusals: notRegistered,
  input: z.object({ cdrid: z.uuid() }),
  output: status,
} as const;

export const retrieveOffboardingStatus = operation({
  ...step,
  method: 'POST',
  access: 'supporter',
  name: 'retrieveOffboardingStatus',
  path: `${path}/leaving`,
  summary: 'What offboarding would touch and what is still under way.',
  readsOnly: true,
});

export const stopDebits = operation({
  ...step,
  method: 'POST',
  access: 'supporter',
  name: 'stopDebits',
  path: `${path}/stop-debits`,
  summary: 'Cancels the mandate and pauses round-ups. Again it changes nothing (docs/decisions/leaving.md#six-steps).',
});

export const withdrawConsent = operation({
  ...step,
  method: 'POST',
  access: 'supporter',
  name: 'withdrawConsent',
  path: `${path}/withdraw-consent`,
  summary: "Withdraws the consent here and at the bank; the bank's data are deleted by the next daily run.",
});

export const deleteBankData = operation({
  ...step,
  method: 'POST',
  access: 'supporter',
  name: 'deleteBankData',
  path: `${path}/delete-bank-data`,
  summary: "Withdraws the consent and deletes the bank's data now, or as soon as the debits under way are done.",
});

export const downloadEverything = operation({
  ...step,
  method: 'POST',
  access: 'supporter',
  name: 'downloadEverything',
  path: `${path}/download-everything`,
  summary: 'Everything held about the caller, as JSON and CSV in one ZIP archive.',
  refusals: { ...notRegistered, 403: 'requires-recent-login: the sign-in is older than five minutes, once onboarded' },
  output: z.object({ fileName: z.string(), zip: z.string().describe('base64') }),
});

export const closeAccount = operation({
  ...step,
  method: 'POST',
  access: 'supporter',
  name: 'closeAccount',
  path: `${path}/close-account`,
  summary: 'Closes the account for good. The ID token has to be of a sign-in of the last five minutes.',
  refusals: { ...notRegistered, 403: 'requires-recent-login: the sign-in is older than five minutes' },
  output: status.extend({
    identity: z.enum(['removed', 'not ours']).describe('"not ours": the browser removes the Firebase user itself'),
  }),
});
