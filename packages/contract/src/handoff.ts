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

export const exchangeHandoff = operation({
  name: 'exchangeHandoff',
  method: 'POST',
  path: `${path}/exchange-handoff`,
  access: 'open',
  summary:
    'At the host that the code is for: a token for signInWithCustomToken. Whoever has no code is asked to verify.',
  refusals: { 403: 'the code was used, has ended, or is for another host' },
  input: z.object({ handoff: text(100).min(1) }),
  output: z.object({ customToken: z.string() }),
});
