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
  ['IDENTITY_KEYS', weak.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['RATE_LIMIT_FACTOR', '0'],
  ['TRUSTED_PROXY', '0.0.0.0/0'],
  ['TRUSTED_PROXY', '10.0.0.1, ::/0'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving'],
  ['DATABASE_URL', 'postgres://u:secret@db.example/giving?sslmode=prefer'],
  ['DATABASE_URL', 'postgres://u:secret@localhost/giving?host=db.example'],
  ['DATABASE_OWNER_URL', 'postgres://u:secret@db.example/giving'],
  ['PRODUCT_URL', 'http://127.0.0.1.example'],
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
  { BASIQ_WEBHOOK_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==', DATA_KEY: '5e'.repeat(32) },
])('%j is taken', (given) => {
  expect(protectionProblems(given)).toEqual([]);
});

test('everything is named at once', () => {
  expect(protectionProblems({ RATE_LIMIT_FACTOR: '0', TRUSTED_PROXY: '0.0.0.0/0', ZEPTO_TOKEN: 'a' })).toHaveLength(3);
});
