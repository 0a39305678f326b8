import { setImmediate } from 'node:timers/promises';
import { cents, isoDate } from '@sparechange/domain';
import { afterEach, expect, test } from 'vitest';
import type { DebitOrder, PayoutOrder } from '#ports/direct-debit.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type LocalServer, localServer, type Received, type Reply } from '../testing/local-server.ts';
import { type ZeptoOptions, zeptoDirectDebit } from './index.ts';

let server: LocalServer;
afterEach(() => server.close());

const now = new Date('2026-11-18T01:00:00Z');
let waits: number[] = [];

async function aDirectDebit(answer: Parameters<typeof localServer>[0], options: Partial<ZeptoOptions> = {}) {
  waits = [];
  server = await localServer(answer);
  return zeptoDirectDebit({
    apiUrl: server.url,
    token: 'secret-token',
    webhookSecret: 's',
    apiVersion: '20260101',
    now: () => now,
    sleep: async (ms) => void waits.push(ms),
    random: () => 0,
    ...options,
  });
}

const debit: DebitOrder = {
  id: '0197a000-0000-7000-8000-000000000001',
  mandateRef: 'contact-1',
  amount: cents(435),
  remitter: 'SPARECHANGE',
  reference: 'RU0197A0001B2C3D4E',
  dueOn: isoDate('2026-11-20'),
};
const { mandateRef: _mandate, remitter: _remitter, ...plain } = debit;
const payout: PayoutOrder = { ...plain, name: 'Zoë', email: 'z@example.com', bsb: '062000', accountNumber: '12345678' };
const made = (ref: string) => ({ body: { data: { ref } } });
const duplicate = (ref?: string): Reply => ({
  status: 409,
  body: { errors: [{ title: 'Duplicate idempotency key', detail: 'Made before', meta: { resource_ref: ref } }] },
});

test('a debit is requested under our id, due at the start of its Sydney day', async () => {
  const directDebit = await aDirectDebit(() => made('PR.1'), { bankAccountId: 'account-1' });
  expect(await directDebit.submitDebits([debit])).toEqual([{ id: debit.id, result: 'accepted', providerRef: 'PR.1' }]);
  const [request] = server.received;
  expect(request).toMatchObject({ method: 'POST', path: '/payment_requests' });
  expect(request?.headers).toMatchObject({
    authorization: 'Bearer secret-token',
    'idempotency-key': debit.id,
    'zepto-api-version': '20260101',
  });
  expect(JSON.parse(request?.rawBody ?? '')).toEqual({
    description: 'RU0197A0001B2C3D4E',
    matures_at: '2026-11-19T13:00:00.000Z',
    amount: 435,
    authoriser_contact_id: 'contact-1',
    your_bank_account_id: 'account-1',
    metadata: { remitter: 'SPARECHANGE', order_id: debit.id },
  });
});

test('a duplicate that does not say of what is unknown', async () => {
  const directDebit = await aDirectDebit(() => duplicate());
  expect(await directDebit.submitDebits([debit])).toMatchObject([{ result: 'unknown' }]);
});

test('a repetition that is too quick waits as long as the answer says, under the same key', async () => {
  const busy: Reply = { status: 503, headers: { 'retry-after': '4' } };
  const directDebit = await aDirectDebit((_request, count) => (count === 1 ? busy : duplicate('PR.1')));
  expect(await directDebit.submitDebits([debit])).toMatchObject([{ result: 'accepted', providerRef: 'PR.1' }]);
  expect(waits).toEqual([4_000]);
  expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test.each([400, 404, 422])('%i in Zepto’s own words is a refusal', async (status) => {
  const directDebit = await aDirectDebit(() => ({
    status,
    body: { errors: 'Authoriser contact has no agreement 12345678' },
  }));
  const [answer] = await directDebit.submitDebits([debit]);
  expect(answer).toMatchObject({ id: debit.id, result: 'refused' });
  expect(answer).toMatchObject({
    reason: expect.stringContaining(`${status} when asked to request a payment: Authoriser`),
  });
  expect(JSON.stringify(answer)).not.toContain('12345678');
});

test.each<[string, Reply]>([
  ['a server error', { status: 500, body: { errors: 'Oops' } }],
  ['a limit', { status: 429, body: { errors: 'Slow down' } }],
  ['a token that is not taken', { status: 401, body: { errors: 'No' } }],
  ['a missing scope', { status: 403, body: { errors: [{ title: 'No' }] } }],
  ['a 404 of somebody else', { status: 404, body: '<h1>nginx</h1>' }],
  ['a redirect', { status: 302, headers: { location: '/' } }],
  ['a success that cannot be read', { status: 200, body: '<html>' }],
  ['a cut line', { cutAfterMs: 1 }],
])('%s is unknown: the order may not be given up', async (_name, reply) => {
  const directDebit = await aDirectDebit(() => reply);
  expect(await directDebit.submitDebits([debit])).toMatchObject([{ id: debit.id, result: 'unknown' }]);
});

test('when the provider is not well the rest is not sent, and answers keep their order', async () => {
  const directDebit = await aDirectDebit(() => ({ status: 500 }));
  const orders = Array.from({ length: 40 }, (_, index) => ({ ...debit, id: `order-${index}` }));
  const answers = await directDebit.submitDebits(orders);
  expect(answers.map(({ id }) => id)).toEqual(orders.map(({ id }) => id));
  expect(answers.every(({ result }) => result === 'unknown')).toBe(true);
  expect(server.received.length).toBeLessThan(10);
  expect(answers.filter((answer) => 'isUnsent' in answer)).toHaveLength(40 - server.received.length);
});

test('an order that the provider never answers does not stop others from being sent', async () => {
  const directDebit = await aDirectDebit(({ rawBody }, count) =>
    rawBody.includes('"order-3"') ? { status: 500 } : made(`PR.${count}`),
  );
  const orders = Array.from({ length: 40 }, (_, index) => ({ ...debit, id: `order-${index}` }));
  const answers = await directDebit.submitDebits(orders);
  expect(answers.filter(({ result }) => result === 'unknown').map(({ id }) => id)).toEqual(['order-3']);
  expect(answers.filter(({ result }) => result === 'accepted')).toHaveLength(39);
});

test('more orders are under way together the more are answered, and few again after one without an answer', async () => {
  let isWell = true;
  let left = 0;
  let together = 0;
  let most = 0;
  let held: (() => void)[] = [];
  /**
   * Holds orders until the most that may be under way are there, and then for some turns in which one too many would
   * come.
   */
  const hold = async () => {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    if (held.length === Math.min(together, left)) {
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      most = Math.max(most, held.length);
      left -= held.length;
      for (const release of held) release();
      held = [];
    }
    await released;
  };
  const directDebit = await aDirectDebit(async (_request, count) => {
    await hold();
    return isWell ? made(`PR.${count}`) : { status: 500 };
  });
  const mostOf = async (count: number, expected: number) => {
    [left, together, most] = [count, expected, 0];
    await directDebit.submitDebits(Array.from({ length: count }, (_, index) => ({ ...debit, id: `order-${index}` })));
    return most;
  };
  expect(await mostOf(4, 4)).toBe(4);
  await mostOf(60, 1); // each answer that comes lets one more be under way
  expect(await mostOf(60, 32)).toBe(32);
  isWell = false;
  await mostOf(1, 1);
  isWell = true;
  expect(await mostOf(4, 4)).toBe(4);
});

/** Answers for contacts, our own accounts and payments made. */
const payoutWorld =
  (contacts: object[], accounts: object[] = [{ id: 'float', status: 'active' }]) =>
  ({ method, path }: Received): Reply => {
    if (path.startsWith('/bank_accounts')) return { body: { data: accounts } };
    if (path.startsWith('/contacts?')) return { body: { data: contacts } };
    if (path === '/contacts/anyone') return { status: 201, body: { data: { id: 'new-contact' } } };
    return method === 'POST' ? { status: 201, ...made('PB.1') } : { status: 404 };
  };
const paid = () => JSON.parse(server.received.find(({ path }) => path === '/payments')?.rawBody ?? '{}');

test('a payout goes to a contact made for it, from our only account, by the fast way first', async () => {
  const directDebit = await aDirectDebit(payoutWorld([]));
  const answers = await directDebit.submitPayouts([{ ...payout, remitter: 'SPARECHANGE' }]);
  expect(answers).toEqual([{ id: payout.id, result: 'accepted', providerRef: 'PB.1' }]);
  const contact = server.received.find(({ path }) => path === '/contacts/anyone');
  expect(JSON.parse(contact?.rawBody ?? '')).toEqual({
    name: 'Zoe',
    email: 'z@example.com',
    branch_code: '062000',
    account_number: '12345678',
  });
  expect(paid()).toMatchObject({
    description: payout.reference,
    your_bank_account_id: 'float',
    channels: ['new_payments_platform', 'direct_entry'],
    payouts: [{ amount: 435, description: payout.reference, recipient_contact_id: 'new-contact' }],
    metadata: { remitter: 'SPARECHANGE' },
  });
});

test('a contact with the same name and account is paid again', async () => {
  const account = { branch_code: '062-000', account_number: '12345678', state: 'active' };
  const contacts = [
    { id: 'other-account', name: 'Zoe', bank_account: { ...account, account_number: '999999' } },
    { id: 'known', name: 'Zoe', bank_account: account },
  ];
  const directDebit = await aDirectDebit(payoutWorld(contacts));
  await directDebit.submitPayouts([payout]);
  expect(paid().payouts[0].recipient_contact_id).toBe('known');
});

test('of several accounts of ours Zepto takes its primary one', async () => {
  const accounts = [
    { id: 'one', status: 'active' },
    { id: 'two', status: 'active' },
  ];
  const directDebit = await aDirectDebit(payoutWorld([], accounts));
  await directDebit.submitPayouts([payout]);
  expect(paid()).not.toHaveProperty('your_bank_account_id');
});

test('debits and payouts name the account of ours that is set for each', async () => {
  const options = { bankAccountId: 'float', payoutBankAccountId: 'trust' };
  const directDebit = await aDirectDebit(payoutWorld([]), options);
  await directDebit.submitDebits([debit]);
  await directDebit.submitPayouts([payout]);
  const named = (path: string) =>
    JSON.parse(server.received.find((each) => each.path === path)?.rawBody ?? '{}').your_bank_account_id;
  expect([named('/payment_requests'), named('/payments')]).toEqual(['float', 'trust']);
  expect(server.received.some(({ path }) => path.startsWith('/bank_accounts'))).toBe(false);
});

test('a payee who cannot be added is a refusal, one who cannot be looked for is unknown', async () => {
  const refuse = await aDirectDebit(({ path }) =>
    path === '/contacts/anyone' ? { status: 422, body: { errors: 'Bank account is invalid' } } : { body: { data: [] } },
  );
  expect(await refuse.submitPayouts([payout])).toMatchObject([{ result: 'refused' }]);
  await server.close();
  const fail = await aDirectDebit(() => ({ status: 500 }));
  expect(await fail.submitPayouts([payout])).toMatchObject([{ result: 'unknown' }]);
});

const leg = (ref: string, parent: string) => ({
  ref,
  parent_ref: parent,
  type: 'debit',
  category: 'payout',
  status: 'cleared',
  status_changed_at: '2026-11-18T00:00:00Z',
  description: `REF${parent}`,
  amount: 100,
});

test('outcomes are read page by page, a year back at most, and unreadable rows are left out', async () => {
  const directDebit = await aDirectDebit(({ path }) => {
    if (path.includes('page=2')) return { body: { data: [leg('D.2', 'PR.2'), { ref: 'unreadable' }] } };
    const link = `<http://elsewhere.example${path}&page=2>; rel="next"`;
    return { headers: { link }, body: { data: [leg('D.1', 'PR.1')] } };
  });
  const refs: string[] = [];
  for await (const { providerRef } of directDebit.outcomesSince(new Date(0))) refs.push(providerRef);
  expect(refs).toEqual(['PR.1', 'PR.2']);
  const [first] = server.received.map(({ path }) => new URL(path, server.url).searchParams);
  expect(Object.fromEntries(first ?? [])).toEqual({
    both_parties: 'true',
    min_created_date: '2025-11-19T01:00:00.000Z',
    min_status_changed_date: '2025-11-19T01:00:00.000Z',
    per_page: '100',
  });
});

test('a list whose next page is itself is not read for ever', async () => {
  const directDebit = await aDirectDebit(() => ({
    headers: { link: '</transactions?page=2>; rel="next"' },
    body: { data: [] },
  }));
  await expect(directDebit.findDebit(debit)).rejects.toThrow('no end of pages');
  expect(server.received).toHaveLength(2);
});

test('an order is found by its whole reference only', async () => {
  const directDebit = await aDirectDebit(() => ({ body: { data: [leg('D.9', 'PR.10'), leg('D.1', 'PR.1')] } }));
  expect(await directDebit.findDebit({ ...debit, reference: 'REFPR.1' })).toBe('PR.1');
  expect(await directDebit.findDebit({ ...debit, reference: 'REFPR.' })).toBeUndefined();
  expect(await directDebit.findPayout({ ...payout, reference: 'REFPR.1' })).toBeUndefined();
});

test('an order is not taken for missing where a row that may be it cannot be read', async () => {
  const directDebit = await aDirectDebit(() => ({ body: { data: [{ ...leg('D.1', 'PR.1'), type: 'new kind' }] } }));
  await expect(directDebit.findDebit({ ...debit, reference: 'REFPR.1' })).rejects.toThrow('is not understood');
});

const mandate = { ...payout, id: 'mandate-1', ceiling: cents(25_000) };

test('a mandate is registered with its ceiling and our id, under a name Zepto can write', async () => {
  const agreement = { ref: 'A.1', contact_id: 'contact-9', status: 'accepted' };
  const directDebit = await aDirectDebit(({ method }) => ({ body: { data: method === 'POST' ? agreement : [] } }));
  expect(await directDebit.createMandate({ ...mandate, name: '李小龍' })).toBe('contact-9');
  const request = server.received.find(({ path }) => path === '/agreements/kyc');
  expect(JSON.parse(request?.rawBody ?? '')).toMatchObject({
    authoriser: { name: 'z@example.com', bank_account: { branch_code: '062000', account_number: '12345678' } },
    terms: { per_payout: { min_amount: 1, max_amount: 25_000 }, per_frequency: { days: null, max_amount: null } },
    metadata: { mandate_id: 'mandate-1' },
  });
});

test('a mandate that is not in effect is none, and one that is refused says so', async () => {
  const proposed = await aDirectDebit(({ method }) => ({
    body: { data: method === 'POST' ? { ref: 'A.1', contact_id: 'c', status: 'proposed' } : [] },
  }));
  await expect(proposed.createMandate(mandate)).rejects.toThrow(ProviderUnavailable);
  await server.close();
  const refused = await aDirectDebit(({ method }) =>
    method === 'POST' ? { status: 422, body: { errors: 'Branch code is invalid' } } : { body: { data: [] } },
  );
  await expect(refused.createMandate(mandate)).rejects.toThrow(ProviderRefused);
});

test('the contact is asked for our id where the list does not show it', async () => {
  const directDebit = await aDirectDebit(({ path }) => {
    if (path.startsWith('/contacts?')) return { body: { data: [{ id: 'other' }, { id: 'mine' }] } };
    if (path.startsWith('/contacts/')) {
      const id = path.slice('/contacts/'.length);
      return { body: { data: { id, metadata: { mandate_id: id === 'mine' ? 'mandate-1' : 'mandate-0' } } } };
    }
    return { body: { data: [{ ref: 'A.1', contact_id: 'mine', status: 'accepted' }] } };
  });
  expect(await directDebit.createMandate(mandate)).toBe('mine');
  expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
});

const newShape: object = { ref: 'A.1', contact_id: 'contact-9', status: 3 };

test('a mandate is not taken for ended, or for withdrawn, where a row that may be it cannot be read', async () => {
  const rows = [newShape];
  const directDebit = await aDirectDebit(() => ({ body: { data: rows } }));
  await expect(directDebit.isMandateInEffect('contact-9')).rejects.toThrow('is not understood');
  rows.push({ ...newShape, ref: 'A.2', status: 'accepted' });
  expect(await directDebit.isMandateInEffect('contact-9')).toBe(true);
  await expect(directDebit.cancelMandate('contact-9')).rejects.toThrow('is not understood');
  expect(server.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/agreements/A.2' });
});

test('a mandate is not registered again where a row that may be it cannot be read', async () => {
  for (const unread of ['/contacts?', '/agreements/outgoing?']) {
    const directDebit = await aDirectDebit(({ path }) => {
      if (path.startsWith(unread)) return { body: { data: [{ ...newShape, id: 9 }] } };
      return { body: { data: [{ id: 'contact-9', metadata: { mandate_id: 'mandate-1' } }] } };
    });
    await expect(directDebit.createMandate(mandate)).rejects.toThrow('is not understood');
    expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
    await server.close();
  }
});
