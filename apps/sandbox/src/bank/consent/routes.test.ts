import { expect, test } from 'vitest';
import { aSandbox, Browser, connect, type SandboxUnderTest } from '#testing/sandbox-under-test.ts';

const visit = async (sandbox: SandboxUnderTest, userId: string, query = ''): Promise<Browser> =>
  new Browser(sandbox).open(`/home?token=${await sandbox.token('CLIENT_ACCESS', userId)}${query}`);

const consentsOf = async (sandbox: SandboxUnderTest, userId: string) =>
  (await sandbox.basiq('GET', `/users/${userId}/consents`)).json.data;

test('bank, CRN, code, accounts, and back to the application', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const browser = await visit(sandbox, userId, '&action=null&state=tenant%20%26%20more');
  expect(browser.heading).toBe('Choose your bank');
  expect([...browser.page.matchAll(/<button name="institution"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual([
    'Hooli',
    'Harbour Bank',
    'Outback Mutual',
  ]);
  await browser.submit({ institution: 'AU00101' });
  expect(browser.page).toContain('<label for="crn">Internet Banking CRN</label>');
  await browser.submit({ crn: '12345678' });
  expect(browser.page).toContain('<label for="code">Code</label>');
  await browser.submit({ code: browser.code });
  expect(browser.page).toContain('Harbour Bank Everyday');
  expect(browser.ticks.length).toBeGreaterThanOrEqual(2);
  await browser.submit({ account: ['0'], decision: 'authorise' });
  const back = new URL(browser.location);
  expect(back.origin + back.pathname).toBe('http://localhost:4000/consented');
  expect(back.searchParams.get('state')).toBe('tenant & more');
  expect(back.searchParams.get('jobIds')).toBe(back.searchParams.get('jobId'));
  await sandbox.pass(3);
  const accounts = (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
  expect(accounts.map(({ name }: { name: string }) => name)).toEqual(['Harbour Bank Everyday']);
  expect(await consentsOf(sandbox, userId)).toMatchObject([{ status: 'active', expiryDate: '2027-11-18T01:00:00Z' }]);
  await sandbox.close();
});

test('a wrong CRN, a wrong code and no account are refused on the page', async () => {
  const sandbox = await aSandbox();
  const browser = await visit(sandbox, await sandbox.addUser(), '&institutionId=AU00000');
  await browser.submit({ crn: '1234' });
  expect([browser.status, browser.page.includes('role="alert">That CRN is not right.')]).toEqual([422, true]);
  await browser.submit({ crn: '1234 5678' });
  const code = browser.code;
  await browser.submit({ code: '000000' });
  expect([browser.status, browser.page.includes('role="alert">That code is not right.')]).toEqual([422, true]);
  await browser.submit({ code });
  await browser.submit({ decision: 'authorise' });
  expect([browser.status, browser.page.includes('Choose at least one account')]).toEqual([422, true]);
  await sandbox.close();
});

test('cancelling returns with a job that failed and gives no consent', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const browser = await visit(sandbox, userId, '&institutionId=AU00000&state=s');
  await browser.submit({ crn: '12345678' });
  await browser.submit({ code: browser.code });
  await browser.submit({ account: browser.ticks, decision: 'cancel' });
  const jobId = new URL(browser.location).searchParams.get('jobId');
  const job = (await sandbox.basiq('GET', `/jobs/${jobId}`)).json;
  expect(job.steps[0]).toMatchObject({
    status: 'failed',
    result: { code: 'authorization-failed', detail: 'access_denied' },
  });
  expect(await consentsOf(sandbox, userId)).toEqual([]);
  expect((await sandbox.basiq('GET', `/users/${userId}/connections`)).json.data).toEqual([]);
  await sandbox.close();
});

test('a form that is sent twice changes nothing twice', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const browser = await visit(sandbox, userId, '&institutionId=AU00000');
  await browser.submit({ crn: '12345678' });
  await browser.submit({ code: browser.code });
  const page = browser.page;
  await browser.submit({ account: browser.ticks, decision: 'authorise' });
  const first = browser.location;
  browser.page = page;
  await browser.submit({ account: ['0'], decision: 'authorise' });
  expect(browser.location).toBe(first);
  expect((await sandbox.basiq('GET', `/users/${userId}/jobs`)).json.size).toBe(1);
  await sandbox.close();
});

test.each(['connect', 'extend', 'update', 'reauthorise'])('%s needs a consent that is in force', async (action) => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const without = await visit(sandbox, userId, `&action=${action}`);
  expect([without.status, without.page.includes('resource-not-found')]).toEqual([404, true]);
  const connected = await connect(sandbox);
  expect((await visit(sandbox, connected.userId, `&action=${action}`)).status).toBe(200);
  await sandbox.close();
});

test('a link without a user, or past its hour, says so', async () => {
  const sandbox = await aSandbox();
  const bare = await new Browser(sandbox).open(`/home?token=${await sandbox.token('CLIENT_ACCESS')}`);
  expect([bare.status, bare.page.includes('missing-attributes')]).toEqual([400, true]);
  const token = await sandbox.token('CLIENT_ACCESS', await sandbox.addUser());
  await sandbox.pass(3600);
  const late = await new Browser(sandbox).open(`/home?token=${token}`);
  expect([late.status, late.page.includes('token-expired')]).toEqual([403, true]);
  await sandbox.close();
});

test('an auth link leads to the same pages, once', async () => {
  const sandbox = await aSandbox();
  const userId = await sandbox.addUser();
  const link = (await sandbox.basiq('POST', `/users/${userId}/auth_link`)).json.links.public;
  const path = new URL(link).pathname;
  expect((await new Browser(sandbox).open(path)).heading).toBe('Choose your bank');
  expect((await new Browser(sandbox).open(path)).status).toBe(410);
  await sandbox.close();
});

test('extending counts a year from now and returns without a job', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  await sandbox.pass(100 * 86_400);
  const browser = await visit(sandbox, userId, '&action=extend&state=s');
  await browser.submit({ decision: 'extend' });
  expect(browser.location).toBe('http://localhost:4000/consented?state=s');
  expect((await consentsOf(sandbox, userId))[0].expiryDate).toBe('2028-02-26T01:00:03Z');
  await sandbox.close();
});

test('managing shows what is shared and stops it', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const browser = await visit(sandbox, userId, '&action=manage');
  expect(browser.page).toContain('Hooli Everyday');
  expect(browser.page).toContain('18 November 2027');
  await browser.submit({ decision: 'revoke' });
  expect(browser.page).toContain('You are not sharing any data.');
  expect(await consentsOf(sandbox, userId)).toMatchObject([{ status: 'revoked', revoked: '2026-11-18T01:00:03Z' }]);
  expect((await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data).toEqual([]);
  await browser.submit({ decision: 'close' });
  expect(browser.location).toBe('http://localhost:4000/consented');
  await sandbox.close();
});

test('the same accounts come back under other ids after a consent has ended, and beside the first with a second connection', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const accountsOf = async (): Promise<{ id: string; accountNo: string }[]> =>
    (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
  const connectAgain = async () => {
    const browser = await visit(sandbox, userId, '&institutionId=AU00000');
    await browser.submit({ crn: '12345678' });
    await browser.submit({ code: browser.code });
    await browser.submit({ account: browser.ticks, decision: 'authorise' });
    await sandbox.pass(3);
  };
  const before = await accountsOf();
  await sandbox.pass(366 * 86_400);
  expect(await consentsOf(sandbox, userId)).toMatchObject([{ status: 'expired' }]);
  expect(await accountsOf()).toEqual([]);
  const numbers = before.map(({ accountNo }) => accountNo);
  await connectAgain();
  expect((await accountsOf()).map(({ accountNo }) => accountNo)).toEqual(numbers);
  await connectAgain();
  expect((await accountsOf()).map(({ accountNo }) => accountNo)).toEqual([...numbers, ...numbers]);
  expect(new Set([...before, ...(await accountsOf())].map(({ id }) => id)).size).toBe(3 * numbers.length);
  await sandbox.close();
});

test('reauthorising renews the bank and keeps its accounts', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const accountIds = async () =>
    (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data.map(({ id }: { id: string }) => id);
  const before = await accountIds();
  await sandbox.pass(360 * 86_400);
  await (await visit(sandbox, userId, '&action=extend')).submit({ decision: 'extend' });
  const [connection] = (await sandbox.basiq('GET', `/users/${userId}/connections`)).json.data;
  const browser = await visit(sandbox, userId, '&action=reauthorise');
  expect(browser.page).toContain('Expiring soon');
  await browser.submit({ reauthorise: connection.id });
  expect(new URL(browser.location).searchParams.get('jobId')).toBeTruthy();
  await sandbox.pass(10 * 86_400);
  expect((await sandbox.basiq('GET', `/users/${userId}/connections`)).json.data).toMatchObject([
    { id: connection.id, status: 'active' },
  ]);
  expect(await accountIds()).toEqual(before);
  await sandbox.close();
});
