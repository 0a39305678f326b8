import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';

const path = '/client/round-up/user';
const input = z.object({ userId: text(128).min(1) });

export const confirmEmail = operation({
  name: 'confirmEmail',
  method: 'POST',
  path: `${path}/confirm-email`,
  access: 'open',
  summary: 'Confirms an address with the token of a link that was mailed to it.',
  refusals: { 404: 'the token is not ours, or not for this address, or has ended' },
  input: z.object({ email: text(254).min(1), token: text(200).min(1) }),
  output: z.object({}),
});

export const endSession = operation({
  name: 'endSession',
  method: 'POST',
  path: `${path}/end-session`,
  access: 'supporter',
  summary: 'Logs the caller out: no token of this session counts afterwards.',
  input,
  output: z.object({}),
});

export const endEverySession = operation({
  name: 'endEverySession',
  method: 'POST',
  path: `${path}/end-every-session`,
  access: 'supporter',
  summary: 'Logs the caller out everywhere, here included.',
  input,
  output: z.object({}),
});
