import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { getUser } from '@sparechange/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Identity } from '#caller.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { drain } from './drain.ts';

let api: AppUnderTest;
/** Lets in the caller whose token is being verified. */
let letIn: (identity: Identity) => void;
let isAsked: Promise<void>;
beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<Identity>();
  const asked = Promise.withResolvers<void>();
  letIn = resolve;
  isAsked = asked.promise;
  const verifyIdToken = () => {
    asked.resolve();
    return promise;
  };
  api = await anApp({ verifyIdToken });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => api.close());

const port = () => (api.app.server.address() as AddressInfo).port;

test('waiting calls are answered, and no new ones are let in', async () => {
  const { uid } = await api.supporter();
  const home = `http://127.0.0.1:${port()}`;
  const waiting = fetch(`${home}/api${getUser.path}`, {
    method: 'POST',
    headers: {
      apikey: 'apikey-of-tenant-default',
      tenant: 'default',
      authorization: 'Bearer x',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ userId: uid }),
  });
  await isAsked;
  const drained = drain(api.app, { longestMs: 60_000 });
  await expect.poll(() => fetch(`${home}/healthz`).then(String, () => 'refused')).toBe('refused');
  letIn({ uid, email: 'robin@example.com' });
  expect((await waiting).status).toBe(200);
  await drained; // though the caller would keep the connection
});

test('in its time of grace it lets everybody in, and each answer ends its connection', async () => {
  const home = `http://127.0.0.1:${port()}/healthz`;
  expect((await fetch(home)).headers.get('connection')).toBe('keep-alive');
  const drained = drain(api.app, { graceMs: 200 });
  const answer = await fetch(home);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await drained;
  await expect(fetch(home)).rejects.toThrow('fetch failed');
});

test('one who never finishes sending is not waited for', async () => {
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
