import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('an empty environment gives a sandbox beside a product on port 4000', () => {
  expect(readConfig({})).toEqual({
    port: 4001,
    dataDir: '.data',
    sandbox: {
      databaseFile: '.data/sandbox.sqlite',
      waitsForDisk: true,
      redirectUrl: 'http://localhost:4000/consented',
      basiqApiKey: 'sandbox-basiq-key',
      zeptoToken: 'sandbox-zepto-token',
      smtpPort: 4002,
      origin: 'http://localhost:4001',
      webhooks: {},
    },
  });
});

test('a webhook needs its address and its secret', () => {
  const url = 'http://localhost:4000/webhooks/basiq';
  const config = readConfig({ BASIQ_WEBHOOK_URL: url, BASIQ_WEBHOOK_SECRET: 'whsec_AAAA', ZEPTO_WEBHOOK_URL: url });
  expect(config).toMatchObject({ sandbox: { webhooks: { basiq: { url, secret: 'whsec_AAAA' } } } });
  expect(config).not.toHaveProperty('sandbox.webhooks.zepto');
});

test('every problem is named in one error', () => {
  const { refusal } = readConfig({ SANDBOX_PORT: '99999', ZEPTO_WEBHOOK_URL: 'nowhere' }) as { refusal: string };
  expect(refusal).toContain('SANDBOX_PORT');
  expect(refusal).toContain('ZEPTO_WEBHOOK_URL');
});

test('production is refused', () => {
  expect(readConfig({ APP_ENV: 'production' })).toEqual({
    refusal: expect.stringContaining('does not run in production'),
  });
});
