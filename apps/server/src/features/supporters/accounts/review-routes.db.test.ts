import * as supporters from '@sparechange/contract';
import * as contract from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { ProviderUnavailable } from '#ports/errors.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { forgetEverything } from '#testing/makers.ts';
import { tablesWith } from '#testing/tables-with.ts';
import { listWithHolders } from './holder-review.ts';

const api = ownApp({ edge: { rateLimitFactor: 0 } });

async function as(role: contract.Role) {
  const { id, cookie } = await anOperator(api.db, { roles: [role] });
  const call = <Op extends contract.ConsoleOperation>(operation: Op, input: object) =>
    callConsole(api.app, operation, input, { cookie });
  return { id, call };
}

/** A supporter with chosen accounts in the name of Jane Smith; `fund` chooses one again and returns the status. */
async function whoChooses(...names: string[]) {
  const { supporterId, uid, bankCustomerId } = await api.supporter({ account: false, roundsFrom: null });
  const shared = names.map((name) => ({ name, holder: 'MRS JANE SMITH' }));
  api.bankLink.connect(bankCustomerId, shared);
  await api.call(supporters.retrieveAccounts, { cdrid: supporterId }, { uid });
  const { body } = await api.call(supporters.accounts, { userId: supporterId }, { uid });
  const fund = async (wanted: string) => {
    const { _id = '', id = '' } = body.accountsData.documents.find(({ name }) => name === wanted) ?? {};
    const chosen = { account_id: _id, accountId: id, tenantA: 'default', activeDebitEnabled: true as const };
    return (await api.call(supporters.registerFunding, { ...chosen, cdrid: supporterId }, { uid })).status;
  };
  for (const name of names) expect(await fund(name)).toBe(409);
  const { call } = await as('support');
  const { rows } = (await call(contract.listHolderReviews, { limit: '1000' })).body;
  const accounts = rows.filter((row) => row.supporterId === supporterId);
  const idOf = (wanted: string) => accounts.find(({ accountName }) => accountName === wanted)?.id ?? '';
  return { supporterId, bankCustomerId, accounts, idOf, fund };
}

test('waiting accounts are listed masked, longest waiting first, page by page over all buckets', async () => {
  const waiting: string[] = [];
  for (let place = 0; place < 5; place += 1) {
    const { supporterId, accounts } = await whoChooses('Foreign');
    for (const { maskedNumber } of accounts) expect(maskedNumber).toMatch(/^X+\d{0,4}$/);
    const at = new Date(Date.UTC(2026, 10, 20, 10, 5 - Math.floor(place / 2)));
    await api.rows`update holder_reviews set asked_at = ${at} where supporter_id = ${supporterId}`;
    waiting.push(supporterId);
  }
  const { call } = await as('support');
  const seen: string[] = [];
  let after: string | null = '';
  while (after !== null && seen.length < 10) {
    const { body }: Awaited<ReturnType<typeof call<typeof contract.listHolderReviews>>> = await call(
      contract.listHolderReviews,
      { limit: '2', ...(after && { after }) },
    );
    seen.push(...body.rows.map(({ supporterId }) => supporterId));
    after = body.next;
  }
  expect(seen.toSorted()).toEqual(waiting.toSorted());
  expect([seen[0], ...seen.slice(1, 3).toSorted()]).toEqual([waiting[4], ...waiting.slice(2, 4).toSorted()]);
});

test('a list with holders counts the accounts left out, and stops asking a bank that does not answer', async () => {
  await forgetEverything(api.db);
  for (let place = 0; place < 5; place += 1) await whoChooses('Foreign');
  const asked: string[] = [];
  const list = (isUnreachable: boolean, limit: number) => {
    const listAccounts: typeof api.bankLink.listAccounts = async (customerId) => {
      asked.push(customerId);
      if (isUnreachable) throw new ProviderUnavailable('no answer');
      return api.bankLink.listAccounts(customerId);
    };
    return listWithHolders({ db: api.db, bankLink: { ...api.bankLink, listAccounts } }, limit);
  };
  const { waiting, left } = await list(false, 4);
  expect([waiting.map(({ holder }) => holder), left]).toEqual([Array(4).fill('MRS JANE SMITH'), 1]);
  asked.length = 0;
  const unnamed = await list(true, 100);
  expect([unnamed.waiting.map(({ holder }) => holder), unnamed.left]).toEqual([Array(5).fill(undefined), 0]);
  expect(asked).toHaveLength(3);
});

test('the holder is requested from the bank, and not stored', async () => {
  const { supporterId, bankCustomerId, idOf } = await whoChooses('Foreign');
  const { call } = await as('finance');
  const account = { supporterId, accountId: idOf('Foreign') };
  expect((await call(contract.lookUpAccountHolder, account)).body).toEqual({ holder: 'MRS JANE SMITH' });
  api.bankLink.setUnreachable(true, bankCustomerId);
  expect((await call(contract.lookUpAccountHolder, account)).status).toBe(502);
  api.bankLink.setUnreachable(false, bankCustomerId);
  expect((await call(contract.lookUpAccountHolder, { ...account, accountId: supporterId })).status).toBe(404);
  expect(await tablesWith(api.db, supporterId)).toContain('holder_reviews');
  expect(await tablesWith(api.db, 'JANE')).toEqual([]);
});

test('an operator with a fresh passkey approves one account, and no other of that supporter', async () => {
  const { supporterId, idOf, fund } = await whoChooses('Foreign', 'Another');
  const account = { supporterId, accountId: idOf('Foreign') };
  const { id, call } = await as('finance');
  await api.db`update operator_sessions set confirmed_at = now() - interval '6 minutes' where operator_id = ${id}`;
  const unconfirmed = await call(contract.approveHolderReview, account);
  expect([unconfirmed.status, unconfirmed.body.error.code]).toEqual([403, 'requires-recent-login']);
  expect(await fund('Foreign')).toBe(409);
  await api.db`update operator_sessions set confirmed_at = now() where operator_id = ${id}`;
  expect((await call(contract.approveHolderReview, account)).status).toBe(200);
  expect((await call(contract.refuseHolderReview, account)).status).toBe(409);
  expect([await fund('Foreign'), await fund('Another')]).toEqual([200, 409]);
  const owner = await as('owner');
  const { rows } = (await owner.call(contract.listAuditEntries, { supporterId })).body;
  const approved = rows.filter(({ action }) => action === 'approved a funding account in another name');
  expect(approved).toMatchObject([{ by: 'Pat Person', details: { account: account.accountId } }]);
});

test('a refused account stays refused, and the supporter is emailed', async () => {
  const { supporterId, idOf, fund } = await whoChooses('Foreign');
  const { call } = await as('owner');
  const account = { supporterId, accountId: idOf('Foreign') };
  expect((await call(contract.refuseHolderReview, account)).status).toBe(200);
  expect(await fund('Foreign')).toBe(409);
  expect((await call(contract.approveHolderReview, account)).status).toBe(409);
  const mails = await api.rows`
    select facts from mails where supporter_id = ${supporterId} and facts ->> 'kind' = 'holder_decided'`;
  expect(mails).toEqual([{ facts: { kind: 'holder_decided', isApproved: false } }]);
});
