import { z } from 'zod';
import { UserAnswer } from './identity.ts';
import { operation } from './operation.ts';
import { SavingsAccountForm } from './savings-form.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';

export const setSavingsAccount = operation({
  name: 'setSavingsAccount',
  method: 'POST',
  path: `${path}/set-savings-account`,
  access: 'supporter',
  summary: 'Turns the savings half on or off.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ cdrid, savingsAccountEnabled: z.boolean() }),
  output: UserAnswer,
});

export const submitSavingsAccount = operation({
  name: 'submitSavingsAccount',
  method: 'POST',
  path: `${path}/submit-savings-account`,
  access: 'supporter',
  summary: 'Links the account that receives 50% of round-ups, deposited monthly.',
  refusals: {
    403: 'the sign-in is older than five minutes, once onboarded (requires-recent-login)',
    404: 'the caller has not registered',
  },
  input: z.object({ cdrid, values: SavingsAccountForm }),
  output: z.object({}),
});

export const SavingsProblem = z
  .enum(['account_refused', 'number_too_long'])
  .describe('why it receives nothing until another one is linked');

export const retrieveLinkedSavings = operation({
  name: 'retrieveLinkedSavings',
  method: 'POST',
  path: `${path}/linked-savings`,
  access: 'supporter',
  summary: 'The linked savings account, its number masked; null when there is none.',
  readsOnly: true,
  input: z.object({ userId: z.uuid().describe('the cdrid') }),
  output: z.object({
    savingsAccount: z.object({
      document: z
        .object({
          accountName: z.string(),
          accountNumber: z.string(),
          receivesFrom: z.iso.date().nullish().describe('the first day of deposits, after a change'),
          problem: SavingsProblem.nullish(),
        })
        .nullable(),
    }),
  }),
});
