import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { webhookReceivers } from './index.ts';
import { isPublicAddress } from './public-address.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
const serve = (listener: RequestListener): Promise<URL> =>
  new Promise((resolve) => {
    const started = createServer(listener).listen(0, '127.0.0.1', () =>
      resolve(new URL(`http://127.0.0.1:${(started.address() as AddressInfo).port}/hook`)),
    );
    server = started;
  });
const local = webhookReceivers({ isLocalAllowed: true, timeoutMs: 60_000 });
const impatient = webhookReceivers({ isLocalAllowed: true, timeoutMs: 200 });
const strict = webhookReceivers({ isLocalAllowed: false, timeoutMs: 2_000 });

test.each([
  ['8.8.8.8', true],
  ['172.15.255.255', true],
  ['172.32.0.1', true],
  ['2606:4700::1111', true],
  ...[
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.1.1.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...['192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ...['64:ff9b::7f00:1', 'fc00::1', 'fd12::1', 'fe80::1', 'fec0::1', 'ff02::1', '2002:7f00:1::', '2001:db8::1'],
    ...['localhost', '', '8.8.8.8.'],
  ].map((address) => [address, false] as const),
] as const)('%s is public: %s', (address, expected) => expect(isPublicAddress(address)).toBe(expected));

test.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://2130706433/', // 127.0.0.1 in one number
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://user:secret@example.com/',
  'ftp://example.com/',
])('in production %s is not called', async (address) => {
  expect(strict.problemOf(new URL(address))).toBeDefined();
  expect(await strict.post(new URL(address), {}, '')).toEqual({
    status: null,
    text: expect.stringMatching(/^not called: /),
  });
});

test('in production a name of this machine is refused when it is resolved', async () => {
  expect(strict.problemOf(new URL('https://localhost/'))).toBeUndefined();
  expect(await strict.post(new URL('https://localhost/'), {}, '')).toEqual({
    status: null,
    text: 'localhost is no public address',
  });
});

test('an answer is its status and the beginning of its body', async () => {
  const url = await serve((request, response) => {
    request.resume();
    response.writeHead(201).end('x'.repeat(10_000));
  });
  expect(await local.post(url, { 'webhook-id': '1' }, '{}')).toEqual({ status: 201, text: 'x'.repeat(2_000) });
});

test('a redirect is not followed', async () => {
  let calls = 0;
  const url = await serve((_request, response) => {
    calls += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await local.post(url, {}, '{}')).toEqual({ status: 307, text: '' });
  expect(calls).toBe(1);
});

test.each([
  ['never answers', () => {}],
  ['begins an answer and hangs', (_request, response) => void response.writeHead(200).write('slow')],
] as [string, RequestListener][])('a receiver that %s is left', async (_what, listener) => {
  expect(await impatient.post(await serve(listener), {}, '{}')).toEqual({
    status: null,
    text: 'no answer in 200 ms',
  });
});

test('a receiver that is not there is no answer', async () => {
  expect(await local.post(new URL('http://127.0.0.1:1/'), {}, '{}')).toMatchObject({ status: null });
});

test('a receiver that answers with another protocol, and keeps the connection, is given up', async () => {
  const url = await serve(() => {});
  server?.on('request', (request) => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
  });
  expect(await local.post(url, {}, '{}')).toEqual({ status: null, text: 'it answered with another protocol' });
});
