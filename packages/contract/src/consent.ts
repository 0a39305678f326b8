import { z } from 'zod';
import { operation } from './operation.ts';

const cdrid = z.uuid();
const link = z.object({ consentLink: z.url() });
const path = '/client/round-up/user';

export const consent = operation({
  name: 'consent',
  method: 'POST',
  path: `${path}/consent`,
  access: 'supporter',
  summary: "A fresh link to the bank's consent pages. Never stored, never mailed.",
  input: z.object({ cdrid }),
  output: link,
});

export const manageConsent = operation({
  name: 'manageConsent',
  method: 'POST',
  path: `${path}/manage-consent`,
  access: 'supporter',
  summary: 'A fresh link to see, extend or withdraw the consent.',
  input: z.object({ cdrid }),
  output: link,
});

export const extendConsent = operation({
  name: 'extendConsent',
  method: 'POST',
  path: `${path}/consent-extend`,
  access: 'open',
  summary: 'A link to prolong the consent of an address; answers the same for an unknown one (design section 6).',
  input: z.object({ email: z.string().min(1).max(254), token: z.string().max(2000).optional() }),
  output: link,
});

export const renewExpiredConsent = operation({
  name: 'renewExpiredConsent',
  method: 'POST',
  path: `${path}/consent-expired`,
  access: 'open',
  summary: 'A link to consent again after expiry; answers the same for an unknown address.',
  input: extendConsent.input,
  output: link,
});

export const checkConsent = operation({
  name: 'checkConsent',
  method: 'POST',
  path: `${path}/check-consent`,
  access: 'supporter',
  summary: 'Whether the provider holds an active consent of the supporter.',
  input: z.object({ externalUserId: z.string().min(1).max(128) }),
  output: z.object({ activeConsents: z.boolean() }),
});

export const findJobs = operation({
  name: 'findJobs',
  method: 'POST',
  path: '/handlers/basiq/find-jobs',
  access: 'supporter',
  summary: "The supporter's newest bank-connection job; 404 when there is none.",
  input: z.object({ cdrid }),
  output: z.object({ jobId: z.string() }),
});

export const checkJob = operation({
  name: 'checkJob',
  method: 'POST',
  path: `${path}/check-job`,
  access: 'supporter',
  summary: 'How far a bank-connection job is: HTTP status 200 done, 202 pending, 409 when it failed at the bank.',
  input: z.object({ jobId: z.string().min(1).max(128), cdrid }),
  output: z.object({ status: z.literal([200, 202]) }),
});
