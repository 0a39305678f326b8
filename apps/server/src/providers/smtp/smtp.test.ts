import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { smtpMailer } from './index.ts';
import { isPermanent } from './permanent.ts';

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** A mail server that answers each command as usual unless the test says otherwise. Collects what it was sent. */
async function aMailServer(answers: Record<string, string> = {}) {
  const mails: string[] = [];
  server = createServer((socket) => {
    let isData = false;
    let mail = '';
    let unread = '';
    socket.on('error', () => undefined);
    socket.write(`${answers.greeting ?? '220 ready'}\r\n`);
    socket.on('data', (chunk) => {
      const lines = (unread + chunk.toString()).split('\r\n');
      unread = lines.pop() ?? '';
      for (const line of lines) {
        if (isData && line !== '.') mail += `${line}\n`;
        else if (isData) {
          isData = false;
          mails.push(mail);
          socket.write(`${answers.message ?? '250 queued'}\r\n`);
        } else {
          const command = line.split(/[ :]/)[0] ?? '';
          const usual = command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 fine';
          isData = command === 'DATA' && !answers.DATA;
          socket.write(`${answers[command] ?? usual}\r\n`);
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const timeouts = { connectMs: 500, greetingMs: 200, idleMs: 500 };
  const mailer = smtpMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Sparechange <hello@sparechange.test>',
    timeouts,
  });
  return {
    mails,
    port,
    send: (to = 'joan@example.com') => mailer.send({ to, subject: 'Hello', text: 'Text', html: '<p>Html</p>' }),
  };
}

test('a mail arrives with both its forms', async () => {
  const { mails, send } = await aMailServer();
  await send();
  expect(mails).toHaveLength(1);
  for (const part of [
    'From: Sparechange <hello@sparechange.test>',
    'To: joan@example.com',
    'Subject: Hello',
    'Text',
    '<p>Html</p>',
  ]) {
    expect(mails[0]).toContain(part);
  }
});

test('the server may be given in parts', async () => {
  const { mails, port } = await aMailServer();
  const mailer = smtpMailer({ host: '127.0.0.1', port, secure: false, from: 'a@b.test' });
  await mailer.send({ to: 'joan@example.com', subject: 's', text: 't', html: 'h' });
  expect(mails).toHaveLength(1);
});

test.each([
  ['an unknown mailbox', { RCPT: '550 5.1.1 <joan@example.com> unknown' }],
  ['a sender that is not taken', { MAIL: '553 not allowed' }],
  ['a content that is not taken', { message: '554 looks like spam' }],
])('%s is refused for good, and the reason names no address', async (_name, answers) => {
  const { send } = await aMailServer(answers);
  const error = await send().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ProviderRefused);
  expect(String(error)).not.toContain('joan@');
});

test.each([
  ['a full mailbox', { RCPT: '452 4.2.2 full' }],
  ['a greylisting', { message: '451 4.7.1 try again later' }],
  ['a server that is closed today', { greeting: '421 not now' }],
  ['a server that does not want us', { greeting: '554 no service' }],
])('%s may be tried again', async (_name, answers) => {
  const { send } = await aMailServer(answers);
  await expect(send()).rejects.toThrow(ProviderUnavailable);
});

test('a server that says nothing is given up on in time', async () => {
  const { send } = await aMailServer({ greeting: '' });
  await expect(send()).rejects.toThrow(ProviderUnavailable);
});

test('a server that is not there may be tried again', async () => {
  await aMailServer();
  const mailer = smtpMailer({ url: 'smtp://127.0.0.1:1', from: 'a@b.test', timeouts: { connectMs: 200 } });
  await expect(mailer.send({ to: 'j@b.test', subject: 's', text: 't', html: 'h' })).rejects.toThrow(
    ProviderUnavailable,
  );
});

test('a mail without an address is refused for good', async () => {
  const { send } = await aMailServer();
  await expect(send('')).rejects.toThrow(ProviderRefused);
});

test('a sign-in that is refused is ours to put right', async () => {
  expect(isPermanent(Object.assign(new Error('535'), { code: 'EAUTH', responseCode: 535 }))).toBe(false);
  await aMailServer();
});
