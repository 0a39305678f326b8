import { join } from 'node:path';
import { z } from 'zod';
import type { SandboxOptions } from './build-sandbox.ts';

const Port = z.coerce.number().int().min(1).max(65_535);

const Environment = z.object({
  APP_ENV: z.string().default('development'),
  SANDBOX_PORT: Port.default(4001),
  SANDBOX_SMTP_PORT: Port.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  EMBEDDED_FSYNC: z.enum(['on', 'off']).default('on'),
  SANDBOX_REDIRECT_URL: z.url().default('http://localhost:4000/consented'),
  BASIQ_API_KEY: z.string().min(1).default('sandbox-basiq-key'),
  BASIQ_WEBHOOK_URL: z.url().optional(),
  BASIQ_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  ZEPTO_TOKEN: z.string().min(1).default('sandbox-zepto-token'),
  ZEPTO_WEBHOOK_URL: z.url().optional(),
  ZEPTO_WEBHOOK_SECRET: z.string().min(1).optional(),
});

export interface Config {
  port: number;
  dataDir: string;
  sandbox: SandboxOptions & { smtpPort: number };
}

/** Reads the environment, or returns one sentence for all faults. */
export function readConfig(environment: NodeJS.ProcessEnv): Config | { refusal: string } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return { refusal: `The sandbox cannot start: ${faults.join('; ')}.` };
  }
  const env = parsed.data;
  if (env.APP_ENV === 'production') {
    return {
      refusal: 'The sandbox does not run in production (APP_ENV=production): it invents banks, payments and mail.',
    };
  }
  const pair = (url: string | undefined, secret: string | undefined) =>
    url === undefined || secret === undefined ? undefined : { url, secret };
  const basiq = pair(env.BASIQ_WEBHOOK_URL, env.BASIQ_WEBHOOK_SECRET);
  const zepto = pair(env.ZEPTO_WEBHOOK_URL, env.ZEPTO_WEBHOOK_SECRET);
  return {
    port: env.SANDBOX_PORT,
    dataDir: env.DATA_DIR,
    sandbox: {
      databaseFile: join(env.DATA_DIR, 'sandbox.sqlite'),
      waitsForDisk: env.EMBEDDED_FSYNC === 'on',
      redirectUrl: env.SANDBOX_REDIRECT_URL,
      basiqApiKey: env.BASIQ_API_KEY,
      zeptoToken: env.ZEPTO_TOKEN,
      smtpPort: env.SANDBOX_SMTP_PORT ?? env.SANDBOX_PORT + 1,
      origin: `http://localhost:${env.SANDBOX_PORT}`,
      webhooks: { ...(basiq === undefined ? {} : { basiq }), ...(zepto === undefined ? {} : { zepto }) },
    },
  };
}
