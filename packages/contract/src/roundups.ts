import { z } from 'zod';
import { UserAnswer } from './identity.ts';
import { operation } from './operation.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';

export const setPaused = operation({
  name: 'setPaused',
  method: 'POST',
  path: `${path}/set-pause`,
  access: 'supporter',
  summary: 'Pauses or resumes round-ups; pending direct debits complete all the same.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({
    cdrid,
    isUserPausedRoundUp: z.boolean(),
    until: z.iso
      .date()
      .max(10)
      .optional()
      .describe('the day on which the pause ends automatically: from tomorrow, within a year'),
  }),
  output: UserAnswer,
});

export const setRoundUpAmount = operation({
  name: 'setRoundUpAmount',
  method: 'POST',
  path: `${path}/set-roundup-amount`,
  access: 'supporter',
  summary: 'Rounds up to the nearest $1, $2 or $5 from now on.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ roundupAmountCents: z.literal([100, 200, 500]), cdrid }),
  output: UserAnswer,
});

export const WeeklyMaximumLimit = z.literal([0, 750, 1000, 1250]).describe('cents a week; 0 means off');

export const setWeeklyLimit = operation({
  name: 'setWeeklyLimit',
  method: 'POST',
  path: `${path}/set-weekly-limit`,
  access: 'supporter',
  summary: 'Caps the round-ups of a week from now on.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid, weeklyMaximumLimit: WeeklyMaximumLimit }),
  output: UserAnswer,
});
