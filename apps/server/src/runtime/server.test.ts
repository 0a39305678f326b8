import { expect, test } from 'vitest';
import { parseConfig } from '#config/config.ts';
import { startServer } from './server.ts';

test('in production the sandbox alone refuses to start, in a sentence', async () => {
  const config = { ...parseConfig({}), isProduction: true, sandbox: undefined };
  await expect(startServer(config, new Set(['sandbox']))).rejects.toThrow('refused (APP_ENV=production)');
});
