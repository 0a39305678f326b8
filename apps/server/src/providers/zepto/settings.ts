import { z } from 'zod';
import type { ProviderSettings, Surroundings } from '#ports/provider-settings.ts';
import { callsPerSecond, webAddress } from '#providers/outgoing/variables.ts';

const variables = {
  ZEPTO_API_URL: webAddress.optional().describe('The API; unset, the sandbox.'),
  ZEPTO_TOKEN: z.string().min(1).optional().describe('A personal access token.'),
  ZEPTO_WEBHOOK_SECRET: z.string().min(1).optional().describe('Verifies notifications.'),
  ZEPTO_BANK_ACCOUNT_ID: z.uuid().optional().describe("Zepto's id of the account that collects."),
  ZEPTO_PAYOUT_BANK_ACCOUNT_ID: z
    .uuid()
    .optional()
    .describe('The account that payouts leave, where it is another one.'),
  ZEPTO_CALLS_PER_SECOND: callsPerSecond,
  ZEPTO_API_VERSION: z.string().default('20260101').describe('The version of the API that is asked for.'),
};

const sandboxSecrets = {
  ZEPTO_TOKEN: 'sandbox-zepto-token',
  ZEPTO_WEBHOOK_SECRET: 'sandbox-zepto-webhook',
};

export const zeptoSettings = {
  title: 'Payments by Zepto',
  variables,
  required: {
    ZEPTO_API_URL: 'the direct-debit provider; it would be the sandbox',
    ZEPTO_TOKEN: 'a default secret',
    ZEPTO_WEBHOOK_SECRET: 'a default secret',
    ZEPTO_BANK_ACCOUNT_ID:
      'the account that debits are collected into; where you have several, payments would be refused',
  },
  addresses: ['ZEPTO_API_URL'],
  secrets: {
    ZEPTO_TOKEN: (token) => Buffer.byteLength(token),
    ZEPTO_WEBHOOK_SECRET: (secret) => Buffer.byteLength(secret),
  },
  sandboxSecrets,
  sandboxPaths: ['zepto'],
} satisfies ProviderSettings;

export const readZeptoSettings = (env: z.output<z.ZodObject<typeof variables>>, { sandboxUrl }: Surroundings) => ({
  apiUrl: env.ZEPTO_API_URL ?? `${sandboxUrl}/zepto`,
  token: env.ZEPTO_TOKEN ?? sandboxSecrets.ZEPTO_TOKEN,
  webhookSecret: env.ZEPTO_WEBHOOK_SECRET ?? sandboxSecrets.ZEPTO_WEBHOOK_SECRET,
  apiVersion: env.ZEPTO_API_VERSION,
  callsPerSecond: env.ZEPTO_CALLS_PER_SECOND,
  bankAccountId: env.ZEPTO_BANK_ACCOUNT_ID,
  payoutBankAccountId: env.ZEPTO_PAYOUT_BANK_ACCOUNT_ID ?? env.ZEPTO_BANK_ACCOUNT_ID,
});
