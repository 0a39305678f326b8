import { z } from 'zod';
import { parseIdentityKeys } from '#identity/signing-keys.ts';
import { paymentProviders, providerVariables } from '#providers/registry.ts';
import { writtenKeys } from '#secrets/data-key.ts';
import { dkimVariables } from './dkim.ts';
import { isProxyList } from './trusted-networks.ts';

const port = z.coerce.number().int().min(1).max(65_535);
const url = z.url({ protocol: /^https?$/ });

/** Returns whether a text parses; errors might repeat the text. */
const reads = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
};

const mailbox = '[^\\s<>@]+@[^\\s<>@]+';

/** Describes every variable; defaults missing here are set in config.ts. */
export const Environment = z.object({
  APP_ENV: z.enum(['development', 'production']).default('development'),
  PORT: port.default(4000),
  HOST: z.string().default('127.0.0.1'),
  /** Time for which calls are still served after SIGTERM, while a proxy learns from /readyz to send them elsewhere. */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).default(0),
  SANDBOX_PORT: port.optional(),
  SANDBOX_SMTP_PORT: port.optional(),
  SANDBOX: z.enum(['on', 'off']).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  /** File of audit-log checkpoints; below DATA_DIR when absent. */
  AUDIT_CHECKPOINT_FILE: z.string().min(1).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** For migrations only: the product's role owns nothing append-only. */
  DATABASE_OWNER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Most connections per process. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(8).max(500).default(16),
  /** Schemas that supporters are divided into when a database is made; the number never changes. */
  BUCKETS: z.coerce.number().int().min(1).max(64).optional(),
  /** `citus`: a Citus cluster holds the buckets. */
  DATABASE_ENGINE: z.enum(['postgres', 'citus']).default('postgres'),
  /** Supporters a worker asks the bank link about concurrently. */
  WORK_IN_FLIGHT: z.coerce.number().int().min(1).max(256).default(60),
  /** Statement limit in seconds, 0 for none; default in db/limits.ts. */
  DATABASE_STATEMENT_SECONDS: z.coerce.number().int().min(0).max(86_400).optional(),
  /** `off` for tests: the embedded database and the sandbox no longer wait for the disk; production refuses it. */
  EMBEDDED_FSYNC: z.enum(['on', 'off']).default('on'),
  PRODUCT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .optional(),
  PRODUCT_URL: url.optional(),
  TENANT_RULE: z.enum(['provider-domain', 'product-host']).default('provider-domain'),
  MAIN_TENANT: z.string().default('sparechange'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  DATA_KEY: z
    .string()
    .regex(writtenKeys, 'must be 64 hexadecimal digits, or several such keys with commas between them')
    .optional(),
  STATEMENT_NAME: z
    .string()
    .regex(/^[A-Z0-9 ]{3,16}$/, 'must be 3 to 16 capital letters, digits or spaces')
    .default('SPARECHANGE'),
  /** Chooses the provider of payments. */
  PAYMENTS: z.enum(paymentProviders).default(paymentProviders[0]),
  ...providerVariables,
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .refine((text) => !new URL(text).search, 'must end with the host and its port')
    .refine(
      reads((text) => decodeURIComponent(`${new URL(text).username}${new URL(text).password}`)),
      'has a % in its user or password that is not written as %25',
    )
    .optional(),
  SMTP_TLS: z.enum(['required', 'if-offered']).optional(),
  ...dkimVariables,
  /** Days between a consent's expiry and deletion of bank data. */
  DEBIT_COST_CENTS: z.coerce.number().int().min(0).max(1000).default(0),
  BANK_DATA_GRACE_DAYS: z.coerce.number().int().min(0).max(365).default(30),
  /** Days for which the records of finished emails, notifications and tasks are kept; an email's keep it from being sent twice. */
  MAILS_KEPT_DAYS: z.coerce.number().int().min(400).max(36_500).default(800),
  NOTIFICATIONS_KEPT_DAYS: z.coerce.number().int().min(7).max(36_500).default(90),
  TASK_RUNS_KEPT_DAYS: z.coerce.number().int().min(7).max(36_500).default(400),
  MAIL_FROM: z
    .string()
    .regex(new RegExp(`^(${mailbox}|[^<>\\r\\n]+ <${mailbox}>)$`), 'must look like Sparechange <hello@giving.example>')
    .optional(),
  /** The organisation's own sign-in to the console, by OpenID Connect. */
  CONSOLE_OIDC_ISSUER: url.optional(),
  CONSOLE_OIDC_CLIENT_ID: z.string().min(1).optional(),
  CONSOLE_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  CONSOLE_OIDC_NAME: z.string().min(1).max(40).default('your organisation'),
  /** Given by the Australian Business Register; without it ABNs are not looked up. */
  ABN_LOOKUP_GUID: z.string().min(1).optional(),
  ABN_LOOKUP_URL: url.default('https://abr.business.gov.au/json/AbnDetails.aspx'),
  /** The envelope's sender, which mail servers send their reports to. */
  MAIL_BOUNCES_TO: z.email().optional(),
  /** The address that alarms are emailed to. */
  OPERATOR_MAIL: z.email().optional(),
  IDENTITY_KEYS: z
    .string()
    .refine(reads(parseIdentityKeys), 'must be RSA keys as PEM, JWK or JWK set, the first of them private')
    .optional(),
  TRUSTED_PROXY: z.string().refine(isProxyList, 'must be addresses or networks with commas between them').optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** The address that spans are sent to by OTLP over HTTP; none are made without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('sparechange'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  RATE_LIMIT_FACTOR: z.coerce.number().min(0).max(1_000_000).default(1),
  FIREBASE_API_KEY: z.string().optional(),
  FIREBASE_AUTH_DOMAIN: z.string().optional(),
  FIREBASE_PROJECT_ID: z.string().optional(),
  FIREBASE_STORAGE_BUCKET: z.string().optional(),
  FIREBASE_MESSAGING_SENDER_ID: z.string().optional(),
  FIREBASE_APP_ID: z.string().optional(),
  FIREBASE_MEASUREMENT_ID: z.string().optional(),
  FIREBASE_KEYS_URL: url.optional(),
});
