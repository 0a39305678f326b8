import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aSandbox, connect, type SandboxUnderTest } from '#testing/sandbox-under-test.ts';

const email = 'joan@example.com';

async function aPayer(
  sandbox: SandboxUnderTest,
  account = { branch_code: '062000', account_number: '12345678' },
): Promise<string> {
  const terms = { per_payout: { min_amount: 1, max_amount: 25_000 }, per_frequency: { days: 7, max_amount: 100_000 } };
  const answer = await sandbox.zepto('POST', '/agreements/kyc', {
    authoriser: { name: 'Joan Smith', email, bank_account: account },
    terms,
  });
  expect(answer.status).toBe(201);
  return answer.json.data.contact_id;
}

async function debit(sandbox: SandboxUnderTest, contactId: string, change: object = {}, key: string = randomUUID()) {
  const body = {
    description: `RU${key}`,
    matures_at: sandbox.clock.now().toISOString(),
    amount: 435,
    authoriser_contact_id: contactId,
  };
  return sandbox.zepto('POST', '/payment_requests', { ...body, ...change }, key);
}

const stateOf = async (sandbox: SandboxUnderTest, ref: string) => {
  const { json } = await sandbox.zepto(
    'GET',
    `/transactions?both_parties=true&parent_ref=${ref}&min_created_date=2020-01-01T00:00:00Z`,
  );
  return Object.fromEntries(json.data.map((leg: { type: string; status: string }) => [leg.type, leg.status]));
};

test('a debit matures on its day and clears two banking days later', async () => {
  const sandbox = await aSandbox();
  const { json, status } = await debit(sandbox, await aPayer(sandbox), { matures_at: '2026-11-20T06:00:00' });
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ status: 'approved', matures_at: '2026-11-19T19:00:00Z', payout: { amount: 435 } });
  expect(await stateOf(sandbox, json.data.ref)).toEqual({ debit: 'maturing', credit: 'maturing' });
  await sandbox.moveTo('2026-11-19T19:00:00Z');
  expect(await stateOf(sandbox, json.data.ref)).toEqual({ debit: 'clearing', credit: 'matured' });
  // Friday's debit: over the weekend nothing happens, Tuesday morning it is there.
  await sandbox.moveTo('2026-11-23T21:59:59Z');
  expect(await stateOf(sandbox, json.data.ref)).toEqual({ debit: 'clearing', credit: 'matured' });
  await sandbox.moveTo('2026-11-23T22:00:00Z');
  expect(await stateOf(sandbox, json.data.ref)).toEqual({ debit: 'cleared', credit: 'cleared' });
  expect((await sandbox.zepto('GET', '/bank_accounts')).json.data[0].available_balance).toBe(435);
  await sandbox.close();
});

test('over Christmas it takes until the banks are back', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  const { json } = await debit(sandbox, payer, { matures_at: '2026-12-23T06:00:00' });
  await sandbox.moveTo('2026-12-28T21:59:59Z');
  expect((await stateOf(sandbox, json.data.ref)).debit).toBe('clearing');
  await sandbox.moveTo('2026-12-28T22:00:00Z');
  expect((await stateOf(sandbox, json.data.ref)).debit).toBe('cleared');
  await sandbox.close();
});

test('a key works once a day: repeated, it answers 409 and names what it made', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  const first = await debit(sandbox, payer, {}, 'once');
  const again = await debit(sandbox, payer, { amount: 1 }, 'once');
  expect(again.status).toBe(409);
  expect(again.json.errors[0].meta.resource_ref).toBe(first.json.data.ref);
  await sandbox.pass(24 * 3600);
  const later = await debit(sandbox, payer, {}, 'once');
  expect(later.status).toBe(200);
  expect(later.json.data.ref).not.toBe(first.json.data.ref);
  const payments = (await sandbox.control('GET', '/payments')).json;
  expect(
    payments.map(({ idempotencyKey, amount }: { idempotencyKey: string; amount: number }) => [idempotencyKey, amount]),
  ).toEqual([
    ['once', 435],
    ['once', 435],
  ]);
  await sandbox.close();
});

test('what cannot be debited is refused and leaves no trace', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  const anyone = await sandbox.zepto('POST', '/contacts/anyone', {
    name: 'Ann',
    email: 'ann@example.com',
    branch_code: '062000',
    account_number: '555555',
  });
  const refused = [
    await debit(sandbox, anyone.json.data.id),
    await debit(sandbox, payer, { amount: 25_001 }),
    await debit(sandbox, payer, { amount: 0 }),
    await debit(sandbox, payer, { amount: '435' }),
    await debit(sandbox, payer, { metadata: { remitter: 'xy' } }),
    await debit(sandbox, payer, { matures_at: 'soon' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422]);
  expect(refused[0]?.json.errors).toContain('must have a valid agreement in place');
  expect((await sandbox.zepto('POST', '/payment_requests', {})).status).toBe(400);
  expect((await sandbox.request({ method: 'GET', url: '/zepto/transactions' })).status).toBe(401);
  expect((await sandbox.control('GET', '/payments')).json).toEqual([]);
  await sandbox.close();
});

test('the terms of the agreement also cap the sum taken in seven days', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await debit(sandbox, payer, { amount: 25_000 })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 422]);
  await sandbox.pass(7 * 86_400 + 1);
  expect((await debit(sandbox, payer, { amount: 25_000 })).status).toBe(200);
  await sandbox.close();
});

test('a cleared debit shows on the payer’s statement with remitter and nine characters, and lowers the balance', async () => {
  const sandbox = await aSandbox();
  for (const [institution, expected] of [
    ['AU00000', 'DIRECT DEBIT SPARECHANGE RU1A2B3C4'],
    ['AU00101', 'Direct Debit 481203 SPARECHANGE RU1A2B3C4'],
    ['AU00202', 'SPARECHANGE RU1A2B3C4'],
  ] as const) {
    const { userId } = await connect(sandbox, '12345678', institution);
    const [account] = (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
    const payer = await aPayer(sandbox, { branch_code: account.bsb, account_number: account.unmaskedAccNum });
    await debit(sandbox, payer, { description: 'RU1A2B3C4D5E6F', metadata: { remitter: 'Sparechange' } });
    await sandbox.pass(5 * 86_400);
    const filter = encodeURIComponent(`account.id.eq('${account.id}'),transaction.postDate.gteq('2026-11-16')`);
    const { data } = (await sandbox.basiq('GET', `/users/${userId}/transactions?filter=${filter}`)).json;
    const own = data.filter(({ description }: { description: string }) => description.includes('SPARECHANGE'));
    expect(own).toMatchObject([{ description: expected, amount: '-4.35', class: 'payment', status: 'posted' }]);
  }
  await sandbox.close();
});

test('the next debit of a payer comes back when that was asked for, and only that one', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  await sandbox.control('POST', '/returns', { email: 'Joan@Example.com', code: 6 });
  const first = (await debit(sandbox, payer)).json.data.ref;
  const second = (await debit(sandbox, payer)).json.data.ref;
  await sandbox.pass(5 * 86_400);
  expect(await stateOf(sandbox, first)).toEqual({ debit: 'returned', credit: 'voided' });
  expect(await stateOf(sandbox, second)).toEqual({ debit: 'cleared', credit: 'cleared' });
  const { json } = await sandbox.zepto('GET', '/transactions?both_parties=true&status=returned&status=rejected');
  expect(json.data).toMatchObject([
    { parent_ref: first, type: 'debit', failure: { code: 'E206', title: 'Refer to Customer' } },
  ]);
  expect(
    (await sandbox.control('GET', '/payments?email=joan@example.com')).json.map(
      ({ state }: { state: string }) => state,
    ),
  ).toEqual(['returned', 'cleared']);
  await sandbox.close();
});

test('CRN 90000005 shows $500 but has no funds, so every debit is returned with code 6', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox, '90000005');
  const [account] = (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
  expect(account.balance).toBe('500.00');
  const payer = await aPayer(sandbox, { branch_code: account.bsb, account_number: account.unmaskedAccNum });
  const ref = (await debit(sandbox, payer)).json.data.ref;
  await sandbox.pass(5 * 86_400);
  expect((await stateOf(sandbox, ref)).debit).toBe('returned');
  await sandbox.close();
});

test('a debit returned late clears first, then is returned', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const [account] = (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
  const payer = await aPayer(sandbox, { branch_code: account.bsb, account_number: account.unmaskedAccNum });
  await sandbox.control('POST', '/returns', { contactId: payer, code: 2, late: true });
  const ref = (await debit(sandbox, payer)).json.data.ref;
  await sandbox.moveTo('2026-11-19T22:00:00Z');
  expect((await stateOf(sandbox, ref)).debit).toBe('cleared');
  await sandbox.moveTo('2026-11-22T22:00:00Z');
  expect(await stateOf(sandbox, ref)).toEqual({ debit: 'returned', credit: 'returned' });
  const { data } = (await sandbox.basiq('GET', `/users/${userId}/transactions?limit=100`)).json;
  const own = data.filter(({ description }: { description: string }) => description.includes('ZEPTO PAYMENTS'));
  expect(own.map(({ amount }: { amount: string }) => amount)).toEqual(['4.35', '-4.35']);
  await sandbox.close();
});

test('any debit can be made to come back at any later time', async () => {
  const sandbox = await aSandbox();
  const ref = (await debit(sandbox, await aPayer(sandbox))).json.data.ref;
  await sandbox.pass(300 * 86_400);
  expect((await stateOf(sandbox, ref)).debit).toBe('cleared');
  await sandbox.control('POST', '/returns', { ref, code: 3 });
  expect((await stateOf(sandbox, ref)).debit).toBe('returned');
  await sandbox.close();
});

test('a request can be withdrawn while it matures and not after', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  const later = (await debit(sandbox, payer, { matures_at: '2026-11-20T06:00:00' })).json.data.ref;
  const now = (await debit(sandbox, payer)).json.data.ref;
  expect((await sandbox.zepto('DELETE', `/payment_requests/${later}`)).status).toBe(204);
  expect((await sandbox.zepto('DELETE', `/payment_requests/${now}`)).status).toBe(400);
  await sandbox.pass(7 * 86_400);
  expect(await stateOf(sandbox, later)).toEqual({ debit: 'voided', credit: 'voided' });
  expect((await sandbox.zepto('GET', `/payment_requests/${later}`)).json.data.status).toBe('cancelled');
  await sandbox.close();
});

test('transactions come in pages that lead to the next', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  for (let count = 0; count < 7; count += 1) await debit(sandbox, payer, { amount: 100 + count });
  const amounts: number[] = [];
  let path: string | undefined = '/transactions?per_page=3&type=credit';
  while (path !== undefined) {
    const answer = await sandbox.zepto('GET', path);
    expect(answer.headers['per-page']).toBe('3');
    amounts.push(...answer.json.data.map(({ amount }: { amount: number }) => amount));
    path = /<[^>]*\/zepto([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1];
  }
  expect(amounts).toEqual([106, 105, 104, 103, 102, 101, 100]);
  const some = await sandbox.zepto(
    'GET',
    '/transactions?min_amount=102&max_amount=104&both_parties=true&status=clearing,matured',
  );
  expect(some.json.data).toHaveLength(6);
  await sandbox.close();
});

test('changes since an instant are found by it', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  await debit(sandbox, payer);
  await sandbox.pass(5 * 86_400);
  await debit(sandbox, payer);
  const since = (instant: string) =>
    sandbox.zepto('GET', `/transactions?both_parties=true&type=debit&min_status_changed_date=${instant}`);
  expect((await since('2026-11-18T00:00:00Z')).json.data).toHaveLength(2);
  expect((await since('2026-11-20T00:00:00Z')).json.data).toHaveLength(1);
  await sandbox.close();
});

test('with aggregation on, debits alike become one movement that clears once', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  const same = { description: 'Round-ups', matures_at: '2026-11-20T06:00:00' };
  await sandbox.control('POST', '/options', { aggregateDebits: true });
  const one = (await debit(sandbox, payer, same)).json.data;
  const other = (await debit(sandbox, payer, same)).json.data;
  expect(other.credit_ref).toBe(one.credit_ref);
  await sandbox.pass(7 * 86_400);
  const { data } = (await sandbox.zepto('GET', '/transactions?both_parties=true')).json;
  expect(data.map(({ amount, status }: { amount: number; status: string }) => [amount, status])).toEqual([
    [870, 'cleared'],
    [870, 'cleared'],
  ]);
  await sandbox.close();
});

test('magic amounts fail a debit only with failByAmount on', async () => {
  const sandbox = await aSandbox();
  const payer = await aPayer(sandbox);
  const ordinary = (await debit(sandbox, payer, { amount: 203 })).json.data.ref;
  await sandbox.control('POST', '/options', { failByAmount: true });
  const failing = (await debit(sandbox, payer, { amount: 203 })).json.data.ref;
  await sandbox.pass(5 * 86_400);
  expect((await stateOf(sandbox, ordinary)).debit).toBe('cleared');
  expect((await stateOf(sandbox, failing)).debit).toBe('returned');
  await sandbox.close();
});
