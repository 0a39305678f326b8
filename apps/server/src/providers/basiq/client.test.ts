import { isoDate } from '@sparechange/domain';
import { afterEach, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type LocalServer, localServer, type Received, type Reply } from '../testing/local-server.ts';
import { type BasiqOptions, basiqBankLink } from './index.ts';

let server: LocalServer;
afterEach(() => server.close());

let clock = new Date('2026-11-18T01:00:00Z');
let minted = 0;
const lines: string[] = [];

/** An API giving token-1, token-2, …; the test answers the rest. */
async function aBankLink(answer: (request: Received) => Reply, options: Partial<BasiqOptions> = {}) {
  minted = 0;
  lines.length = 0;
  clock = new Date('2026-11-18T01:00:00Z');
  server = await localServer((request) => {
    if (request.path !== '/token') return answer(request);
    minted += 1;
    return { body: { access_token: `token-${minted}`, expires_in: 3600, token_type: 'Bearer' } };
  });
  return basiqBankLink({
    apiUrl: server.url,
    consentUrl: 'https://consent.example/home',
    apiKey: 'a2V5OnNlY3JldA==',
    webhookSecret: 'whsec_AAAA',
    now: () => clock,
    sleep: async () => undefined,
    log: { warn: (details, message) => void lines.push(`${message} ${JSON.stringify(details)}`) },
    ...options,
  });
}

const problem = (status: number, code: string, detail: string): Reply => ({
  status,
  body: { type: 'list', correlationId: 'corr-1', data: [{ type: 'error', code, title: 'Title', detail }] },
});
const emptyList: Reply = { body: { type: 'list', data: [] } };
const asked = () => server.received.filter(({ path }) => path !== '/token');
const joan = { email: 'joan@example.com', mobile: '0412345678', firstName: 'Joan', lastName: 'Smith' };

test('the key goes as it is, with the version, and the token is used until half of its life is over', async () => {
  const bankLink = await aBankLink(() => emptyList);
  await Promise.all([bankLink.listAccounts('u'), bankLink.listAccounts('u'), bankLink.listConsents('u')]);
  expect(minted).toBe(1);
  const [mint] = server.received;
  expect(mint?.headers).toMatchObject({ authorization: 'Basic a2V5OnNlY3JldA==', 'basiq-version': '3.0' });
  expect(mint?.rawBody).toBe('scope=SERVER_ACCESS');
  clock = new Date(clock.getTime() + 1_799_000);
  await bankLink.listAccounts('u');
  expect(minted).toBe(1);
  clock = new Date(clock.getTime() + 2_000);
  await bankLink.listAccounts('u');
  expect(minted).toBe(2);
});

test.each([
  problem(401, 'invalid-authorization-token', 'Invalid authorization token.'),
  problem(403, 'access-denied', 'Token has expired'),
])('a refused token is replaced once and the call made again', async (refusal) => {
  const bankLink = await aBankLink(({ headers }) => (headers.authorization === 'Bearer token-1' ? refusal : emptyList));
  const lists = [bankLink.listAccounts('u'), bankLink.listAccounts('v'), bankLink.listAccounts('w')];
  expect(await Promise.all(lists)).toEqual([[], [], []]);
  expect(minted).toBe(2);
});

test.each([429, 503])('a %i for a token says that Basiq takes no call for now', async (status) => {
  server = await localServer(() => problem(status, 'busy', 'Later.'));
  const bankLink = basiqBankLink({
    apiUrl: server.url,
    consentUrl: 'https://consent.example/home',
    apiKey: 'a2V5',
    webhookSecret: 'whsec_AAAA',
    sleep: async () => undefined,
  });
  await expect(bankLink.listAccounts('u')).rejects.toMatchObject({ name: 'ProviderUnavailable', isBusy: true });
});

test('a token that is refused again is our trouble, not the customer’s', async () => {
  const bankLink = await aBankLink(() => problem(401, 'unauthorized-access', 'No.'));
  await expect(bankLink.listAccounts('u')).rejects.toThrow(ProviderUnavailable);
  expect(asked()).toHaveLength(2);
});

test('another 403 is not tried with a new token', async () => {
  const bankLink = await aBankLink(() => problem(403, 'forbidden-access', 'Access to this resource is forbidden.'));
  await expect(bankLink.listAccounts('u')).rejects.toThrow(ProviderUnavailable);
  expect([minted, asked().length]).toEqual([1, 1]);
});

test('a key that is not known is unavailable and says why', async () => {
  server = await localServer(() =>
    problem(404, 'resource-not-found', 'Unable to authenticate. Please, check your API key'),
  );
  const bankLink = basiqBankLink({
    apiUrl: server.url,
    consentUrl: 'https://c.example',
    apiKey: 'k',
    webhookSecret: '',
  });
  await expect(bankLink.listAccounts('u')).rejects.toThrow(/check your API key, correlationId corr-1/);
  await expect(bankLink.consentLink('u', 'connect', 's')).rejects.toThrow(ProviderUnavailable);
});

test('a refusal names the request and the correlation id, and repeats no number and no address', async () => {
  const bankLink = await aBankLink(() =>
    problem(400, 'parameter-not-valid', 'Number 157441965 of joan@example.com is bad.'),
  );
  const error = await bankLink.listAccounts('u').catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ProviderRefused);
  expect(String(error)).toContain('400 when asked to list the accounts: parameter-not-valid');
  expect(String(error)).toContain('corr-1');
  expect(String(error)).not.toMatch(/157441965|joan@|token-1/);
});

test('a customer is made with an international mobile, and never twice by us', async () => {
  const bankLink = await aBankLink(({ method }) =>
    method === 'POST' ? problem(503, 'service-unavailable', 'Later.') : emptyList,
  );
  await expect(bankLink.createCustomer(joan)).rejects.toThrow(ProviderUnavailable);
  expect(asked().map(({ rawBody }) => JSON.parse(rawBody).mobile)).toEqual(['+61412345678']);
  await expect(bankLink.createCustomer({ ...joan, mobile: '1412345678' })).rejects.toThrow(ProviderRefused);
  expect(asked()).toHaveLength(1);
});

test('each link has a token of its own, bound to the customer; a first consent has no action', async () => {
  const bankLink = await aBankLink(() => emptyList);
  const first = await bankLink.consentLink('u 1', 'first consent', 'tenant');
  const second = await bankLink.consentLink('u 1', 'extend', 'tenant');
  expect(first.href).toBe('https://consent.example/home?token=token-1&state=tenant');
  expect(second.href).toBe('https://consent.example/home?token=token-2&action=extend&state=tenant');
  expect(server.received.map(({ rawBody }) => rawBody)).toEqual([
    'scope=CLIENT_ACCESS&userId=u+1',
    'scope=CLIENT_ACCESS&userId=u+1',
  ]);
});

const row = (id: string, postDate: string) => ({
  id,
  status: 'posted',
  description: id,
  amount: '-1.00',
  currency: 'AUD',
  account: 'a',
  direction: 'debit',
  class: 'payment',
  transactionDate: '',
  postDate,
});

test('pages are followed as they are given, earlier days dropped, doubles dropped, order made', async () => {
  const bankLink = await aBankLink(({ path }) => {
    if (!path.includes('next=')) {
      const data = [row('late', '2026-11-03T13:00:00Z'), row('double', '2026-11-02T13:00:00Z')];
      return {
        body: { type: 'list', data, links: { next: 'https://au-api.basiq.io/users/u/transactions?next=c%3D1' } },
      };
    }
    const data = [
      row('double', '2026-11-02T13:00:00Z'),
      row('first', '2026-10-31T13:00:00Z'),
      row('before', '2026-10-31T12:59:59Z'),
    ];
    return { body: { type: 'list', data, links: { self: 'x' } } };
  });
  const transactions = await bankLink.transactionsSince('u', isoDate('2026-11-01'));
  expect(transactions.map(({ id }) => id)).toEqual(['first', 'double', 'late']);
  expect(transactions[0]).not.toHaveProperty('at');
  const [start, next] = asked().map(({ path }) => new URL(path, server.url));
  expect(start?.searchParams.get('limit')).toBe('500');
  expect(start?.searchParams.get('filter')).toBe("transaction.postDate.gteq('2026-10-30')");
  expect(`${next?.pathname}${next?.search}`).toBe('/users/u/transactions?next=c%3D1');
});

test('a page that fails fails the whole: half a statement is none', async () => {
  const next = '/users/u/transactions?next=1';
  const bankLink = await aBankLink(({ path }) =>
    path.includes('next=') ? problem(500, 'internal-server-error', 'Oops.') : { body: { data: [], links: { next } } },
  );
  await expect(bankLink.transactionsSince('u', isoDate('2026-11-01'))).rejects.toThrow(ProviderUnavailable);
});

test('a list whose next page is itself is not read for ever', async () => {
  const bankLink = await aBankLink(() => ({ body: { data: [], links: { next: '/users/u/transactions?next=1' } } }));
  await expect(bankLink.transactionsSince('u', isoDate('2026-11-01'))).rejects.toThrow('no end of pages');
  expect(asked()).toHaveLength(2);
});

test('a row that cannot be read is left out and logged, without its contents', async () => {
  const malformed = { id: 7, description: 'SECRET SHOP' };
  const inexact = { ...row('inexact', '2026-11-03T13:00:00Z'), amount: '1.005', description: 'SECRET SHOP' };
  const data = [malformed, inexact, row('good', '2026-11-03T13:00:00Z')];
  const bankLink = await aBankLink(() => ({ body: { data } }));
  const transactions = await bankLink.transactionsSince('u', isoDate('2026-11-01'));
  expect(transactions.map(({ id }) => id)).toEqual(['good']);
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain('SECRET');
});

test('nobody loses a consent that cannot be read: the answer is none, unless another one is active', async () => {
  const active = { id: 'c-1', status: 'active', created: '2026-09-26T12:12:01Z', expiryDate: '2027-09-26T12:12:01Z' };
  let data: object[] = [];
  const bankLink = await aBankLink(() => ({ body: { data } }));
  for (const unread of [
    { ...active, expiryDate: null },
    { ...active, expiryDate: 'soon' },
    { ...active, status: 7 },
  ]) {
    data = [unread, { ...active, status: 'expired', expiryDate: '2026-10-01T00:00:00Z' }];
    await expect(bankLink.listConsents('u')).rejects.toThrow(ProviderUnavailable);
    data = [unread, active];
    expect(await bankLink.listConsents('u')).toMatchObject([{ id: 'c-1', state: 'active' }]);
  }
  data = [{ ...active, status: 'revoked', expiryDate: null }];
  expect(await bankLink.listConsents('u')).toMatchObject([{ id: 'c-1', state: 'revoked' }]);
});

test('an answer of another form is not understood', async () => {
  const bankLink = await aBankLink(() => ({ body: '<html>maintenance</html>' }));
  await expect(bankLink.listAccounts('u')).rejects.toThrow('not understood when asked to list the accounts');
});

test('deleted things count as none: consents of a deleted customer, an old event, a consent already withdrawn', async () => {
  const bankLink = await aBankLink(() => problem(404, 'resource-not-found', 'Requested user does not exist.'));
  expect(await bankLink.listConsents('u')).toEqual([]);
  expect(await bankLink.customerOfEvent('e')).toBeUndefined();
  await bankLink.revokeConsent('u', 'c');
  await expect(bankLink.listAccounts('u')).rejects.toThrow(ProviderRefused);
});

test('a 404 that is not Basiq’s own says nothing: nobody loses a consent by a wrong address', async () => {
  for (const body of ['<h1>Not Found</h1>', {}, { message: 'no Route matched' }]) {
    const bankLink = await aBankLink(() => ({ status: 404, body }));
    await expect(bankLink.listConsents('u')).rejects.toThrow(ProviderUnavailable);
    await server.close();
  }
});

test('withdrawing a consent that is refused for another reason does not pass for done', async () => {
  const bankLink = await aBankLink(() => problem(400, 'parameter-not-valid', 'No.'));
  await expect(bankLink.revokeConsent('u', 'c')).rejects.toThrow(ProviderRefused);
});

test.each([200, 202])(
  'what was not fetched for most of a day is refreshed; %i says it is under way',
  async (status) => {
    const data = [
      { id: 'yesterday', status: 'active', lastUsed: '2026-11-17T04:59:59Z' },
      { id: 'tonight', status: 'active', lastUsed: '2026-11-17T05:00:01Z' },
      { id: 'never', status: 'active', lastUsed: '' },
      { id: 'ended', status: 'invalid', lastUsed: '2026-11-01T00:00:00Z' },
    ];
    const bankLink = await aBankLink(({ method }) =>
      method === 'GET' ? { body: { type: 'list', data } } : { status, body: { type: 'job', id: 'j' } },
    );
    await bankLink.refresh('u');
    expect(asked().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /users/u/connections',
      'POST /users/u/connections/yesterday/refresh',
      'POST /users/u/connections/never/refresh',
    ]);
  },
);

test.each([
  [['a1'], ['c1']],
  [['a2'], ['c2']],
  [
    ['a1', 'a2', 'a3'],
    ['c1', 'c2', 'c3'],
  ],
  [[], []],
])('of the accounts %j the connections are %j, with what is known of them', async (accountIds, ids) => {
  const [lastUsed, expiryDate] = ['2026-11-17T05:00:00Z', '2027-11-01T00:00:00Z'];
  const connections = [
    { id: 'c1', status: 'active', lastUsed, expiryDate },
    { id: 'c2', status: 'invalid-connection', lastUsed: '2026-11-01T00:00:00Z' },
    { id: 'failed', status: 'invalid', lastUsed: '2025-01-01T00:00:00Z' },
    { id: 'c3', status: 'active', lastUsed: '', expiryDate: null },
    { id: 'gone', status: 'deleted', lastUsed },
  ];
  const accounts = [1, 2, 3].map((number) => ({ id: `a${number}`, connection: `c${number}` }));
  const bankLink = await aBankLink(({ path }) => ({
    body: { type: 'list', data: path.endsWith('/connections') ? connections : accounts },
  }));
  const known = [
    { id: 'c1', hasEnded: false, endsAt: new Date(expiryDate), dataAt: new Date(lastUsed) },
    { id: 'c2', hasEnded: true, endsAt: undefined, dataAt: new Date('2026-11-01T00:00:00Z') },
    { id: 'c3', hasEnded: false, endsAt: undefined, dataAt: undefined },
  ];
  expect(await bankLink.connectionsOf('u', accountIds)).toEqual(known.filter(({ id }) => ids.includes(id)));
});

test('a job older than the list still says whose it is; an id with a path in it is never asked for', async () => {
  const steps = [
    { title: 'verify-credentials', status: 'success', result: { url: '/users/u/connections/c' } },
    { title: 'retrieve-accounts', status: 'success', result: null },
  ];
  const bankLink = await aBankLink(({ path }) => (path === '/jobs/j1' ? { body: { id: 'j1', steps } } : emptyList));
  expect(await bankLink.jobState('u', 'j1')).toBe('done');
  expect(await bankLink.jobState('someone-else', 'j1')).toBeUndefined();
  const before = asked().length;
  expect(await bankLink.jobState('u', '../users/u')).toBeUndefined();
  expect(asked()).toHaveLength(before);
});
