import { expect, test } from 'vitest';
import { type Answer, aSandbox, connect, type SandboxUnderTest } from '#testing/sandbox-under-test.ts';

interface Seen {
  id: string;
  status: string;
  amount: string;
  balance: string;
  direction: string;
  postDate: string | null;
  account: string;
  description: string;
  enrich: null;
}

async function readAll(sandbox: SandboxUnderTest, first: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  let path: string | undefined = first;
  while (path !== undefined) {
    const answer: Answer = await sandbox.basiq('GET', path);
    expect(answer.status).toBe(200);
    seen.push(...answer.json.data);
    path = answer.json.links.next?.split('/basiq')[1];
  }
  return seen;
}

const filtered = (userId: string, filter: string, limit = 500) =>
  `/users/${userId}/transactions?limit=${limit}&filter=${encodeURIComponent(filter)}`;

test('accounts have BSB and number, money as text and a balance the statement agrees with', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const { json } = await sandbox.basiq('GET', `/users/${userId}/accounts`);
  const [everyday] = json.data;
  expect(everyday).toMatchObject({
    name: 'Hooli Everyday',
    currency: 'AUD',
    status: 'available',
    class: { type: 'transaction' },
  });
  expect(everyday.accountNo).toBe(`${everyday.bsb}${everyday.unmaskedAccNum}`);
  expect(everyday.balance).toMatch(/^-?\d+\.\d\d$/);
  const posted = await readAll(
    sandbox,
    filtered(userId, `account.id.eq('${everyday.id}'),transaction.status.eq('posted')`),
  );
  expect(posted[0]?.balance).toBe(everyday.balance);
  await sandbox.close();
});

test('pages of any size give every transaction once, newest first, two years back', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const whole = await readAll(sandbox, `/users/${userId}/transactions`);
  expect(whole.length).toBeGreaterThan(1000);
  expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
  const small = await readAll(sandbox, `/users/${userId}/transactions?limit=77`);
  expect(small).toEqual(whole);
  const dates = whole.flatMap(({ postDate }) => postDate ?? []);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(dates.at(-1)?.slice(0, 7)).toBe('2024-11');
  await sandbox.close();
});

test('a page stays good when a purchase arrives in between', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const whole = await readAll(sandbox, `/users/${userId}/transactions`);
  const first = await sandbox.basiq('GET', `/users/${userId}/transactions?limit=50`);
  await sandbox.control('POST', '/purchases', { userId, amount: '4.35' });
  const rest = await readAll(sandbox, first.json.links.next.split('/basiq')[1]);
  expect([...first.json.data, ...rest].map(({ id }: Seen) => id)).toEqual(whole.map(({ id }) => id));
  await sandbox.close();
});

test('filters hold for every transaction and together', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const all = await readAll(sandbox, `/users/${userId}/transactions`);
  const ask = (filter: string) => readAll(sandbox, filtered(userId, filter));
  const debits = await ask("transaction.direction.eq('debit'),transaction.postDate.bt('2026-10-01','2026-10-31')");
  const expected = all.filter(
    ({ direction, postDate }) => direction === 'debit' && (postDate ?? '').startsWith('2026-10'),
  );
  expect(debits).toEqual(expected);
  expect(debits.every(({ amount }) => amount.startsWith('-'))).toBe(true);
  const since = await ask("transaction.postDate.gteq('2026-11-10'),transaction.status.eq('posted')");
  expect(since).toEqual(all.filter(({ status, postDate }) => status === 'posted' && (postDate ?? '') >= '2026-11-10'));
  await sandbox.close();
});

test.each([
  ['limit=501', 'Maximum limit allowed is 500'],
  ['limit=0', 'Limit value is not valid'],
  ['limit=many', 'Limit value is not valid'],
  ['next=nonsense', 'Next value is not valid'],
  [`filter=${encodeURIComponent("transaction.postDate.gt('May')")}`, 'PostDate is not valid'],
  ['filter=nonsense', 'The provided filter parameter is in invalid format or unsupported'],
])('%s is refused', async (query, detail) => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const answer = await sandbox.basiq('GET', `/users/${userId}/transactions?${query}`);
  expect([answer.status, answer.json.data[0].detail]).toEqual([400, detail]);
  await sandbox.close();
});

test('a day is posted at midnight in Sydney, said in UTC, by summer time and without', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const times = new Set(
    (await readAll(sandbox, `/users/${userId}/transactions`)).flatMap(({ postDate }) => postDate?.slice(10) ?? []),
  );
  expect(times).toEqual(new Set(['T13:00:00Z', 'T14:00:00Z']));
  const other = await connect(sandbox, '12345678', 'AU00202');
  const dates = await readAll(sandbox, `/users/${other.userId}/transactions`);
  expect(new Set(dates.map(({ postDate }) => postDate?.slice(10)))).toEqual(new Set(['T00:00:00Z']));
  await sandbox.close();
});

test('a purchase is pending first, under a new id after every refresh, and posted under one that stays', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  await sandbox.control('POST', '/purchases', { userId, amount: '4.35', description: 'KIOSK', status: 'pending' });
  const find = async () =>
    (await readAll(sandbox, `/users/${userId}/transactions`)).filter(({ description }) => description === 'KIOSK');
  const [before] = await find();
  expect(before).toMatchObject({ status: 'pending', amount: '-4.35', postDate: null, enrich: null });
  await sandbox.basiq('POST', `/users/${userId}/connections/refresh`);
  await sandbox.pass(3);
  const [again] = await find();
  expect(again?.status).toBe('pending');
  expect(again?.id).not.toBe(before?.id);
  await sandbox.pass(86_400);
  const [posted, ...more] = await find();
  expect(more).toEqual([]);
  expect(posted).toMatchObject({ status: 'posted', postDate: '2026-11-18T13:00:00Z' });
  await sandbox.pass(3 * 86_400);
  expect((await find())[0]?.id).toBe(posted?.id);
  await sandbox.close();
});

test('every day brings new purchases, and yesterday stays as it was', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const posted = () => readAll(sandbox, filtered(userId, "transaction.status.eq('posted')"));
  const before = await posted();
  await sandbox.pass(7 * 86_400);
  const after = await posted();
  const known = new Set(before.map(({ id }) => id));
  const fresh = after.filter(({ id }) => !known.has(id));
  expect(fresh.length).toBeGreaterThan(5);
  expect(after.slice(fresh.length)).toEqual(before);
  await sandbox.close();
});

test('a purchase added in between moves the balances that come after it', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const { json } = await sandbox.basiq('GET', `/users/${userId}/accounts`);
  const everyday = json.data[0];
  const { transactionId } = (await sandbox.control('POST', '/purchases', { userId, amount: '10', date: '2026-11-01' }))
    .json;
  const added = (await sandbox.basiq('GET', `/users/${userId}/transactions/${transactionId}`)).json;
  expect(added).toMatchObject({ amount: '-10.00', status: 'posted', account: everyday.id });
  const all = await readAll(
    sandbox,
    filtered(userId, `account.id.eq('${everyday.id}'),transaction.status.eq('posted')`),
  );
  const cents = (text: string) => Math.round(Number(text) * 100);
  for (const [index, line] of all.entries()) {
    const earlier = all[index + 1];
    if (earlier !== undefined) expect(cents(line.balance)).toBe(cents(earlier.balance) + cents(line.amount));
  }
  await sandbox.close();
});

test('when the bank re-issues posted lines, ids change and nothing else does', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const read = () =>
    readAll(sandbox, filtered(userId, "transaction.postDate.gteq('2026-11-01'),transaction.status.eq('posted')"));
  const before = await read();
  await sandbox.control('POST', '/reissue', { userId });
  const after = await read();
  expect(after.map(({ id }) => id)).not.toEqual(before.map(({ id }) => id));
  const visible = ({ amount, postDate, description }: Seen) => [amount, postDate, description];
  expect(after.map(visible)).toEqual(before.map(visible));
  await sandbox.close();
});
