import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { protectionProblems } from './weak-settings.ts';

const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

test.each([
  ['PRODUCT_URL', 'http://giving.example'],
  ['BASIQ_API_URL', 'http://bank.example'],
  ['BASIQ_CONSENT_URL', 'http://bank.example/home'],
  ['ZEPTO_API_URL', 'http://debits.example'],
  ['BASIQ_WEBHOOK_SECRET', 'whsec_='],
  ['BASIQ_WEBHOOK_SECRET', 'whsec_c2hvcnQ='],
  ['BASIQ_API_KEY', 'a'],
  ['ZEPTO_TOKEN', 'a'],
  ['ZEPTO_WEBHOOK_SECRET', 'a'],
  ['DATA_KEY', '0'.repeat(64)],
  ['DATA_KEY', `${'5e'.repeat(32)},${'F'.repeat(64)}`],
  ['DATA_KEY', `${'0'.repeat(64)}\n${'f'.repeat(64)}`],
  ['IDENTITY_KEYS', weak.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['RATE_LIMIT_FACTOR', '0'],
  ['TRUSTED_PROXY', '0.0.0.0/0'],
  ['TRUSTED_PROXY', '10.0.0.1, ::/0'],
  ['TRUSTED_PROXY', '0.0.0.0/1, 128.0.0.0/1'],
  ['TRUSTED_PROXY', '128.0.0.0/1'],
  ['TRUSTED_PROXY', '16.0.0.0/5'],
  ['TRUSTED_PROXY', '11.0.0.0/8,12.0.0.0/8,13.0.0.0/8,14.0.0.0/8,15.0.0.0/8'],
  ['TRUSTED_PROXY', '::/1,8000::/1'],
  ['TRUSTED_PROXY', '2000::/3'],
  ['TRUSTED_PROXY', '::/64'], // all of IPv4 is in it
  ['TRUSTED_PROXY', '::ffff:0:0/96'],
  ['TRUSTED_PROXY', '::ffff:128.0.0.0/97'],
  ['RATE_LIMIT_FACTOR', '1000000'],
  ['RATE_LIMIT_FACTOR', '101'],
  ['ABN_LOOKUP_URL', 'http://register.example'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving?sslmode=prefer'],
  ['DATABASE_URL', 'postgres://u:secret@localhost/giving?host=db.example'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving?sslmode=verify-full&sslmode=disable'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving?sslmode=verify-full&sslmode=no-verify'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving?sslmode=require&uselibpqcompat=true'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving?sslmode=verify-full&sslrootcert=/nowhere/ca.crt'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving?ssl=no-verify'],
  ['DATABASE_URL', 'postgres://u:secret@localhost/giving?host=localhost&host=db.example'],
  ['DATABASE_OWNER_URL', 'postgres://u:secret@db.example/giving'],
  ['PRODUCT_URL', 'http://127.0.0.1.example'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
])('production refuses %s=%s', (name, value) => {
  const problems = protectionProblems({ [name]: value });
  expect(problems).toEqual([expect.stringContaining(name)]);
  expect(problems[0]).not.toContain('secret@');
});

test('mail in clear to another machine is refused', () => {
  const given = { SMTP_URL: 'smtp://u:secret@mail.example', SMTP_TLS: 'if-offered' };
  expect(protectionProblems(given)).toEqual([expect.stringContaining('SMTP_TLS')]);
});

test.each([
  { PRODUCT_URL: 'https://giving.example', ZEPTO_API_URL: 'http://127.0.0.1:9000' },
  { DATABASE_URL: 'postgres://u:p@127.0.0.1/giving', RATE_LIMIT_FACTOR: '0.5', TRUSTED_PROXY: '10.0.0.0/8' },
  {
    DATABASE_URL: 'postgres:///giving?host=/run/postgresql',
    DATABASE_OWNER_URL: 'postgres://%2Frun%2Fpostgresql/giving',
  },
  {
    DATABASE_URL: 'postgres://u:p@db.example/giving?sslmode=verify-full',
    SMTP_URL: 'smtp://localhost',
    SMTP_TLS: 'if-offered',
  },
  { DATABASE_URL: 'postgres://u:p@LOCALHOST/giving', DATABASE_OWNER_URL: 'postgres://u:p@[::1]/giving' },
  { TRUSTED_PROXY: '10.0.0.0/8, 172.16.0.0/12,192.168.0.0/16,uniquelocal,fc00::/7,fe80::/10,::1,2400:cb00::/32' },
  { TRUSTED_PROXY: '::ffff:10.0.0.0/104', RATE_LIMIT_FACTOR: '100' },
  { BASIQ_WEBHOOK_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==', DATA_KEY: '5e'.repeat(32) },
])('%j is taken', (given) => {
  expect(protectionProblems(given)).toEqual([]);
});

test('every weak setting is named in one error', () => {
  expect(protectionProblems({ RATE_LIMIT_FACTOR: '0', TRUSTED_PROXY: '0.0.0.0/0', ZEPTO_TOKEN: 'a' })).toHaveLength(3);
});
