import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';

const path = '/client/round-up/user';

export const createHandoff = operation({
  name: 'createHandoff',
  method: 'POST',
  path: `${path}/create-handoff`,
  access: 'supporter',
  summary:
    "A code that opens a session for the caller at another tenant's host: good once, there alone, for 60 seconds.",
  refusals: {
    400: 'the host is not one of ours',
    409: 'a Firebase project signs people in: let the host ask them to verify',
  },
  input: z.object({
    userId: text(128).min(1),
    host: text(260).min(1).describe('where the browser goes next, with the port where there is one'),
  }),
  output: z.object({ handoff: z.string() }),
});

const secret = text(100).min(1);
const challenge = text(43)
  .regex(/^[\w-]{43}$/)
  .describe('the SHA-256 of the verifier, in base64url');

export const confirmHandoff = operation({
  name: 'confirmHandoff',
  method: 'POST',
  path: `${path}/confirm-handoff`,
  access: 'supporter',
  summary: 'Lets the browser that made the challenge, and no other, exchange a code of the caller.',
  refusals: { 403: 'the code is not of the caller, was confirmed before, or has ended' },
  input: z.object({ userId: text(128).min(1), handoff: secret, challenge }),
  output: z.object({}),
});

export const exchangeHandoff = operation({
  name: 'exchangeHandoff',
  method: 'POST',
  path: `${path}/exchange-handoff`,
  access: 'open',
  summary:
    'At the host that the code is for, in the browser that asked for it: a token for signInWithCustomToken. Anyone without a code is asked to verify.',
  refusals: { 403: 'the code was used, has ended with its session, or is for another host or browser' },
  input: z.object({
    handoff: secret,
    verifier: text(100).default('').describe('what the challenge was made of; without one nothing is opened'),
  }),
  output: z.object({ customToken: z.string() }),
});
