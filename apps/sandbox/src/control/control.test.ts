import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiKey, aSandbox, connect } from '#testing/sandbox-under-test.ts';

test('a fault of one mandate applies to requests that name it, and to no other ones', async () => {
  const sandbox = await aSandbox();
  const fault = { path: '/zepto/contacts', method: 'POST', bodyContains: 'poison@example.com', status: 500 };
  await sandbox.control('POST', '/faults', fault);
  const add = async (email: string) => {
    const answer = await sandbox.zepto('POST', '/contacts/anyone', {
      name: 'Joan Poison',
      email,
      branch_code: '012001',
      account_number: '12345678',
    });
    return answer.status;
  };
  expect([await add('poison@example.com'), await add('joan@example.com')]).toEqual([500, 201]);
  expect(await add('poison@example.com')).toBe(500);
  await sandbox.close();
});

test('the clock is read, moved by an offset and set to an instant', async () => {
  const sandbox = await aSandbox();
  expect((await sandbox.control('GET', '/clock')).json).toEqual({ now: '2026-11-18T01:00:00.000Z', offsetMs: 0 });
  expect((await sandbox.control('POST', '/clock', { offsetMs: 60_000 })).json.now).toBe('2026-11-18T01:01:00.000Z');
  expect((await sandbox.control('POST', '/clock', { now: '2026-11-19T01:00:00+00:00' })).json.offsetMs).toBe(
    86_400_000,
  );
  expect((await sandbox.control('POST', '/clock', { hours: 1 })).status).toBe(400);
  await sandbox.close();
});

test('a purchase lands on the everyday account unless another is named', async () => {
  const sandbox = await aSandbox();
  const { userId, email } = await connect(sandbox);
  const buy = async (purchase: object) => {
    const { json, status } = await sandbox.control('POST', '/purchases', purchase);
    expect(status).toBe(201);
    return (await sandbox.basiq('GET', `/users/${userId}/transactions/${json.transactionId}`)).json;
  };
  const accounts = (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
  const first = await buy({ email: email.toUpperCase(), amount: '4.35' });
  expect(first).toMatchObject({
    amount: '-4.35',
    status: 'posted',
    class: 'payment',
    account: accounts[0].id,
    postDate: '2026-11-17T13:00:00Z',
  });
  const second = await buy({ userId, amount: '12', account: 'hooli saver', description: 'KIOSK', date: '2026-11-02' });
  expect(second).toMatchObject({
    amount: '-12.00',
    description: 'KIOSK',
    account: accounts[1].id,
    postDate: '2026-11-01T13:00:00Z',
  });
  await sandbox.close();
});

test('a purchase is refunded in full on its account: the named purchase, else the newest', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const act = async (path: string, body: object) => (await sandbox.control('POST', path, { userId, ...body })).json;
  const { transactionId: first } = await act('/purchases', {
    amount: '12',
    account: 'hooli saver',
    description: 'KIOSK',
  });
  const { transactionId: second } = await act('/purchases', { amount: '4.35' });
  for (const [named, paidBack] of [
    [{}, second],
    [{ transactionId: first, date: '2026-11-18' }, first],
  ] as const) {
    const { transactionId, refunded } = await act('/refunds', named);
    expect(refunded).toBe(paidBack);
    const show = async (id: string) => (await sandbox.basiq('GET', `/users/${userId}/transactions/${id}`)).json;
    const [purchase, credit] = [await show(refunded), await show(transactionId)];
    expect(credit).toMatchObject({ direction: 'credit', class: 'refund', account: purchase.account });
    expect([credit.description, `-${credit.amount}`]).toEqual([purchase.description, purchase.amount]);
  }
  const unknown = await sandbox.control('POST', '/refunds', { userId, transactionId: 'unknown' });
  expect(unknown.status).toBe(404);
  await sandbox.close();
});

test('a refund by default is of a purchase, not of a bill or direct debit paid after it', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const act = async (path: string, body: object) => (await sandbox.control('POST', path, { userId, ...body })).json;
  const { transactionId: coffee } = await act('/purchases', { amount: '4.35' });
  for (const description of ['Direct Debit 481203 SPARECHANGE RU4F09A1C', 'BPAY BANKSIA ENERGY 83214'])
    await act('/purchases', { amount: '9.90', description });
  expect((await act('/refunds', {})).refunded).toBe(coffee);
  await sandbox.close();
});

test('a customer is connected in one step', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const { status, json } = await sandbox.control('POST', '/connections', { userId, crn: '12345678' });
  expect(status).toBe(201);
  await sandbox.pass(3);
  expect((await sandbox.basiq('GET', `/jobs/${json.jobId}`)).json.steps[2].status).toBe('success');
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data[0].name).toBe('Hooli Everyday');
  expect((await sandbox.control('POST', '/connections', { userId, crn: '12345678', institution: 'AU1' })).status).toBe(
    400,
  );
  await sandbox.close();
});

test('a connection is made in no time where its job is asked to', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const connection = { userId, crn: '12345678', job: { takes: 'instant' } };
  const { json } = await sandbox.control('POST', '/connections', connection);
  expect((await sandbox.basiq('GET', `/jobs/${json.jobId}`)).json.steps[2].status).toBe('success');
  await sandbox.close();
});

test('two purchases alike are two transactions', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const buy = async () => (await sandbox.control('POST', '/purchases', { userId, amount: '4.35' })).json.transactionId;
  expect(await buy()).not.toBe(await buy());
  await sandbox.close();
});

test.each([
  [{ email: 'nobody@example.com', amount: '1.00' }, 404],
  [{ amount: '1.00' }, 404],
  [{ email: 'joan@example.com', amount: '1.001' }, 400],
  [{ email: 'joan@example.com', amount: 1 }, 400],
  [{ email: 'joan@example.com', amount: '1.00', date: '2026-02-30' }, 400],
  [{ email: 'joan@example.com', amount: '1.00', account: 'Piggy Bank' }, 404],
])('%j is refused with a reason', async (purchase, status) => {
  const sandbox = await aSandbox();
  await connect(sandbox, '12345678', 'AU00000', 'joan@example.com');
  const answer = await sandbox.control('POST', '/purchases', purchase);
  expect(answer.status).toBe(status);
  expect(answer.json.error.length).toBeGreaterThan(10);
  await sandbox.close();
});

test('a bank reports a balance that was set, until it reports that of the statement again', async () => {
  const sandbox = await aSandbox();
  const { userId, email } = await connect(sandbox);
  const reported = async () => {
    const [{ balance, availableFunds }] = (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
    return [balance, availableFunds];
  };
  const truth = await reported();
  for (const balance of ['12.34', '-5.00']) {
    expect((await sandbox.control('POST', '/balances', { email, balance })).json).toMatchObject({ balance });
    expect(await reported()).toEqual([balance, balance]);
  }
  await sandbox.control('POST', '/balances', { email });
  expect(await reported()).toEqual(truth);
  expect((await sandbox.control('POST', '/balances', { email, balance: 'a lot' })).status).toBe(400);
  await sandbox.close();
});

test('a consent expires or is revoked on demand', async () => {
  const sandbox = await aSandbox();
  const { userId, email } = await connect(sandbox);
  expect((await sandbox.control('POST', '/consents', { email, action: 'expire' })).json.status).toBe('expired');
  const [consent] = (await sandbox.basiq('GET', `/users/${userId}/consents`)).json.data;
  expect(consent).toMatchObject({ status: 'expired', expiryDate: '2026-11-18T01:00:03Z' });
  expect((await sandbox.control('POST', '/consents', { userId, action: 'revoke' })).status).toBe(404);
  await sandbox.close();
});

test('the end of a consent comes nearer on demand, and with it the end of what the bank permits', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const ofConsent = async () => (await sandbox.basiq('GET', `/users/${userId}/consents`)).json.data[0];
  const answer = await sandbox.control('POST', '/consents', { userId, action: 'end-in', days: 20 });
  expect(answer.json).toMatchObject({ status: 'active', expiryDate: (await ofConsent()).expiryDate });
  expect(answer.json.expiryDate).toMatch(/^2026-12-08T/);
  await sandbox.control('POST', '/clock', { offsetMs: 19 * 86_400_000 });
  expect((await ofConsent()).status).toBe('active');
  await sandbox.control('POST', '/clock', { offsetMs: 20 * 86_400_000 + 60_000 });
  expect((await ofConsent()).status).toBe('expired');
  for (const days of [0, 1.5, 366, 'soon', undefined]) {
    expect((await sandbox.control('POST', '/consents', { userId, action: 'end-in', days })).status).toBe(400);
  }
  await sandbox.close();
});

test('faults apply by path as often as asked, in the provider’s own words, and never here', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  await sandbox.control('POST', '/faults', { path: '/basiq/users', status: 503, count: 2 });
  const ask = async () => sandbox.basiq('GET', `/users/${userId}`);
  const [first, second, third] = [await ask(), await ask(), await ask()];
  expect([first.status, second.status, third.status]).toEqual([503, 503, 200]);
  expect(first.json.data[0].code).toBe('service-unavailable');
  await sandbox.control('POST', '/faults', { path: '/zepto', status: 429 });
  expect((await sandbox.zepto('GET', '/bank_accounts')).status).toBe(429);
  expect((await sandbox.control('GET', '/faults')).json).toMatchObject([{ path: '/zepto', status: 429 }]);
  expect((await sandbox.control('DELETE', '/faults')).status).toBe(204);
  expect((await sandbox.zepto('GET', '/bank_accounts')).status).toBe(200);
  expect((await sandbox.control('POST', '/faults', { path: '/zepto', status: 418 })).status).toBe(400);
  await sandbox.close();
});

test('a time-out before the effect leaves nothing, one after it leaves everything', async () => {
  const sandbox = await aSandbox();
  const address = await sandbox.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = {
    authorization: `Bearer ${await sandbox.token('SERVER_ACCESS')}`,
    'content-type': 'application/json',
  };
  const post = (email: string) =>
    fetch(`${address}/basiq/users`, { method: 'POST', headers, body: JSON.stringify({ email }) });
  await sandbox.control('POST', '/faults', { path: '/basiq/users', timeoutBeforeEffect: true, holdMs: 20, count: 1 });
  await expect(post('before@example.com')).rejects.toThrow();
  await sandbox.control('POST', '/faults', { path: '/basiq/users', timeoutAfterEffect: true, holdMs: 20, count: 1 });
  await expect(post('after@example.com')).rejects.toThrow();
  const { text } = await sandbox.request({ method: 'GET', url: '/' });
  expect([text.includes('before@example.com'), text.includes('after@example.com')]).toEqual([false, true]);
  await sandbox.close();
});

test('answers survive a restart, and so do clock, tokens and pending events', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const databaseFile = join(folder, 'sandbox.sqlite');
  const before = await aSandbox({ databaseFile });
  const { userId } = await connect(before);
  const token = await before.token('SERVER_ACCESS');
  const authoriser = {
    name: 'Joan',
    email: 'joan@example.com',
    bank_account: { branch_code: '062000', account_number: '12345678' },
  };
  const { json } = await before.zepto('POST', '/agreements/kyc', { authoriser });
  const body = {
    description: 'RU1',
    matures_at: '2026-11-20T06:00:00',
    amount: 435,
    authoriser_contact_id: json.data.contact_id,
  };
  const made = await before.zepto('POST', '/payment_requests', body, 'key');
  await before.control('POST', '/purchases', { userId, amount: '4.35', description: 'KIOSK' });
  await before.control('POST', '/faults', { path: '/basiq/nothing', status: 500 });
  const seen = (await before.basiq('GET', `/users/${userId}/transactions`)).json;
  await before.close();

  const after = await aSandbox({ databaseFile });
  expect(after.clock.offsetMs()).toBe(3000);
  const answer = await after.request({
    method: 'GET',
    url: `/basiq/users/${userId}/transactions`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.json).toEqual(seen);
  const again = await after.zepto('POST', '/payment_requests', body, 'key');
  expect([again.status, again.json.errors[0].meta.resource_ref]).toEqual([409, made.json.data.ref]);
  expect((await after.control('GET', '/faults')).json).toHaveLength(1);
  await after.pass(8 * 86_400);
  expect((await after.control('GET', '/payments')).json).toMatchObject([
    { state: 'cleared', clearedAt: '2026-11-23T22:00:00.000Z' },
  ]);
  await after.close();
  rmSync(folder, { recursive: true });
});

test('a reset forgets everything but how it was started', async () => {
  const sandbox = await aSandbox({ webhooks: { basiq: { url: 'http://127.0.0.1:9/none', secret: 'whsec_AAAA' } } });
  const { userId } = await connect(sandbox);
  await sandbox.control('POST', '/reset');
  expect((await sandbox.basiq('GET', `/users/${userId}`)).status).toBe(404);
  expect((await sandbox.control('GET', '/clock')).json.offsetMs).toBe(0);
  expect((await sandbox.control('GET', '/webhooks')).json).toEqual([]);
  expect((await sandbox.basiq('GET', '/notifications/webhooks')).json.size).toBe(1);
  await connect(sandbox);
  await sandbox.close();
});

test('the page that explains it all shows customers, debits, payouts and mail', async () => {
  const sandbox = await aSandbox();
  const page = async () => (await sandbox.request({ method: 'GET', url: '/' })).text;
  for (const word of ['Nobody has connected', 'No debits yet', 'No payouts yet', 'No mail yet', '90000001', '90000006'])
    expect(await page()).toContain(word);
  await connect(sandbox, '12345678', 'AU00000', 'joan@example.com');
  const account = { branch_code: '062000', account_number: '12345678' };
  const authoriser = { name: 'Joan', email: 'payer@example.com', bank_account: account };
  const matures_at = sandbox.clock.now().toISOString();
  const agreement = await sandbox.zepto('POST', '/agreements/kyc', { authoriser });
  const debit = { description: 'RU1', matures_at, amount: 435, authoriser_contact_id: agreement.json.data.contact_id };
  await sandbox.zepto('POST', '/payment_requests', debit, 'debit');
  const payee = await sandbox.zepto('POST', '/contacts/anyone', {
    name: 'Club',
    email: 'club@example.com',
    ...account,
  });
  const payouts = [{ amount: 217, description: 'OUT1', recipient_contact_id: payee.json.data.id }];
  await sandbox.zepto(
    'POST',
    '/payments',
    { description: 'OUT1', matures_at, channels: ['direct_entry'], payouts },
    'out',
  );
  const text = await page();
  for (const word of ['joan@example.com', 'CRN <code>12345678', 'Hooli Everyday', 'payer@example.com', '$4.35', 'RU1'])
    expect(text).toContain(word);
  for (const word of ['club@example.com', '$2.17', 'OUT1', 'href="/mail"']) expect(text).toContain(word);
  expect(text).not.toContain(apiKey);
  expect((await sandbox.request({ method: 'GET', url: '/healthz' })).status).toBe(200);
  await sandbox.close();
});
