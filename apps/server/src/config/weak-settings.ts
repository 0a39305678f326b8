import { parseIdentityKeys } from '#identity/signing-keys.ts';
import { providerSettings } from '#providers/registry.ts';
import { writtenKeysOf } from '#secrets/data-key.ts';
import { connectionTo } from './database-address.ts';
import { trustsTooMany } from './trusted-networks.ts';

type Given = Record<string, string | undefined>;

/** Returns whether a host's name is this machine's, so that nothing leaves it. */
export const isThisMachine = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|\[::1\]|::1|127(\.\d{1,3}){3})$/i.test(hostname);

const isSocket = (host: string): boolean => host.startsWith('/');

const shortestSecretBytes = 16;
const shortestKeyBits = 2048;

const secrets = providerSettings.flatMap((settings) => Object.entries(settings.secrets));
const addresses = ['PRODUCT_URL', ...providerSettings.flatMap((settings) => settings.addresses), 'ABN_LOOKUP_URL'];
/** At a hundred times people's needs nobody notices a limit, and it is still one. */
const widestFactor = 100;

/** Reads the bits of each configured RSA key; none where the keys cannot be read, a problem reported elsewhere. */
function bitsOfKeys(text: string): number[] {
  try {
    return parseIdentityKeys(text).map(({ n }) => Buffer.from(n, 'base64url').length * 8);
  } catch {
    return [];
  }
}

function problemsOfSecrets(given: Given): string[] {
  const short = secrets.filter(([name, bytesOf]) => {
    const secret = given[name];
    return secret !== undefined && bytesOf(secret) < shortestSecretBytes;
  });
  const problems = short.map(([name]) => `${name} is shorter than ${shortestSecretBytes} bytes: it could be guessed`);
  if (writtenKeysOf(given.DATA_KEY ?? '').some((key) => new Set(key.toLowerCase()).size < 2))
    problems.push('DATA_KEY repeats one digit: it could be guessed');
  if (bitsOfKeys(given.IDENTITY_KEYS ?? '').some((bits) => bits < shortestKeyBits)) {
    problems.push(`IDENTITY_KEYS holds a key of less than ${shortestKeyBits} bits: sessions could not be signed`);
  }
  return problems;
}

function problemsOfConnections(given: Given): string[] {
  const problems: string[] = [];
  for (const name of addresses) {
    const address = given[name] ?? '';
    if (!URL.canParse(address)) continue;
    const { protocol, hostname } = new URL(address);
    if (protocol === 'http:' && !isThisMachine(hostname))
      problems.push(`${name} is not https: what it carries could be read`);
  }
  const databases = ['DATABASE_URL', 'DATABASE_OWNER_URL'].map((name) => [name, given[name] ?? ''] as const);
  for (const [name, address] of databases) {
    if (!URL.canParse(address)) continue;
    const connection = connectionTo(address);
    if (!connection) {
      problems.push(`${name} cannot be read by PostgreSQL's driver, or a file that it names cannot`);
      continue;
    }
    const { host, isProven } = connection;
    if (!isSocket(host) && !isThisMachine(host) && !isProven)
      problems.push(`${name} leads to another machine without sslmode=require or stricter, or skips its certificate`);
  }
  const mail = given.SMTP_URL ?? '';
  if (given.SMTP_TLS === 'if-offered' && URL.canParse(mail) && !isThisMachine(new URL(mail).hostname)) {
    problems.push('SMTP_TLS=if-offered: mail could leave this machine in clear');
  }
  // Node.js itself reads this one.
  if (given.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate of a database or provider would be checked');
  return problems;
}

/** Returns settings that undo production's protection, as sentences without secrets. */
export function protectionProblems(given: Given): string[] {
  const problems = [...problemsOfSecrets(given), ...problemsOfConnections(given)];
  const factor = Number(given.RATE_LIMIT_FACTOR ?? 1);
  if (factor === 0) problems.push('RATE_LIMIT_FACTOR=0: passwords could be guessed without limit');
  if (factor > widestFactor)
    problems.push(`RATE_LIMIT_FACTOR is above ${widestFactor}: passwords could be guessed nearly without limit`);
  if (trustsTooMany(given.TRUSTED_PROXY ?? ''))
    problems.push('TRUSTED_PROXY trusts more than a sixty-fourth of all addresses: callers could forge theirs');
  return problems;
}
