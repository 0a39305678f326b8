import { type AddressInfo, createConnection, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { aSandbox } from '#testing/sandbox-under-test.ts';

const aFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Speaks SMTP by hand, each line after the server's answer. */
const speak = (port: number, lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    const queue = [...lines];
    let answers = '';
    socket.on('data', (data) => {
      answers += data.toString();
      if (!/^\d{3} .*\r\n$/m.test(data.toString())) return;
      const next = queue.shift();
      if (next === undefined) socket.end();
      else socket.write(`${next}\r\n`);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answers));
  });

const email = [
  'From: Sparechange <hello@example.com>',
  'To: Joan <joan@example.com>',
  'Subject: =?UTF-8?Q?Caf=C3=A9_round-ups?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Your code is 123456 =E2=80=93 thanks.',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Your code is <b>123456</b>.</p>',
  '--b--',
].join('\r\n');

test('an email sent by SMTP is found under each of its recipients', async () => {
  const smtpPort = await aFreePort();
  const sandbox = await aSandbox({ smtpPort });
  const answers = await speak(smtpPort, [
    'EHLO test',
    'MAIL FROM:<hello@example.com>',
    'RCPT TO:<Joan@Example.com>',
    'RCPT TO:<archive@example.com>',
    'DATA',
    `${email}\r\n.`,
    'QUIT',
  ]);
  expect(answers).toContain('250 OK: message queued');
  const { json } = await sandbox.request({ method: 'GET', url: '/mail/messages?to=JOAN@example.com' });
  expect(json).toEqual([
    {
      to: 'joan@example.com',
      subject: 'Café round-ups',
      text: expect.stringContaining('Your code is 123456 – thanks.'),
      html: expect.stringContaining('<b>123456</b>'),
      receivedAt: '2026-11-18T01:00:00.000Z',
    },
  ]);
  expect((await sandbox.request({ method: 'GET', url: '/mail/messages' })).json).toHaveLength(2);
  const page = await sandbox.request({ method: 'GET', url: '/mail' });
  expect(page.text).toContain('Café round-ups');
  expect((await sandbox.request({ method: 'GET', url: '/' })).text).toContain('<a href="/mail/1">Café round-ups</a>');
  const mail = await sandbox.request({ method: 'GET', url: '/mail/1' });
  expect(mail.text).toContain('&lt;b&gt;123456&lt;/b&gt;');
  await sandbox.close();
});

test('a recipient is put off or refused as often as it was asked for, and nobody else is', async () => {
  const smtpPort = await aFreePort();
  const sandbox = await aSandbox({ smtpPort });
  await sandbox.control('POST', '/faults', { mail: 'put off', to: 'Joan@example.com', count: 1 });
  await sandbox.control('POST', '/faults', { mail: 'refuse', to: 'joan@example.com', count: 1 });
  const answers = await speak(smtpPort, [
    'EHLO test',
    'MAIL FROM:<hello@example.com>',
    'RCPT TO:<archive@example.com>',
    ...Array.from({ length: 3 }, () => 'RCPT TO:<joan@example.com>'),
    'QUIT',
  ]);
  const codes = answers.split('\r\n').map((line) => line.slice(0, 4));
  expect(codes.slice(-6)).toEqual(['250 ', '451 ', '550 ', '250 ', '221 ', '']);
  await sandbox.close();
});

test('a sender and a content are refused as often as it was asked for', async () => {
  const smtpPort = await aFreePort();
  const sandbox = await aSandbox({ smtpPort });
  await sandbox.control('POST', '/faults', { mail: 'refuse sender', count: 1 });
  await sandbox.control('POST', '/faults', { mail: 'refuse content', to: 'joan@example.com', count: 1 });
  const mail = ['MAIL FROM:<hello@example.com>', 'RCPT TO:<joan@example.com>', 'DATA', `${email}\r\n.`];
  const answers = await speak(smtpPort, ['EHLO test', mail[0] ?? '', ...mail, ...mail, 'QUIT']);
  const codes = answers.split('\r\n').map((line) => line.slice(0, 4));
  expect(codes.slice(-11)).toEqual([
    ...['553 ', '250 ', '250 ', '354 ', '554 '],
    ...['250 ', '250 ', '354 ', '250 ', '221 ', ''],
  ]);
  expect((await sandbox.request({ method: 'GET', url: '/mail/messages' })).json).toHaveLength(1);
  await sandbox.close();
});
