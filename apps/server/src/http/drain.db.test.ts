import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { getUser } from '@sparechange/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Identity } from '#caller.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { drain } from './drain.ts';

let api: AppUnderTest;
/** Completes the verification of the waiting call's token. */
let completeVerification: (identity: Identity) => void;
let verificationBegun: Promise<void>;
beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<Identity>();
  const begun = Promise.withResolvers<void>();
  completeVerification = resolve;
  verificationBegun = begun.promise;
  const verifyIdToken = () => {
    begun.resolve();
    return promise;
  };
  api = await anApp({ verifyIdToken });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => api.close());

const port = () => (api.app.server.address() as AddressInfo).port;

test('calls in progress are answered, and new ones are refused', async () => {
  const { uid } = await api.supporter();
  const baseUrl = `http://127.0.0.1:${port()}`;
  const waiting = fetch(`${baseUrl}/api${getUser.path}`, {
    method: 'POST',
    headers: {
      apikey: 'apikey-of-tenant-default',
      tenant: 'default',
      authorization: 'Bearer x',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ userId: uid }),
  });
  await verificationBegun;
  const drained = drain(api.app, { longestMs: 60_000 });
  await expect.poll(() => fetch(`${baseUrl}/healthz`).then(String, () => 'refused')).toBe('refused');
  completeVerification({ uid, email: 'robin@example.com' });
  expect((await waiting).status).toBe(200);
  await drained; // although the caller would keep the connection open
});

test('during the grace period new calls are still answered, and each answer closes its connection', async () => {
  const baseUrl = `http://127.0.0.1:${port()}/healthz`;
  expect((await fetch(baseUrl)).headers.get('connection')).toBe('keep-alive');
  const drained = drain(api.app, { graceMs: 200 });
  const answer = await fetch(baseUrl);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await drained;
  await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
});

test('a caller who never finishes sending is not waited for', async () => {
  const socket = connect(port(), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'POST /api/clubs/find HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  );
  await once(api.app.server, 'request');
  const closed = once(socket, 'close');
  await drain(api.app, { longestMs: 50 });
  await closed;
});
