import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { StartProblem } from '#errors.ts';
import { ConfigProblem, parseConfig } from './config.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const dkim = { SMTP_DKIM_DOMAIN: 'giving.example', SMTP_DKIM_SELECTOR: 's2026', SMTP_DKIM_KEY: pemOf(privateKey) };

const production = {
  APP_ENV: 'production',
  PRODUCT_URL: 'https://sparechange.example',
  DATA_KEY: 'ab'.repeat(32),
  BASIQ_API_URL: 'https://bank.example',
  BASIQ_CONSENT_URL: 'https://consent.example/home',
  BASIQ_API_KEY: 'a-real-key-of-the-bank',
  BASIQ_WEBHOOK_SECRET: 'whsec_YS1yZWFsLXNlY3JldC1vZi10aGUtYmFuaw==',
  ZEPTO_API_URL: 'https://debits.example',
  ZEPTO_TOKEN: 'a-real-token-of-zepto',
  ZEPTO_WEBHOOK_SECRET: 'a-real-secret-of-zepto',
  ZEPTO_BANK_ACCOUNT_ID: 'b1946ac9-2049-4f0e-9a8a-2f1d1f1c0a11',
  SMTP_URL: 'smtps://mail.example',
  IDENTITY_KEYS: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

function problems(environment: Record<string, string | undefined>): string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigProblem) return error.problems;
    throw error;
  }
  return [];
}

test('without any variable everything runs here, beside the sandbox', () => {
  expect(parseConfig({})).toMatchObject({
    isProduction: false,
    port: 4000,
    dataDir: '.data',
    databaseUrl: undefined,
    databasePoolSize: 16,
    buckets: 1,
    productDomain: 'sparechange.localhost',
    productUrl: 'http://localhost:4000',
    tenantRule: 'provider-domain',
    mainTenant: 'sparechange',
    statementName: 'SPARECHANGE',
    sandbox: { port: 4001, url: 'http://localhost:4001', controlUrl: 'http://localhost:4001/control' },
    basiq: { apiUrl: 'http://localhost:4001/basiq' },
    zepto: { apiUrl: 'http://localhost:4001/zepto' },
    firebase: undefined,
  });
});

test('the sandbox follows the port of the product, or its own', () => {
  expect(parseConfig({ PORT: '5000' }).sandbox?.port).toBe(5001);
  expect(parseConfig({ PORT: '5000', SANDBOX_PORT: '7000' }).zepto.apiUrl).toBe('http://localhost:7000/zepto');
  expect(parseConfig({ SANDBOX: 'off' }).sandbox).toBeUndefined();
});

test('an empty variable counts as not given', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: '', DATA_KEY: '' })).toEqual(parseConfig({}));
});

test('with a Firebase project the embedded identity service is off', () => {
  const { firebase, identity } = parseConfig({ FIREBASE_PROJECT_ID: 'giving', FIREBASE_API_KEY: 'key' });
  expect(firebase).toMatchObject({ projectId: 'giving', apiKey: 'key' });
  expect(identity).toEqual(firebase);
});

test('single sign-on to the console needs its three settings, and https in production', () => {
  const settings = {
    CONSOLE_OIDC_ISSUER: 'http://localhost:4010',
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'a secret',
  };
  expect(parseConfig({}).singleSignOn).toBeUndefined();
  expect(parseConfig(settings).singleSignOn).toMatchObject({ clientId: 'console', name: 'your organisation' });
  expect(problems({ ...settings, CONSOLE_OIDC_CLIENT_ID: undefined })).toEqual([
    'CONSOLE_OIDC_CLIENT_ID is not set: CONSOLE_OIDC_… belong together',
  ]);
  expect(problems({ ...production, ...settings })).toEqual(['CONSOLE_OIDC_ISSUER must be https in production']);
  const inCapitals = { ...production, ...settings, CONSOLE_OIDC_ISSUER: 'HTTP://login.example' };
  expect(problems(inCapitals)).toEqual(['CONSOLE_OIDC_ISSUER must be https in production']);
});

test('a Firebase project needs its key, and in production Google alone publishes its keys', () => {
  expect(problems({ FIREBASE_PROJECT_ID: 'giving' })).toEqual([expect.stringContaining('FIREBASE_API_KEY is not set')]);
  const project = { FIREBASE_PROJECT_ID: 'giving', FIREBASE_API_KEY: 'key', IDENTITY_KEYS: undefined };
  expect(problems({ ...production, ...project })).toEqual([]);
  expect(problems({ ...production, ...project, FIREBASE_KEYS_URL: 'https://keys.example' })).toEqual([
    expect.stringContaining('FIREBASE_KEYS_URL is set'),
  ]);
});

test('every problem is named in one error', () => {
  const wrong = {
    PORT: 'many',
    DATABASE_URL: 'mysql://db',
    TENANT_RULE: 'guess',
    STATEMENT_NAME: 'a name far too long for a statement',
    PRODUCT_DOMAIN: 'UPPER CASE',
    LOG_LEVEL: 'loud',
  };
  const named = problems(wrong).map((problem) => problem.split('=')[0]);
  expect(named.toSorted()).toEqual(Object.keys(wrong).toSorted());
});

test.each(['0', '65536', '80.5', '-1'])('%s is no port', (port) => {
  expect(problems({ PORT: port })).toHaveLength(1);
});

test('the database’s pool and the limit of its statements are settings, within bounds', () => {
  expect(parseConfig({})).toMatchObject({ databasePoolSize: 16, databaseStatementSeconds: undefined });
  const given = { DATABASE_POOL_SIZE: '40', DATABASE_STATEMENT_SECONDS: '0' };
  expect(parseConfig(given)).toMatchObject({ databasePoolSize: 40, databaseStatementSeconds: 0 });
  for (const size of ['7', '501', 'many']) expect(problems({ DATABASE_POOL_SIZE: size })).toHaveLength(1);
  expect([parseConfig({}).buckets, parseConfig(production).buckets]).toEqual([1, 16]);
  for (const buckets of ['0', '65', '2.5']) expect(problems({ BUCKETS: buckets })).toHaveLength(1);
});

test('buckets on several servers are refused with what to do, and without the addresses', () => {
  const start = () => parseConfig({ BUCKETS: '4', BUCKET_SERVERS: 'east=postgres://u:secret@east.example/giving' });
  expect(start).toThrow(StartProblem);
  expect(start).toThrow(/^BUCKET_SERVERS is set,[^@]*ops buckets move[^@]*DATABASE_ENGINE=citus/);
});

test('Citus needs a cluster of its own with several buckets', () => {
  const given = { DATABASE_ENGINE: 'citus', DATABASE_URL: 'postgres://coordinator.example/sparechange', BUCKETS: '16' };
  expect(parseConfig({}).databaseEngine).toBe('postgres');
  expect(parseConfig(given).databaseEngine).toBe('citus');
  expect(problems({ DATABASE_ENGINE: 'citus' })).toEqual([
    'DATABASE_ENGINE=citus needs DATABASE_URL: the embedded database has no Citus',
    'DATABASE_ENGINE=citus needs BUCKETS above 1: a bucket is what moves between nodes',
  ]);
  expect(problems({ ...given, DATABASE_ENGINE: 'mysql' })).toHaveLength(1);
});

test.each(['AB', 'lower case', 'SEVENTEEN LETTERS', 'UMLÄUT'])('%s does not fit on a bank statement', (name) => {
  expect(problems({ STATEMENT_NAME: name })).toHaveLength(1);
});

test('production starts with everything given, and without a sandbox', () => {
  expect(parseConfig(production)).toMatchObject({
    isProduction: true,
    sandbox: undefined,
    basiq: { apiUrl: 'https://bank.example', apiKey: 'a-real-key-of-the-bank' },
    zepto: { apiUrl: 'https://debits.example', token: 'a-real-token-of-zepto' },
    smtpUrl: 'smtps://mail.example',
  });
});

test('production names every required setting that is missing', () => {
  const named = problems({ APP_ENV: 'production' }).map((problem) => problem.split(' ')[0]);
  const { APP_ENV: _environment, ...required } = production;
  expect(named.toSorted()).toEqual(Object.keys(required).toSorted());
});

test.each(Object.keys(production).filter((name) => name !== 'APP_ENV'))(
  'production refuses to start without %s',
  (name) => {
    expect(problems({ ...production, [name]: undefined })).toEqual([expect.stringContaining(`${name} is not set`)]);
  },
);

test.each(['BASIQ_API_URL', 'BASIQ_CONSENT_URL', 'ZEPTO_API_URL'])('production refuses the sandbox as %s', (name) => {
  for (const address of [
    'http://localhost:4001/somewhere',
    'http://127.0.0.1:80/zepto',
    'https://api.sandbox.zepto.example',
  ])
    expect(problems({ ...production, [name]: address })).toEqual([`${name}=${address} is a sandbox`]);
});

test("production refuses the sandbox's mailbox, and repeats no password", () => {
  expect(problems({ ...production, SMTP_URL: 'smtp://u:secret@localhost:4002' })).toEqual(['SMTP_URL is a sandbox']);
});

test('in production the domain is that of the public address, and so is the sender of emails, unless they are given', () => {
  expect(parseConfig(production)).toMatchObject({
    productDomain: 'sparechange.example',
    mailFrom: 'Sparechange <hello@sparechange.example>',
  });
  const given = { PRODUCT_DOMAIN: 'giving.example', MAIL_FROM: 'hi@giving.example' };
  expect(parseConfig({ ...production, ...given })).toMatchObject({
    productDomain: 'giving.example',
    mailFrom: 'hi@giving.example',
    mailBouncesTo: undefined,
  });
  expect(parseConfig({ MAIL_BOUNCES_TO: 'b@giving.example' }).mailBouncesTo).toBe('b@giving.example');
});

test.each([
  ['IDENTITY_KEYS', 'a private key', /^IDENTITY_KEYS=\(hidden\): must be RSA keys/],
  ['IDENTITY_KEYS', publicKey.export({ type: 'spki', format: 'pem' }).toString(), /must be RSA keys/],
  ['IDENTITY_KEYS', '{"kty":"RSA"', /must be RSA keys/],
  ['SMTP_URL', 'smtp://u:100%@mail.example', /^SMTP_URL=\(hidden\): has a % in its user or password/],
  ['SMTP_DKIM_KEY', 'a private key', /^SMTP_DKIM_KEY=\(hidden\): must be a private RSA key/],
  ['SMTP_DKIM_KEY', publicKey.export({ type: 'spki', format: 'pem' }).toString(), /must be a private RSA key/],
  ['SMTP_DKIM_KEY', pemOf(generateKeyPairSync('ed25519').privateKey), /must be a private RSA key/],
  ['SMTP_DKIM_KEY', pemOf(generateKeyPairSync('rsa', { modulusLength: 1016 }).privateKey), /less than 1024 bits/],
  ['SMTP_DKIM_DOMAIN', 'giving.example; x=1', /must look like/],
  ['SMTP_DKIM_SELECTOR', 's 2026', /must look like/],
  ['MAIL_BOUNCES_TO', 'Sparechange <bounces@giving.example>', /^MAIL_BOUNCES_TO=/],
  ['MAIL_FROM', 'Sparechange', /must look like/],
  ['MAIL_FROM', 'Sparechange <hello>', /must look like/],
  ['MAIL_FROM', 'a\r\nBcc: b <c@d.example>', /must look like/],
  ['TRUSTED_PROXY', 'everybody', /must be addresses or networks/],
  ['TRUSTED_PROXY', '10.0.0.0/33', /must be addresses or networks/],
])('%s=%s is named before anything starts', (name, value, words) => {
  expect(problems({ ...production, ...(name.startsWith('SMTP_DKIM') ? dkim : {}), [name]: value })).toEqual([
    expect.stringMatching(words),
  ]);
});

test('emails are signed with all three settings, and a start with fewer is refused', () => {
  const onOneLine = dkim.SMTP_DKIM_KEY.replaceAll('\n', '\\n');
  const expected = { domain: 'giving.example', selector: 's2026', key: dkim.SMTP_DKIM_KEY };
  expect(parseConfig({ ...production, ...dkim, SMTP_DKIM_KEY: onOneLine }).dkim).toEqual(expected);
  expect(parseConfig(production).dkim).toBeUndefined();
  for (const name of Object.keys(dkim))
    expect(problems({ ...dkim, [name]: '' })).toEqual([`${name} is not set: SMTP_DKIM_… belong together`]);
});

test.each(['127.0.0.1', '10.0.0.0/8, ::1', 'loopback', 'fd00::/8'])('%s may be a trusted proxy', (trustedProxy) => {
  expect(parseConfig({ TRUSTED_PROXY: trustedProxy })).toMatchObject({ trustedProxy });
});

const bankFiles = {
  ...production,
  PAYMENTS: 'direct-entry',
  ZEPTO_API_URL: undefined,
  ZEPTO_TOKEN: undefined,
  ZEPTO_WEBHOOK_SECRET: undefined,
  ZEPTO_BANK_ACCOUNT_ID: undefined,
  DIRECT_ENTRY_BANK: 'NAB',
  DIRECT_ENTRY_USER_NAME: 'SPARECHANGE PTY LTD',
  DIRECT_ENTRY_USER_ID: '12345',
  DIRECT_ENTRY_TRACE_BSB: '082-001',
  DIRECT_ENTRY_TRACE_ACCOUNT: '123456789',
  DIRECT_ENTRY_BALANCING: 'on',
};

test('production pays by bank files without any setting of Zepto, and waits for the operator to lodge them', () => {
  const { payments, directEntry } = parseConfig({ ...bankFiles, DATA_DIR: '/var/lib/sparechange' });
  expect(payments).toBe('direct-entry');
  expect(directEntry).toMatchObject({
    bank: 'NAB',
    userId: '012345',
    traceBsb: '082001',
    isBalanced: true,
    maxRecords: 500,
    clearingDays: 3,
    lodging: 'by operator',
    folder: '/var/lib/sparechange/outbox/direct-entry',
  });
});

test('production with bank files refuses, all together, settings that only the bank can supply', () => {
  const named = problems({ ...production, PAYMENTS: 'direct-entry' }).map((problem) => problem.split(' ')[0]);
  const needed = Object.keys(bankFiles).filter((name) => /^DIRECT_ENTRY/.test(name));
  expect(named.toSorted()).toEqual(needed.toSorted());
});

test.each([
  ['DIRECT_ENTRY_BANK', 'nab'],
  ['DIRECT_ENTRY_USER_NAME', 'A NAME OF MORE THAN 26 LETTERS'],
  ['DIRECT_ENTRY_USER_ID', '1234567'],
  ['DIRECT_ENTRY_TRACE_BSB', '08200'],
  ['DIRECT_ENTRY_TRACE_ACCOUNT', '1234567890'],
  ['DIRECT_ENTRY_MAX_RECORDS', '1'],
  ['DIRECT_ENTRY_FOLDER', '../elsewhere'],
])('%s=%s is named as wrong', (name, value) => {
  expect(problems({ ...bankFiles, [name]: value })).toEqual([expect.stringContaining(name)]);
});

test('production refuses to run beside a sandbox', () => {
  expect(problems({ ...production, SANDBOX: 'on' })).toEqual([expect.stringContaining('SANDBOX=on')]);
});

test('production names malformed settings together with missing ones, and shows no secret', () => {
  const found = problems({ APP_ENV: 'production', PORT: 'many', DATA_KEY: 'short-and-secret' });
  expect(found).toContainEqual(expect.stringMatching(/^PORT=many: /));
  expect(found).toContainEqual(expect.stringMatching(/^DATA_KEY=\(hidden\): must be 64 hexadecimal digits/));
  expect(found).toContainEqual(expect.stringMatching(/^ZEPTO_TOKEN is not set/));
  expect(found.join()).not.toContain('short-and-secret');
});

test('Zepto collects into one account of ours and pays out from another one, or the same', () => {
  const [float, trust] = ['b1946ac9-2049-4f0e-9a8a-2f1d1f1c0a11', '0d1f9d2e-83a1-4a84-8a52-0a9f2d3c4b55'];
  const zepto = (given: object) => parseConfig({ ...production, ...given }).zepto;
  expect(zepto({})).toMatchObject({ bankAccountId: float, payoutBankAccountId: float });
  expect(zepto({ ZEPTO_PAYOUT_BANK_ACCOUNT_ID: trust })).toMatchObject({
    bankAccountId: float,
    payoutBankAccountId: trust,
  });
  expect(problems({ ...production, ZEPTO_BANK_ACCOUNT_ID: undefined })).toEqual([
    expect.stringMatching(/^ZEPTO_BANK_ACCOUNT_ID is not set/),
  ]);
});

test('production refuses the default secrets when they are given by hand', () => {
  expect(problems({ ...production, ZEPTO_TOKEN: 'sandbox-zepto-token' })).toEqual([
    'ZEPTO_TOKEN is the default secret of the sandbox',
  ]);
});

test('production knows the sandbox by any name of this machine', () => {
  for (const name of ['127.0.0.1', '[::1]', 'bank.localhost'])
    expect(problems({ ...production, BASIQ_API_URL: `http://${name}:4001/x` })).toEqual([
      `BASIQ_API_URL=http://${name}:4001/x is a sandbox`,
    ]);
});

test('mail leaves production under TLS alone, unless somebody says otherwise', () => {
  expect(parseConfig(production).smtpTls).toBe('required');
  expect(parseConfig({ ...production, SMTP_TLS: 'if-offered', SMTP_URL: 'smtp://localhost:2525' }).smtpTls).toBe(
    'if-offered',
  );
  expect(parseConfig({}).smtpTls).toBe('if-offered');
  expect(problems({ ...production, SMTP_URL: 'smtp://u:p@mail.example?tls.rejectUnauthorized=false' })).toEqual([
    'SMTP_URL=(hidden): must end with the host and its port',
  ]);
});
