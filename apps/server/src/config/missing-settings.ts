import { bankLinkSettings, paymentProviders, paymentSettings, providerSettings } from '#providers/registry.ts';
import { isThisMachine, protectionProblems } from './weak-settings.ts';

type Given = Record<string, string | undefined>;

/** Settings that production refuses to make up (docs/rules.md#production-settings). */
const required = {
  DATA_KEY: 'the key that encrypts account numbers; it would be generated',
  PRODUCT_URL: 'the public address of the product',
  ...bankLinkSettings.required,
  SMTP_URL: "the mail server; it would be the sandbox's mailbox",
} as const;

const sandboxSecrets = providerSettings.flatMap((settings) => Object.entries(settings.sandboxSecrets));
const addresses = [...providerSettings.flatMap((settings) => settings.addresses), 'SMTP_URL'];
const sandboxPaths = new RegExp(`^/(${providerSettings.flatMap((settings) => settings.sandboxPaths).join('|')})\\b`);

/** Returns whether an address is a sandbox's: on this machine at our ports or paths, or a provider's own. */
function isSandbox(address: string, ports: number[]): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, port, pathname } = new URL(address);
  const isOurs = isThisMachine(hostname) && (ports.includes(Number(port)) || sandboxPaths.test(pathname));
  return isOurs || hostname.split('.').includes('sandbox');
}

/** Returns all reasons against production, as sentences without secrets. */
export function productionProblems(given: Given): string[] {
  const payments = paymentProviders.find((provider) => provider === given.PAYMENTS) ?? paymentProviders[0];
  const problems = Object.entries({ ...required, ...paymentSettings[payments].required })
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
  for (const [name, secret] of sandboxSecrets) {
    if (given[name] === secret) problems.push(`${name} is the default secret of the sandbox`);
  }
  const sandboxPort = Number(given.SANDBOX_PORT ?? Number(given.PORT ?? 4000) + 1);
  const ports = [sandboxPort, Number(given.SANDBOX_SMTP_PORT ?? sandboxPort + 1)];
  for (const name of addresses) {
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
