import { buildSandbox, type Sandbox } from '@sparechange/sandbox/build-sandbox.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { followCommands } from '#db/command-endings.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { freePort } from '#providers/testing/local-server.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { opsOn } from './testing/run-ops.ts';

const api = ownApp();
const runOps = opsOn(() => api.database);
let sandbox: Sandbox;

beforeAll(async () => {
  const [port, smtpPort] = [await freePort(), await freePort()];
  sandbox = await buildSandbox({
    databaseFile: ':memory:',
    redirectUrl: 'http://localhost:4000/consented',
    basiqApiKey: 'sandbox-basiq-key',
    zeptoToken: 'sandbox-zepto-token',
    smtpPort,
  });
  await sandbox.app.listen({ port, host: '127.0.0.1' });
  vi.stubEnv('SANDBOX_PORT', String(port));
  vi.stubEnv('SANDBOX_SMTP_PORT', String(smtpPort));
});
afterAll(() => sandbox.close());

test.each(['supporter close', 'supporter delete-bank-data', 'settle', 'consent-run', 'remit'])(
  'ops %s sends no email itself: those that wait are left to the product',
  async (command) => {
    await api.rows`delete from mails`;
    const { supporterId } = await api.supporter();
    const { email } = await api.supporter();
    const at = api.clock.now();
    await queueEmail(api.db.of(supporterId), { supporterId, key: 'waiting', facts: { kind: 'password_changed' }, at });
    const words = command.split(' ');
    await runOps(...words, ...(words.length > 1 ? [email] : []));
    expect((await sandbox.app.inject({ url: '/mail/messages' })).json()).toEqual([]);
    expect(await api.rows`select attempts, due_at from mails where key = 'waiting'`).toEqual([
      { attempts: 0, due_at: at },
    ]);
  },
);

test('workers hear of the end of a command immediately, also of one that failed', async () => {
  const heard = vi.fn();
  const following = await followCommands(api.db, heard);
  try {
    heard.mockClear(); // it looks once as listening begins
    await runOps('settle');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), 60_000);
    await runOps('supporter', 'close', 'nobody@example.com');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), 60_000);
  } finally {
    await following.unlisten();
  }
});
