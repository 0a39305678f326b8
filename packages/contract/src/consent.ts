import { z } from 'zod';
import { nonceForm } from './bank-state.ts';
import { operation } from './operation.ts';
import { text } from './text.ts';

const cdrid = z.uuid();
const link = z.object({ consentLink: z.url() });
const path = '/client/round-up/user';

export const consent = operation({
  name: 'consent',
  method: 'POST',
  path: `${path}/consent`,
  access: 'supporter',
  summary: "A fresh link to the bank's consent pages. Never stored, never mailed.",
  refusals: { 404: 'the caller has not registered', 502: 'the bank cannot be reached' },
  input: z.object({ cdrid }),
  output: link,
});

export const manageConsent = operation({
  name: 'manageConsent',
  method: 'POST',
  path: `${path}/manage-consent`,
  access: 'supporter',
  summary: 'A fresh link to see, extend or withdraw the consent.',
  refusals: { 404: 'the caller has not registered', 502: 'the bank cannot be reached' },
  input: z.object({ cdrid }),
  output: link,
});

export const extendConsent = operation({
  name: 'extendConsent',
  method: 'POST',
  path: `${path}/consent-extend`,
  access: 'open',
  summary: 'A link to prolong the consent of an address; answers the same for an unknown one.',
  input: z.object({ email: text(254).min(1), token: text(2000).optional() }),
  output: link.extend({
    renewal: z
      .object({
        left: z
          .enum(['consent', 'bank', 'nothing'])
          .describe("the step that is due: to prolong the consent, then to confirm the bank's own permission"),
        endsOn: z.iso.date().describe('the day on which the consent ends'),
        bankEndsOn: z.iso
          .date()
          .nullable()
          .describe("the day on which the first of the banks' own permissions ends; null where one has ended"),
      })
      .optional()
      .describe('how far the renewal is, while the consent is active; only for the recipient of the mailed token'),
  }),
});

export const renewExpiredConsent = operation({
  name: 'renewExpiredConsent',
  method: 'POST',
  path: `${path}/consent-expired`,
  access: 'open',
  summary: 'A link to consent again after expiry; answers the same for an unknown address.',
  input: extendConsent.input,
  output: extendConsent.output,
});

export const checkConsent = operation({
  name: 'checkConsent',
  method: 'POST',
  path: `${path}/check-consent`,
  access: 'supporter',
  summary: 'Whether the provider holds an active consent of the supporter.',
  refusals: { 404: 'the caller has not registered', 502: 'the bank cannot be reached' },
  input: z.object({ externalUserId: text(128).min(1) }),
  output: z.object({ activeConsents: z.boolean() }),
});

export const findJobs = operation({
  name: 'findJobs',
  method: 'POST',
  path: '/handlers/basiq/find-jobs',
  access: 'supporter',
  summary: "The supporter's newest bank-connection job; 404 when there is none.",
  refusals: { 404: 'no bank connection was begun', 502: 'the bank cannot be reached' },
  input: z.object({ cdrid }),
  output: z.object({ jobId: z.string() }),
});

export const confirmConnection = operation({
  name: 'confirmConnection',
  method: 'POST',
  path: `${path}/confirm-connection`,
  access: 'supporter',
  summary: "Accepts what came back from the bank's pages, in the session of the supporter who was sent there.",
  refusals: {
    403: 'the nonce or a job is not the caller’s',
    404: 'the caller has not registered',
    502: 'the bank cannot be reached',
  },
  input: z.object({
    cdrid,
    nonce: text(22).regex(nonceForm).describe('of `state` in the address'),
    jobIds: z.array(text(128).min(1)).min(1).max(10),
  }),
  output: z.object({}),
});

export const checkJob = operation({
  name: 'checkJob',
  method: 'POST',
  path: `${path}/check-job`,
  access: 'supporter',
  summary: 'How far a bank-connection job is: HTTP status 200 done, 202 pending, 409 when it failed at the bank.',
  refusals: {
    404: 'the caller has not registered',
    409: 'the connection failed at the bank; code bank-declined when the customer stopped there',
    502: 'the bank cannot be reached',
  },
  answers: { 200: 'the bank is connected', 202: 'not yet; ask again in 5 seconds' },
  input: z.object({ jobId: text(128).min(1), cdrid }),
  output: z.object({ status: z.literal([200, 202]) }),
});
