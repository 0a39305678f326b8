import { join } from 'node:path';
import { cents } from '@sparechange/domain';
import { StartProblem } from '#errors.ts';
import { readProviderSettings } from '#providers/registry.ts';
import { defaultBuckets, problemsOfBuckets } from './buckets.ts';
import { dkimSettings, problemsOfDkim } from './dkim.ts';
import { Environment } from './environment.ts';
import { problemsOfSingleSignOn, productionProblems } from './missing-settings.ts';

/** Variables whose value a message must not repeat. */
const holdsSecret = (name: string): boolean => /KEY|TOKEN|SECRET|DATABASE_URL|DATABASE_OWNER_URL|SMTP_URL/.test(name);

/** All problems of the environment together. */
export class ConfigProblem extends Error {
  override name = 'ConfigProblem';
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Returns the console's address: on a host of its own, or beside the product where that is this machine. */
function consoleAddress(productUrl: string, productDomain: string): string {
  const address = new URL('/console', productUrl);
  if (address.hostname !== 'localhost') address.hostname = `console.${productDomain}`;
  return address.href;
}

export type Config = ReturnType<typeof parseConfig>;

/** Reads the environment; throws ConfigProblem naming every wrong variable, and StartProblem for buckets on several servers. */
export function parseConfig(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  if (given.BUCKET_SERVERS)
    throw new StartProblem(
      'BUCKET_SERVERS is set, and buckets are kept on the server of DATABASE_URL alone: bring them back to it with the version before this one (ops buckets move), or go to Citus with DATABASE_ENGINE=citus, and take the setting away.',
    );
  const parsed = Environment.safeParse(given);
  const malformed = (parsed.error?.issues ?? []).map(({ path: [variable], message }) => {
    const name = String(variable);
    return `${name}=${holdsSecret(name) ? '(hidden)' : given[name]}: ${message}`;
  });
  const lacksFirebaseKey = Boolean(given.FIREBASE_PROJECT_ID && !given.FIREBASE_API_KEY);
  const problems = [
    ...malformed,
    ...problemsOfBuckets(given),
    ...problemsOfSingleSignOn(given),
    ...problemsOfDkim(given),
    ...(lacksFirebaseKey
      ? ['FIREBASE_API_KEY is not set: browsers open the project of FIREBASE_PROJECT_ID with it']
      : []),
    ...(given.APP_ENV === 'production' ? productionProblems(given) : []),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigProblem(problems);
  const env = parsed.data;
  const sandboxPort = env.SANDBOX_PORT ?? env.PORT + 1;
  const smtpPort = env.SANDBOX_SMTP_PORT ?? sandboxPort + 1;
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  const isProduction = env.APP_ENV === 'production';
  const productUrl = env.PRODUCT_URL ?? `http://localhost:${env.PORT}`;
  // By default the live product's domain is that of its own address, and emails come from there.
  const productDomain = env.PRODUCT_DOMAIN ?? (isProduction ? new URL(productUrl).hostname : 'sparechange.localhost');
  const firebase = env.FIREBASE_PROJECT_ID
    ? {
        apiKey: env.FIREBASE_API_KEY ?? '',
        authDomain: env.FIREBASE_AUTH_DOMAIN ?? '',
        projectId: env.FIREBASE_PROJECT_ID,
        storageBucket: env.FIREBASE_STORAGE_BUCKET ?? '',
        messagingSenderId: env.FIREBASE_MESSAGING_SENDER_ID ?? '',
        appId: env.FIREBASE_APP_ID ?? '',
        measurementId: env.FIREBASE_MEASUREMENT_ID ?? '',
      }
    : undefined;
  const hasSandbox = !isProduction && env.SANDBOX !== 'off';
  const abnLookup = hasSandbox ? { url: `${sandboxUrl}/abn-lookup`, guid: 'sandbox' } : undefined;
  return {
    isProduction,
    port: env.PORT,
    host: env.HOST,
    drainSeconds: env.DRAIN_SECONDS,
    dataDir: env.DATA_DIR,
    auditCheckpointFile: env.AUDIT_CHECKPOINT_FILE ?? join(env.DATA_DIR, 'audit-checkpoints.jsonl'),
    databaseUrl: env.DATABASE_URL,
    databaseOwnerUrl: env.DATABASE_OWNER_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    buckets: env.BUCKETS ?? defaultBuckets(env.APP_ENV),
    databaseEngine: env.DATABASE_ENGINE,
    databaseStatementSeconds: env.DATABASE_STATEMENT_SECONDS,
    callsInFlight: env.WORK_IN_FLIGHT,
    embeddedFsync: env.EMBEDDED_FSYNC === 'on',
    productDomain,
    productUrl,
    consoleUrl: consoleAddress(productUrl, productDomain),
    singleSignOn: env.CONSOLE_OIDC_ISSUER
      ? {
          issuer: env.CONSOLE_OIDC_ISSUER,
          clientId: env.CONSOLE_OIDC_CLIENT_ID ?? '',
          clientSecret: env.CONSOLE_OIDC_CLIENT_SECRET ?? '',
          name: env.CONSOLE_OIDC_NAME,
        }
      : undefined,
    tenantRule: env.TENANT_RULE,
    mainTenant: env.MAIN_TENANT,
    logLevel: env.LOG_LEVEL,
    /** One key, or several during a rotation: the first encrypts. */
    dataKey: env.DATA_KEY,
    statementName: env.STATEMENT_NAME,
    sandbox: hasSandbox
      ? { port: sandboxPort, smtpPort, url: sandboxUrl, controlUrl: `${sandboxUrl}/control` }
      : undefined,
    /** Without it, ABNs are not looked up. */
    abnLookup: env.ABN_LOOKUP_GUID ? { url: env.ABN_LOOKUP_URL, guid: env.ABN_LOOKUP_GUID } : abnLookup,
    payments: env.PAYMENTS,
    ...readProviderSettings(env, {
      isProduction,
      dataDir: env.DATA_DIR,
      sandboxUrl,
      statementName: env.STATEMENT_NAME,
    }),
    smtpUrl: env.SMTP_URL ?? `smtp://localhost:${smtpPort}`,
    /** In production required unless SMTP_TLS says otherwise; the sandbox and local servers need none. */
    smtpTls: env.SMTP_TLS ?? (isProduction ? ('required' as const) : ('if-offered' as const)),
    dkim: dkimSettings(env),
    mailFrom: env.MAIL_FROM ?? `Sparechange <hello@${productDomain}>`,
    mailBouncesTo: env.MAIL_BOUNCES_TO,
    operatorMail: env.OPERATOR_MAIL,
    bankDataGraceDays: env.BANK_DATA_GRACE_DAYS,
    debitCostCents: cents(env.DEBIT_COST_CENTS),
    retention: {
      mails: env.MAILS_KEPT_DAYS,
      notifications: env.NOTIFICATIONS_KEPT_DAYS,
      timetableRuns: env.TASK_RUNS_KEPT_DAYS,
    },
    /** Private keys as PEM or JWK, so that several servers sign alike; made on first start when absent. */
    identityKeys: env.IDENTITY_KEYS,
    /** Addresses of the reverse proxies trusted with the caller's address. */
    trustedProxy: env.TRUSTED_PROXY,
    metricsHost: env.METRICS_HOST,
    /** Port of metrics; 0 for none. */
    metricsPort: env.METRICS_PORT ?? env.PORT + 3,
    isMetricsPortChosen: env.METRICS_PORT !== undefined,
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: env.OTEL_SERVICE_NAME,
          ratio: env.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    /** Multiplies every limit on calls; 0 turns them off (docs/decisions/programs-and-webhooks.md#rate-limits). */
    rateLimitFactor: env.RATE_LIMIT_FACTOR,
    firebase,
    /** Address of a stand-in's keys in tests; Google's when absent. */
    firebaseKeysUrl: env.FIREBASE_KEYS_URL,
    identity: firebase ?? {
      // The names under which identity conformance tests know a local project.
      apiKey: 'fake-api-key',
      authDomain: new URL(productUrl).host,
      projectId: 'demo-x',
      storageBucket: '',
      messagingSenderId: '',
      appId: '1:1:web:sparechange',
      measurementId: '',
    },
  };
}
