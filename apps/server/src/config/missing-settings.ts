import { type PaymentProvider, paymentProviders, requiredForDirectEntry } from './direct-entry.ts';
import { isThisMachine, protectionProblems } from './weak-settings.ts';

type Given = Record<string, string | undefined>;

/** Settings that production refuses to make up (docs/rules.md#production-settings). */
const required = {
  DATA_KEY: 'the key that encrypts account numbers; it would be generated',
  PRODUCT_URL: 'the public address of the product',
  BASIQ_API_URL: 'the open-banking provider; it would be the sandbox',
  BASIQ_CONSENT_URL: "the open-banking provider's consent pages; they would be the sandbox's",
  BASIQ_API_KEY: 'a default secret',
  BASIQ_WEBHOOK_SECRET: 'a default secret',
  SMTP_URL: "the mail server; it would be the sandbox's mailbox",
} as const;

/** Settings that production with Zepto refuses to make up. */
const requiredForZepto = {
  ZEPTO_API_URL: 'the direct-debit provider; it would be the sandbox',
  ZEPTO_TOKEN: 'a default secret',
  ZEPTO_WEBHOOK_SECRET: 'a default secret',
  ZEPTO_BANK_ACCOUNT_ID:
    'the account that debits are collected into; where you have several, payments would be refused',
} as const;

const requiredForPayments: Record<PaymentProvider, Record<string, string>> = {
  zepto: requiredForZepto,
  'direct-entry': requiredForDirectEntry,
};

/** The secrets that a development start shares with its sandbox. */
export const defaultSecrets = {
  BASIQ_API_KEY: 'sandbox-basiq-key',
  BASIQ_WEBHOOK_SECRET: 'whsec_c2FuZGJveC1iYXNpcS13ZWJob29r',
  ZEPTO_TOKEN: 'sandbox-zepto-token',
  ZEPTO_WEBHOOK_SECRET: 'sandbox-zepto-webhook',
} as const;

/** Returns whether an address is a sandbox's: on this machine at our ports or paths, or a provider's own. */
function isSandbox(address: string, ports: number[]): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, port, pathname } = new URL(address);
  const isOurs = isThisMachine(hostname) && (ports.includes(Number(port)) || /^\/(basiq|zepto|home)\b/.test(pathname));
  return isOurs || hostname.split('.').includes('sandbox');
}

/** Returns all reasons against production, as sentences without secrets. */
export function productionProblems(given: Given): string[] {
  const payments = paymentProviders.find((provider) => provider === given.PAYMENTS) ?? 'zepto';
  const problems = Object.entries({ ...required, ...requiredForPayments[payments] })
    .filter(([name]) => given[name] === undefined)
    .map(([name, why]) => `${name} is not set: ${why}`);
  if (!given.FIREBASE_PROJECT_ID && !given.IDENTITY_KEYS) {
    problems.push(
      'IDENTITY_KEYS is not set (nor FIREBASE_PROJECT_ID): the key that signs sessions; it would be generated',
    );
  }
  if (given.FIREBASE_KEYS_URL)
    problems.push("FIREBASE_KEYS_URL is set: production believes Google's published keys alone");
  if (given.EMBEDDED_FSYNC === 'off') problems.push('EMBEDDED_FSYNC=off: a crash of the machine would lose payments');
  if (given.SANDBOX === 'on') problems.push('SANDBOX=on: production does not run beside a sandbox');
  for (const [name, secret] of Object.entries(defaultSecrets)) {
    if (given[name] === secret) problems.push(`${name} is the default secret of the sandbox`);
  }
  const sandboxPort = Number(given.SANDBOX_PORT ?? Number(given.PORT ?? 4000) + 1);
  const ports = [sandboxPort, Number(given.SANDBOX_SMTP_PORT ?? sandboxPort + 1)];
  for (const name of ['BASIQ_API_URL', 'BASIQ_CONSENT_URL', 'ZEPTO_API_URL', 'SMTP_URL']) {
    const address = given[name] ?? '';
    if (isSandbox(address, ports)) problems.push(`${name}${name === 'SMTP_URL' ? '' : `=${address}`} is a sandbox`);
  }
  return [...problems, ...protectionProblems(given)];
}

const singleSignOnVariables = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'] as const;

/** Returns contradictions between the settings of the console's single sign-on, as sentences without secrets. */
export function problemsOfSingleSignOn(given: Given): string[] {
  const missing = singleSignOnVariables.filter((name) => !given[name]);
  if (missing.length === singleSignOnVariables.length) return [];
  if (missing.length > 0) return [`${missing.join(' and ')} is not set: CONSOLE_OIDC_… belong together`];
  const isPlain = URL.parse(given.CONSOLE_OIDC_ISSUER ?? '')?.protocol === 'http:';
  return isPlain && given.APP_ENV === 'production' ? ['CONSOLE_OIDC_ISSUER must be https in production'] : [];
}
