import { createHash } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { beforeAll, expect, test } from 'vitest';
import { anApp, ownApp } from '#testing/app-under-test.ts';
import type { TestSupporter } from '#testing/makers.ts';

const api = ownApp();
let robin: TestSupporter;
beforeAll(async () => {
  robin = await api.supporter();
});

const rovers = 'riverside-rovers.sparechange.example';
const verifier = 'made by the browser that will redeem the code';
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');

const create = (host: string) => api.call(contract.createHandoff, { userId: robin.uid, host }, { uid: robin.uid });
const confirm = (handoff: string, challenge = challengeOf(verifier), { uid } = robin) =>
  api.call(contract.confirmHandoff, { userId: uid, handoff, challenge }, { uid });
const exchange = (handoff: string, host = rovers, proof = verifier) =>
  api.call(contract.exchangeHandoff, { handoff, verifier: proof }, { tenant: 'riverside-rovers', headers: { host } });

async function aCode(host = rovers): Promise<string> {
  const { handoff } = (await create(host)).body;
  await confirm(handoff);
  return handoff;
}

test('a code signs its user in at the host it is for, and only once', async () => {
  const code = await aCode();
  expect(await exchange(code)).toMatchObject({ status: 200, body: { customToken: `${robin.uid} at ${rovers}` } });
  expect((await exchange(code)).status).toBe(403);
});

test('a code that no browser has requested opens nothing', async () => {
  const { handoff } = (await create(rovers)).body;
  expect((await api.send(contract.exchangeHandoff, { handoff }, { headers: { host: rovers } })).status).toBe(403);
  expect((await exchange((await create(rovers)).body.handoff)).status).toBe(403);
});

test('another browser than the requesting one gets nothing, and the code is used up', async () => {
  const code = await aCode();
  expect((await exchange(code, rovers, 'a guess')).status).toBe(403);
  expect((await exchange(code)).status).toBe(403);
});

test("a code is confirmed once, by its user's session alone", async () => {
  const kim = await api.supporter();
  const { handoff } = (await create(rovers)).body;
  expect((await confirm(handoff, challengeOf('of the attacker'), kim)).status).toBe(403);
  expect((await confirm(handoff)).status).toBe(200);
  expect((await confirm(handoff, challengeOf('another'))).status).toBe(403);
  expect((await exchange(handoff)).status).toBe(200);
});

test('of many concurrent attempts with a code one succeeds', async () => {
  const code = await aCode();
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(403)]);
});

test('another host is refused, and the code is used up by the attempt', async () => {
  const code = await aCode();
  expect((await exchange(code, 'sparechange.example')).status).toBe(403);
  expect((await exchange(code)).status).toBe(403);
});

test.each(['sparechange.example', 'Riverside-Rovers.sparechange.example', 'ended.sparechange.example'])(
  'a code may be for %s',
  async (host) => {
    expect((await exchange(await aCode(host), host.toLowerCase())).status).toBe(200);
  },
);

test.each([
  'evil.example',
  'unknown.sparechange.example',
  'riverside-rovers.sparechange.example.evil.example',
  'riverside-rovers.sparechange.example:8443',
  'a.riverside-rovers.sparechange.example',
  'riverside-rovers.sparechange.example/path',
])('no code is issued for %s', async (host) => {
  const answer = await create(host);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid-input']);
});

test('after 60 seconds a code opens nothing', async () => {
  const code = await aCode();
  const [row] = await api.rows`
    select extract(epoch from expires_at - now())::float8 as left from identity.handoffs`;
  expect(row?.left).toBeGreaterThan(58);
  expect(row?.left).toBeLessThanOrEqual(60);
  await api.rows`update identity.handoffs set expires_at = now()`;
  expect((await exchange(code)).status).toBe(403);
});

test('a userId alone, or any other text that is not a code, opens nothing', async () => {
  for (const guess of [robin.uid, robin.supporterId, 'x']) expect((await exchange(guess)).status).toBe(403);
});

test('the code itself is not in the database', async () => {
  const code = await aCode();
  const rows = await api.rows<{ text: string }[]>`select row_to_json(handoffs)::text as text from identity.handoffs`;
  expect(rows.length).toBeGreaterThan(0);
  for (const { text } of rows) expect(text).not.toContain(code);
});

test('with a Firebase project there are no codes: the target asks to verify', async () => {
  const firebase = await anApp({ mintHandOffToken: undefined });
  const { uid } = await firebase.supporter();
  const answer = await firebase.call(contract.createHandoff, { userId: uid, host: rovers }, { uid });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
  await firebase.close();
});
