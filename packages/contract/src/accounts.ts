import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';

/** A bank account for the screens, its number masked. */
export const BankAccount = z.object({
  _id: z.uuid(),
  id: z.string().describe("the open-banking provider's account id"),
  name: z.string(),
  accountNumber: z.string().describe('masked: all but the last 4 as X'),
  activeRoundUpsEnabled: z.boolean(),
  activeDebitEnabled: z.boolean(),
  kind: z.string().optional().describe('as the provider names it: transaction, savings, credit-card, mortgage ...'),
  canFund: z.boolean().describe('whether direct debits can be taken from it'),
});
export type BankAccount = z.infer<typeof BankAccount>;

export const retrieveAccounts = operation({
  name: 'retrieveAccounts',
  method: 'POST',
  path: `${path}/retrieve-accounts`,
  access: 'supporter',
  summary: "Fetches the supporter's accounts from the bank; where there are none, `accounts` answers an empty list.",
  refusals: {
    404: 'the caller has not registered',
    409: 'no active bank connection',
    502: 'the bank cannot be reached',
  },
  input: z.object({ cdrid }),
  output: z.object({ status: z.literal(200) }),
});

export const accounts = operation({
  name: 'accounts',
  method: 'POST',
  path: `${path}/accounts`,
  access: 'supporter',
  summary: "The supporter's accounts as last fetched.",
  readsOnly: true,
  input: z.object({ userId: z.uuid().describe('the cdrid') }),
  output: z.object({ accountsData: z.object({ documents: z.array(BankAccount) }) }),
});

const tracked = z
  .array(z.object({ accountId: z.uuid().describe('the internal _id'), activeRoundUpsEnabled: z.boolean() }))
  .min(1)
  .max(100);

export const setRoundUpAccounts = operation({
  name: 'setRoundUpAccounts',
  method: 'POST',
  path: `${path}/set-roundup-accounts`,
  access: 'supporter',
  summary: 'Chooses the tracked accounts during onboarding; the list names every account once.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ RoundUpAccounts: tracked }),
  output: z.object({}),
});

export const updateRoundUpAccounts = operation({
  name: 'updateRoundUpAccounts',
  method: 'POST',
  path: `${path}/update-roundup-accounts`,
  access: 'supporter',
  summary: 'Changes the tracked accounts; the list names every account once.',
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ roundUpAccounts: tracked }),
  output: z.object({ results: z.array(z.object({ accountId: z.uuid(), activeRoundUpsEnabled: z.boolean() })) }),
});

export const registerFunding = operation({
  name: 'registerFunding',
  method: 'POST',
  path: `${path}/register-funding`,
  access: 'supporter',
  summary: 'Agrees to the direct debit request and chooses the account it is for.',
  refusals: {
    403: 'the sign-in is older than five minutes, once onboarded (requires-recent-login)',
    404: 'the caller has not registered',
    502: 'the payment service cannot be reached',
  },
  input: z.object({
    accountId: text(128).min(1).describe("the provider's account id"),
    account_id: z.uuid().describe('the internal _id'),
    tenantA: text(80),
    activeDebitEnabled: z.literal(true),
    cdrid,
  }),
  output: z.object({}),
});

export const updateFundingAccount = operation({
  name: 'updateFundingAccount',
  method: 'POST',
  path: `${path}/update-funding-account`,
  access: 'supporter',
  summary: 'Makes one account the only funding account; the list names every account once.',
  refusals: {
    403: 'the sign-in is older than five minutes, once onboarded (requires-recent-login)',
    502: 'the payment service cannot be reached',
  },
  input: z.object({
    cdrid,
    tenantA: text(80),
    accounts: z
      .array(z.object({ account_id: z.uuid(), accountId: text(128).min(1), activeDebitEnabled: z.boolean() }))
      .min(1)
      .max(100)
      .refine((list) => list.filter((account) => account.activeDebitEnabled).length === 1, {
        error: 'Exactly one account may be the funding account',
      }),
  }),
  output: z.object({}),
});
