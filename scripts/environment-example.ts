import { writeFileSync } from 'node:fs';
import { Environment } from '@sparechange/server/config/environment.ts';
import type { ProviderSettings } from '@sparechange/server/ports/provider-settings.ts';
import { bankLinkSettings, paymentSettings } from '@sparechange/server/providers/registry.ts';
import { z } from 'zod';

interface Variable {
  description?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

const schema = z.toJSONSchema(Environment, { io: 'input', unrepresentable: 'any' });
const variables = (schema.properties ?? {}) as Record<string, Variable>;

/** Returns a provider's variables with the sentences of its own folder. */
const describedIn = (settings: ProviderSettings): Record<string, string> =>
  Object.fromEntries(
    Object.keys(settings.variables).flatMap((name) => {
      const sentence = variables[name]?.description;
      return sentence ? [[name, sentence]] : [];
    }),
  );

/** Each variable with one sentence, grouped as in the example. */
const groups: Record<string, Record<string, string>> = {
  'The product': {
    APP_ENV: 'In production no default takes the place of a missing secret: the start lists what is missing.',
    HOST: 'The address that the server listens on.',
    PORT: 'The port of the product; the sandbox takes the next one.',
    DRAIN_SECONDS:
      'Seconds after SIGTERM in which calls are still served, so that a proxy sends the next ones elsewhere.',
    PRODUCT_URL: 'The public address.',
    PRODUCT_DOMAIN: 'The domain under which each tenant has a host; in production the host of PRODUCT_URL unless set.',
    TENANT_RULE: 'How a host name stands for a tenant.',
    MAIN_TENANT: 'The tenant that is treated like `default`.',
    TRUSTED_PROXY: 'The reverse proxies whose word on the caller counts: addresses or networks with commas.',
    RATE_LIMIT_FACTOR: 'Widens every limit on calls by so much; 0 turns them off.',
    LOG_LEVEL: 'The least severe line that is logged.',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'The OpenTelemetry collector that traces go to, over HTTP; unset, none are made.',
    OTEL_SERVICE_NAME: 'The name of the product in traces.',
    OTEL_TRACES_SAMPLER_ARG: 'The share of traces that is kept.',
    METRICS_HOST: 'The address that metrics are served on; this machine alone unless set.',
    METRICS_PORT: 'Prometheus metrics; PORT+3 unless set, 0 for none.',
  },
  'Data and keys': {
    DATA_DIR: 'The embedded database, generated keys and the outbox of bank files.',
    DATABASE_URL: 'A PostgreSQL of your own; unset, one is started in DATA_DIR.',
    DATABASE_OWNER_URL: 'The same database as its owner, for migrations alone.',
    DATABASE_POOL_SIZE: 'The most connections of a process to the database.',
    BUCKETS:
      'Schemas that supporters are divided into; 16 in production and 1 elsewhere unless set. A database keeps its number.',
    DATABASE_ENGINE: 'What the database runs on; `citus` for a Citus cluster, which places buckets on its nodes.',
    WORK_IN_FLIGHT: 'Supporters a worker asks the bank link about at the same time.',
    DATABASE_STATEMENT_SECONDS:
      'Ends statements that run for longer; unset, after a minute in the api, 6 hours in a worker, 12 in ops; 0 for never.',
    EMBEDDED_FSYNC: '`off` in tests only: the embedded database does not wait for the disk.',
    DATA_KEY: 'Encrypts account numbers: 64 hexadecimal digits, several with commas while one is replaced.',
    IDENTITY_KEYS: 'Private RSA keys that sign sessions, as PEM, JWK or JWK set; the first signs.',
    AUDIT_CHECKPOINT_FILE:
      'Where checkpoints of the audit log are kept outside the database; below DATA_DIR unless set.',
    DEBIT_COST_CENTS:
      'What one debit costs you at the provider; the console compares it with what debits bring. 0 is not known.',
    BANK_DATA_GRACE_DAYS: 'Days after an expired consent until bank data are deleted.',
    MAILS_KEPT_DAYS: 'Days after which the record of a finished email is deleted.',
    NOTIFICATIONS_KEPT_DAYS: "Days after which a provider's handled notification is deleted.",
    TASK_RUNS_KEPT_DAYS: 'Days after which the record of a task of the timetable is deleted.',
  },
  [bankLinkSettings.title]: describedIn(bankLinkSettings),
  Payments: {
    PAYMENTS: 'How payments are made.',
    STATEMENT_NAME: 'The name on bank statements: 3 to 16 capital letters, digits or spaces.',
  },
  ...Object.fromEntries(Object.values(paymentSettings).map((settings) => [settings.title, describedIn(settings)])),
  Mail: {
    SMTP_URL: 'The mail server: smtps://user:password@host:465; unset, the sandbox.',
    SMTP_TLS: 'Whether mail may leave in the clear; required in production unless set.',
    SMTP_DKIM_DOMAIN: 'The domain that mails are signed for by DKIM; unset, they are not signed.',
    SMTP_DKIM_SELECTOR: 'The name of the key in the DNS: SELECTOR._domainkey.DOMAIN.',
    SMTP_DKIM_KEY: 'The private RSA key that signs, as PEM.',
    MAIL_FROM: 'The sender: Sparechange <hello@giving.example>.',
    MAIL_BOUNCES_TO: 'The address that mail servers report undelivered mails to; unset, that of MAIL_FROM.',
    OPERATOR_MAIL: 'The address that alarms go to.',
  },
  'Looking up ABNs': {
    ABN_LOOKUP_GUID: 'From the Australian Business Register; unset, no ABN is looked up.',
    ABN_LOOKUP_URL: 'Where ABNs are looked up.',
  },
  'Single sign-on of the console': {
    CONSOLE_OIDC_ISSUER: 'OpenID Connect for the console; unset, none.',
    CONSOLE_OIDC_CLIENT_ID: "The console's id at the issuer.",
    CONSOLE_OIDC_CLIENT_SECRET: "The console's secret at the issuer.",
    CONSOLE_OIDC_NAME: 'The name on the button “Sign in with …”.',
  },
  'Sign-in by a Firebase project instead of the embedded service': {
    FIREBASE_PROJECT_ID: 'The project; with it the embedded identity service is off.',
    FIREBASE_API_KEY: "The project's web API key.",
    FIREBASE_AUTH_DOMAIN: "The project's auth domain.",
    FIREBASE_STORAGE_BUCKET: "The project's storage bucket.",
    FIREBASE_MESSAGING_SENDER_ID: "The project's messaging sender id.",
    FIREBASE_APP_ID: "The project's web app id.",
    FIREBASE_MEASUREMENT_ID: 'Sends screens and web vitals to Firebase Analytics.',
    FIREBASE_KEYS_URL: 'Where public keys are fetched, for tests; production refuses it.',
  },
  'The sandbox': {
    SANDBOX: 'Whether the sandbox starts with the product; never in production.',
    SANDBOX_PORT: 'The port of the sandbox; PORT+1 unless set.',
    SANDBOX_SMTP_PORT: "The port of the sandbox's mailbox; SANDBOX_PORT+1 unless set.",
  },
};

/** Names variables not described, and described ones that are gone. */
export function undescribed(): string[] {
  const described = Object.values(groups).flatMap((group) => Object.keys(group));
  return [
    ...Object.keys(variables).filter((name) => !described.includes(name)),
    ...described.filter((name) => !(name in variables)),
  ];
}

function limits({ enum: choices, minimum, maximum }: Variable): string {
  if (choices) return ` One of: ${choices.join(', ')}.`;
  return minimum !== undefined && maximum !== undefined ? ` From ${minimum} to ${maximum}.` : '';
}

/** Returns the example: variables commented out, with any schema default. */
export function environmentExample(): string {
  const parts = Object.entries(groups).map(([title, group]) => {
    const lines = Object.entries(group).map(([name, sentence]) => {
      const variable = variables[name] ?? {};
      return `# ${sentence}${limits(variable)}\n#${name}=${variable.default ?? ''}\n`;
    });
    return `## ${title}\n\n${lines.join('')}`;
  });
  return `# Copy to .env and uncomment what you set. Made by \`npm run env-example\` from the schema of the environment.\n\n${parts.join('\n')}`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('../.env.example', import.meta.url), environmentExample());
}
