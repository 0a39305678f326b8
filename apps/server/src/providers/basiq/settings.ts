import { z } from 'zod';
import type { ProviderSettings, Surroundings } from '#ports/provider-settings.ts';
import { callsPerSecond, webAddress } from '#providers/outgoing/variables.ts';
import { keyOf } from './webhook.ts';

const variables = {
  BASIQ_API_URL: webAddress.optional().describe('The API; unset, the sandbox.'),
  BASIQ_CONSENT_URL: webAddress.optional().describe('The consent pages; unset, the sandbox.'),
  BASIQ_API_KEY: z.string().min(1).optional().describe('The API key, as Basiq shows it.'),
  BASIQ_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=]+$/, 'must look like whsec_…')
    .optional()
    .describe('Verifies notifications; looks like whsec_….'),
  BASIQ_CALLS_PER_SECOND: callsPerSecond,
};

const sandboxSecrets = {
  BASIQ_API_KEY: 'sandbox-basiq-key',
  BASIQ_WEBHOOK_SECRET: 'whsec_c2FuZGJveC1iYXNpcS13ZWJob29r',
};

export const basiqSettings = {
  title: 'Bank link (Basiq)',
  variables,
  required: {
    BASIQ_API_URL: 'the open-banking provider; it would be the sandbox',
    BASIQ_CONSENT_URL: "the open-banking provider's consent pages; they would be the sandbox's",
    BASIQ_API_KEY: 'a default secret',
    BASIQ_WEBHOOK_SECRET: 'a default secret',
  },
  addresses: ['BASIQ_API_URL', 'BASIQ_CONSENT_URL'],
  secrets: {
    BASIQ_API_KEY: (key) => Buffer.byteLength(key),
    BASIQ_WEBHOOK_SECRET: (secret) => keyOf(secret).length,
  },
  sandboxSecrets,
  sandboxPaths: ['basiq', 'home'],
} satisfies ProviderSettings;

export const readBasiqSettings = (env: z.output<z.ZodObject<typeof variables>>, { sandboxUrl }: Surroundings) => ({
  apiUrl: env.BASIQ_API_URL ?? `${sandboxUrl}/basiq`,
  consentUrl: env.BASIQ_CONSENT_URL ?? `${sandboxUrl}/home`,
  apiKey: env.BASIQ_API_KEY ?? sandboxSecrets.BASIQ_API_KEY,
  webhookSecret: env.BASIQ_WEBHOOK_SECRET ?? sandboxSecrets.BASIQ_WEBHOOK_SECRET,
  callsPerSecond: env.BASIQ_CALLS_PER_SECOND,
});
