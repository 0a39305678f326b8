import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import * as contract from '@sparechange/contract/console';
import { describe, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';

const api = ownApp({
  productUrl: 'http://127.0.0.1',
  consoleUrl: new URL('https://console.sparechange.example/console'),
});

/** Sends the head of an upload and none of its body; returns the status. */
async function beginUpload(path: string, person?: TestOperator): Promise<number> {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    [
      `POST /console/api${path} HTTP/1.1`,
      'host: console.sparechange.example',
      'x-sparechange-console: 1',
      ...(person ? [`cookie: ${person.cookie}`] : []),
      'content-type: application/json',
      'content-length: 400000',
      '\r\n{',
    ].join('\r\n'),
  );
  const timer = setTimeout(() => socket.destroy(new Error('The body is waited for.')), 5_000);
  const [answer] = await once(socket, 'data');
  clearTimeout(timer);
  if (!socket.closed) await once(socket, 'close');
  return Number(String(answer).split(' ')[1]);
}

test.each([contract.importStatement, contract.uploadTenantPicture])(
  'the body of $name is not waited for from who may not send it',
  async ({ path }) => {
    expect(await beginUpload(path)).toBe(401);
    expect(await beginUpload(path, await anOperator(api.db, { roles: ['viewer'] }))).toBe(403);
  },
);

const notes = () =>
  api.rows<{ action: string; details: Record<string, string> }[]>`
    select action, details from audit_log where action like 'console %' order by at, id`;

test('an export of a list is noted with its person and the names of its filters, and a page that is shown is not', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const list = (input: object) => callConsole(api.app, contract.listSupporters, input, finance);
  for (const input of [{ search: 'Robin' }, { limit: 1_000, search: 'robin@example.com' }])
    expect((await list(input)).status).toBe(200);
  const shown = { limit: contract.maxApprovalsListed };
  expect((await callConsole(api.app, contract.listApprovals, shown, finance)).status).toBe(200);
  const noted = await notes();
  expect(noted).toMatchObject([
    { action: 'console export listSupporters', details: { filters: 'search', operator: finance.id } },
  ]);
  expect(JSON.stringify(noted)).not.toContain('robin@');
});

test('the rest of a list is an export without its first page too, noted once for all its pages', async () => {
  await api.supporter();
  await api.supporter();
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const list = (input: object) => callConsole(api.app, contract.listSupporters, input, finance);
  const { next } = (await list({ limit: 1 })).body;
  for (let page = 0; page < 2; page += 1) expect((await list({ limit: 1_000, after: next })).status).toBe(200);
  const noted = (await notes()).filter(({ details }) => details.operator === finance.id);
  expect(noted).toMatchObject([{ action: 'console export listSupporters', details: { filters: '' } }]);
});

test('the pages of exports have a limit by person that three long ones keep within', async () => {
  const person = await anOperator(api.db);
  const page = async () =>
    (await callConsole(api.app, contract.listPeople, { limit: 51, after: 'somebody' }, person)).status;
  let answered = 0;
  while (answered < 400 && (await page()) === 200) answered += 1;
  expect(await page()).toBe(429);
  expect(answered).toBeGreaterThanOrEqual(150);
});

test('exports and reconciliations have a limit by person and minute', async () => {
  const [first, second] = [await anOperator(api.db), await anOperator(api.db)];
  const ask = (person: TestOperator) => callConsole(api.app, contract.listPayments, { limit: 1_000 }, person);
  for (let call = 0; call < 20; call += 1) expect((await ask(first)).status).toBe(200);
  expect((await ask(first)).status).toBe(429);
  const again = { day: '2026-11-24' };
  expect((await callConsole(api.app, contract.reconcileAgain, again, first)).status).toBe(429);
  expect((await callConsole(api.app, contract.reconcileAgain, again, second)).status).toBe(200);
});

test('acts have a limit by person, each of them being kept for ever', async () => {
  const [first, second] = [await anOperator(api.db), await anOperator(api.db)];
  const act = async (person: TestOperator) =>
    (await callConsole(api.app, contract.retryFailedJobs, { jobId: randomUUID() }, person)).status;
  let made = 0;
  while (made < 200 && (await act(first)) !== 429) made += 1;
  expect(made).toBeGreaterThanOrEqual(60);
  expect(made).toBeLessThan(200);
  const other = await callConsole(api.app, contract.signOutEverywhere, {}, first);
  expect([other.status, other.body.error.code]).toEqual([429, 'too-many-requests']);
  expect((await callConsole(api.app, contract.listPeople, {}, first)).status).toBe(200);
  expect(await act(second)).not.toBe(429);
  const noted = (await notes()).filter(({ details }) => details.operator === first.id && !('call' in details));
  expect(noted).toHaveLength(made);
});

describe('for those who are signed out', () => {
  const api = ownApp({}, { trustProxy: true });
  const callFrom = <Op extends contract.ConsoleOperation>(ip: string, operation: Op, input: object) =>
    callConsole(api.app, operation, input, { headers: { 'x-forwarded-for': ip } });
  const ask = async (ip: string, email: string) => (await callFrom(ip, contract.requestSignInLink, { email })).status;

  test('calls have a limit by network, in which it is not counted who asks whether they are signed in', async () => {
    const openLink = async (ip: string) => (await callFrom(ip, contract.signInWithLink, { token: 'unknown' })).status;
    let made = 0;
    while (made < 200 && (await openLink('192.0.2.1')) !== 429) made += 1;
    expect(made).toBeGreaterThanOrEqual(60);
    expect(made).toBeLessThan(200);
    expect((await callFrom('192.0.2.1', contract.beginPasskeySignIn, {})).status).toBe(429);
    expect((await callFrom('192.0.2.1', contract.retrieveSession, {})).status).toBe(200);
    expect(await openLink('192.0.2.2')).toBe(404);
  });

  test('links to one address have a limit by network, and one of all networks together', async () => {
    const email = 'terry@club.example';
    const fiveAndOne = [200, 200, 200, 200, 200, 429];
    for (const network of [11, 12, 13, 14]) {
      const statuses: number[] = [];
      for (let call = 0; call < 6; call += 1) statuses.push(await ask(`192.0.2.${network}`, email));
      expect([network, statuses]).toEqual([network, fiveAndOne]);
    }
    expect(await ask('192.0.2.15', email)).toBe(429);
    expect(await ask('192.0.2.15', 'nobody@club.example')).toBe(200);
    expect(await ask('192.0.2.11', 'nobody@club.example')).toBe(200);
  });
});
