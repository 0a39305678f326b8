import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';

const api = ownApp();

const head = (...headers: string[]) =>
  [
    'POST /api/clubs/find HTTP/1.1',
    'host: sparechange.example',
    'content-type: application/json',
    ...headers,
    '\r\n',
  ].join('\r\n');

/** Sends a head, waits for the answer, and only then sends a body, as a proxy may; returns the answer and what went wrong. */
async function sendLate(headers: string[], body: Buffer[]) {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  let failure: string | undefined;
  socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.code));
  socket.write(head(...headers));
  let answer = String((await once(socket, 'data'))[0]);
  socket.on('data', (chunk) => (answer += chunk));
  for (const piece of body) await new Promise<void>((sent) => socket.write(piece, () => sent()));
  return { socket, answer: () => answer, failure: () => failure };
}

test('a proxy that sends a body after it was refused as too large hears the refusal, and sends its next call', async () => {
  const body = Array.from({ length: 30 }, () => Buffer.alloc(100_000, 'x'));
  const { socket, answer, failure } = await sendLate(['content-length: 3000000'], body);
  expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer()).toContain('"invalid-input"');
  socket.write('GET /healthz HTTP/1.1\r\nhost: sparechange.example\r\nconnection: close\r\n\r\n');
  await once(socket, 'close');
  expect(failure()).toBeUndefined();
  expect(answer()).toContain('alive');
});

test('a body of any length is not read to its end once it is refused', async () => {
  const { socket, answer } = await sendLate(['content-length: 3000000000'], []);
  expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  const piece = Buffer.alloc(1_000_000, 'x');
  let sent = 0;
  while (!socket.closed) {
    await new Promise<void>((written) => socket.write(piece, () => written()));
    sent += 1;
  }
  expect(sent).toBeLessThan(100);
});

test('a refused body that does not come ends the connection', async () => {
  const { socket, answer } = await sendLate(['content-length: 3000000'], [Buffer.from('{')]);
  expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  if (!socket.closed) await once(socket, 'close');
});
