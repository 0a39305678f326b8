import { createHash } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { closeAccount } from '#features/supporters/offboarding/close-supporter.ts';
import { deleteBankData } from '#features/supporters/offboarding/delete-bank-data.ts';
import { runConsents } from '#features/supporters/offboarding/run-consents.ts';
import { stopDebits } from '#features/supporters/offboarding/stop-debits.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { anAccount, aPurchase, type TestSupporter } from '#testing/makers.ts';
import { chooseFundingAccount } from './choose-funding-account.ts';

const api = ownApp();

const listed = async ({ supporterId, uid }: TestSupporter) => {
  const answer = await api.call(contract.accounts, { userId: supporterId }, { uid });
  return answer.body.accountsData.documents as (typeof contract.BankAccount)['_output'][];
};
const retrieve = ({ supporterId: cdrid, uid }: TestSupporter) =>
  api.call(contract.retrieveAccounts, { cdrid }, { uid });
const fund = ({ supporterId: cdrid, uid }: TestSupporter, account: { id: string; providerAccountId: string }) =>
  api.call(
    contract.registerFunding,
    {
      cdrid,
      account_id: account.id,
      accountId: account.providerAccountId,
      tenantA: 'default',
      activeDebitEnabled: true,
    },
    { uid, headers: { 'user-agent': 'a browser' } },
  );

test('accounts are fetched from the bank, with their numbers masked and encrypted', async () => {
  const supporter = await api.supporter({ account: false });
  expect(await retrieve(supporter)).toMatchObject({ status: 200, body: { status: 200 } });
  const [account] = await listed(supporter);
  expect(account).toMatchObject({
    name: 'Everyday Account',
    canFund: true,
    activeRoundUpsEnabled: false,
    activeDebitEnabled: false,
  });
  expect(account?.accountNumber).toMatch(/^X{4}\d{4}$/);
  const [row] = await api.rows<{ bsb: Uint8Array }[]>`
    select bsb_encrypted as bsb from accounts where supporter_id = ${supporter.supporterId}`;
  expect(api.encryption.decrypt(row?.bsb ?? new Uint8Array(), `supporter ${supporter.supporterId} bsb`)).toBe('062000');
});

test.each([
  [{ kind: 'credit-card' }],
  [{ kind: 'mortgage' }],
  [{ currency: 'USD' }],
  [{ isAvailable: false }],
  [{ bsb: undefined }],
  [{ accountNumber: undefined, displayNumber: 'xxxx xxxx xxxx 1234' }],
])('an account like %j is tracked but not debited', async (overrides) => {
  const supporter = await api.supporter({ account: false });
  api.bankLink.connect(supporter.bankCustomerId, [{ name: 'Special', ...overrides }]);
  await retrieve(supporter);
  const special = (await listed(supporter)).find(({ name }) => name === 'Special');
  expect(special?.canFund).toBe(false);
  expect((await fund(supporter, { id: special?._id ?? '', providerAccountId: special?.id ?? '' })).status).toBe(400);
});

test("fetching again keeps the supporter's choices and hides accounts that the bank no longer shows", async () => {
  const supporter = await api.supporter();
  const gone = await anAccount(api.db, supporter, { name: 'Closed' });
  await retrieve(supporter);
  const documents = await listed(supporter);
  expect(documents.map(({ _id }) => _id)).toEqual([supporter.account.id]);
  expect(documents[0]).toMatchObject({ activeRoundUpsEnabled: true, activeDebitEnabled: true });
  const [row] = await api.rows`select is_listed, round_ups_on from accounts where id = ${gone.id}`;
  expect(row).toEqual({ is_listed: false, round_ups_on: true });
});

test('without a bank connection there is nothing to fetch', async () => {
  const supporter = await api.supporter();
  api.bankLink.endConsent(supporter.bankCustomerId, 'revoked');
  expect((await retrieve(supporter)).status).toBe(409);
});

test('a bank that shows no account gives an empty list and status done', async () => {
  const supporter = await api.supporter({ account: false });
  const [customer] = api.bankLink.customers.filter(({ id }) => id === supporter.bankCustomerId);
  customer?.accounts.splice(0);
  expect(await retrieve(supporter)).toMatchObject({ status: 200, body: { status: 200 } });
  expect(await listed(supporter)).toEqual([]);
});

test('a bank that does not answer is reported as unreachable, and nothing changes', async () => {
  const supporter = await api.supporter();
  api.bankLink.setUnreachable(true, supporter.bankCustomerId);
  const answer = await retrieve(supporter);
  expect([answer.status, answer.body.error.code]).toEqual([502, 'provider-unavailable']);
  expect(await listed(supporter)).toHaveLength(1);
});

test('exactly the ticked accounts are tracked, from today on', async () => {
  const supporter = await api.supporter();
  const other = await anAccount(api.db, supporter, { roundUpsOn: false });
  const roundUpAccounts = [
    { accountId: supporter.account.id, activeRoundUpsEnabled: false },
    { accountId: other.id, activeRoundUpsEnabled: true },
  ];
  const answer = await api.call(contract.updateRoundUpAccounts, { roundUpAccounts }, { uid: supporter.uid });
  expect(answer.body).toEqual({ results: roundUpAccounts });
  const rows = await api.rows`
    select id, round_ups_on, round_ups_from from accounts where supporter_id = ${supporter.supporterId}`;
  expect([...rows]).toContainEqual({ id: other.id, round_ups_on: true, round_ups_from: '2026-11-25' });
  expect([...rows]).toContainEqual({ id: supporter.account.id, round_ups_on: false, round_ups_from: null });
});

test('a list that leaves an account out or names one twice is refused', async () => {
  const supporter = await api.supporter();
  await anAccount(api.db, supporter);
  const once = { accountId: supporter.account.id, activeRoundUpsEnabled: true };
  for (const RoundUpAccounts of [[once], [once, once]]) {
    const answer = await api.call(contract.setRoundUpAccounts, { RoundUpAccounts }, { uid: supporter.uid });
    expect(answer.status).toBe(400);
  }
});

test.each(['%', '💥', 'riverside-rovers', 'Default', ''])('no account is chosen for tenantA "%s"', async (tenantA) => {
  const { supporterId: cdrid, uid, account } = await api.supporter();
  const chosen = { account_id: account.id, accountId: account.providerAccountId, activeDebitEnabled: true as const };
  const registered = await api.call(contract.registerFunding, { cdrid, tenantA, ...chosen }, { uid });
  const updated = await api.call(contract.updateFundingAccount, { cdrid, tenantA, accounts: [chosen] }, { uid });
  expect([registered.status, updated.status]).toEqual([400, 400]);
});

test('a list of accounts to debit names each once and ticks one; nothing changes otherwise', async () => {
  const supporter = await api.supporter();
  const { supporterId: cdrid, uid, account } = supporter;
  const other = await anAccount(api.db, supporter);
  const named = ({ id, providerAccountId }: typeof account, activeDebitEnabled: boolean) => ({
    account_id: id,
    accountId: providerAccountId,
    activeDebitEnabled,
  });
  const update = async (...accounts: ReturnType<typeof named>[]) => {
    const { status } = await api.call(contract.updateFundingAccount, { cdrid, tenantA: 'default', accounts }, { uid });
    return [status, (await listed(supporter)).find((each) => each.activeDebitEnabled)?._id];
  };
  const mixedUp = { ...named(other, true), accountId: account.providerAccountId };
  expect(await update(named(other, true))).toEqual([400, account.id]);
  expect(await update(named(other, true), named(other, false))).toEqual([400, account.id]);
  expect(await update(named(account, true), named(other, true))).toEqual([400, account.id]);
  expect(await update(named(account, false), named(other, false))).toEqual([400, account.id]);
  expect(await update(named(account, false), mixedUp)).toEqual([403, account.id]);
  expect(await update(named(account, false), named(other, true))).toEqual([200, other.id]);
});

test('choosing a funding account stores the agreed text, place and manner, and makes it the only one', async () => {
  const supporter = await api.supporter();
  const other = await anAccount(api.db, supporter, { name: 'Other', unusableSince: '2026-11-01' });
  expect(await fund(supporter, other)).toMatchObject({ status: 200, body: {} });
  const [mandate] = await api.rows`
    select terms_version, payer_name, masked_account, tenant, ceiling_cents, ip, user_agent, mandate_ref, agreed_at
    from mandates where account_id = ${other.id}`;
  expect(mandate).toMatchObject({
    terms_version: '2026-11-21',
    payer_name: 'Robin Banks',
    masked_account: 'XXXX5678',
    tenant: 'default',
    ip: '127.0.0.1',
    user_agent: 'a browser',
    agreed_at: api.clock.now(),
    mandate_ref: api.directDebit.mandates.at(-1)?.mandateRef,
  });
  const funding = (await listed(supporter)).filter(({ activeDebitEnabled }) => activeDebitEnabled);
  expect(funding.map(({ _id }) => _id)).toEqual([other.id]);
  const [row] = await api.rows`select unusable_since from accounts where id = ${other.id}`;
  expect(row).toEqual({ unusable_since: null });
});

test('an agreed wording is stored once for everybody, under its hash, and cannot be changed', async () => {
  const [one, other] = [await api.supporter(), await api.supporter()];
  for (const supporter of [one, one, other]) await fund(supporter, supporter.account);
  const texts = await api.rows<{ hash: string; version: string; content: string; mandates: number }[]>`
    select text.hash, text.version, content, count(*)::int as mandates
    from direct_debit_texts text join mandates on text_hash = text.hash
    where supporter_id in (${one.supporterId}, ${other.supporterId}) group by 1`;
  expect([...texts]).toMatchObject([{ version: '2026-11-21', mandates: 3 }]);
  const [{ hash, content } = { hash: '', content: '' }] = texts;
  expect(hash).toBe(createHash('sha256').update(content).digest('hex'));
  expect(content).toContain("you agree to the payment provider's direct-debit terms.");
  expect(content).toContain('\n- each one-off donation you make, of at most $250.\n');
  await expect(api.rows`update direct_debit_texts set content = '' where hash = ${hash}`).rejects.toThrow();
  await expect(api.rows`delete from direct_debit_texts where hash = ${hash}`).rejects.toThrow();
});

test('for a tenant with its own terms their address is stored beside our words', async () => {
  const supporter = await api.supporter();
  const directDebitTermsURL = 'https://rovers.example/terms/ddr';
  const chosen = { accountId: supporter.account.id, providerAccountId: supporter.account.providerAccountId };
  const tenant = { key: 'rovers', directDebitTermsURL };
  await chooseFundingAccount(inBucketOf(api, supporter.supporterId), supporter.supporterId, chosen, {
    tenant,
    ip: '192.0.2.7',
    userAgent: 'a browser',
  });
  const [kept] = await api.rows<{ tenant: string; version: string; content: string }[]>`
    select tenant, terms_version as version, content from mandates join direct_debit_texts on hash = text_hash
    where supporter_id = ${supporter.supporterId}`;
  expect(kept?.tenant).toBe('rovers');
  expect(kept?.version).toMatch(/^linked-[0-9a-f]{12}$/);
  expect(kept?.content).toMatch(/direct-debit terms\."\nThe terms it links to: https:\/\/rovers\.example\/terms\/ddr$/);
});

test('a planned debit is taken from the account that was chosen since', async () => {
  const supporter = await api.supporter();
  const db = api.db.of(supporter.supporterId);
  await recordRoundUps(db, api.clock.now(), [aPurchase(supporter)]);
  await planDebits(api.db, api.clock, api.tenants, isoDate('2026-11-25'));
  await api.rows`update accounts set is_listed = false where id = ${supporter.account.id}`;
  const other = await anAccount(api.db, supporter, { name: 'Other' });
  await fund(supporter, other);
  const before = api.directDebit.taken.length;
  await submitDebits(api);
  expect(api.directDebit.taken.slice(before)).toMatchObject([
    { amount: 70, mandateRef: api.directDebit.mandates.at(-1)?.mandateRef },
  ]);
});

test('a copy of the agreed text is queued for each choice, without a number of the account', async () => {
  const supporter = await api.supporter();
  await fund(supporter, supporter.account);
  const rows = await api.rows<{ facts: object; textHash: string }[]>`
    select facts, text_hash as "textHash" from mails join mandates mandate
      on mandate.supporter_id = mails.supporter_id and key = 'direct_debit_request ' || mandate.id
    where mails.supporter_id = ${supporter.supporterId}`;
  expect(rows.map(({ facts }) => facts)).toEqual([
    { kind: 'direct_debit_request', agreedOn: '2026-11-25', textHash: rows[0]?.textHash },
  ]);
});

test('a mandate the provider refuses leaves the funding account as it was', async () => {
  const supporter = await api.supporter();
  const other = await anAccount(api.db, supporter);
  api.directDebit.refuseNextMandate();
  expect((await fund(supporter, other)).status).toBe(502);
  const funding = (await listed(supporter)).filter(({ activeDebitEnabled }) => activeDebitEnabled);
  expect(funding.map(({ _id }) => _id)).toEqual([supporter.account.id]);
});

test('accounts chosen at the same moment are each agreed to, and one is the funding account', async () => {
  const supporter = await api.supporter();
  const others = await Promise.all([1, 2, 3].map(() => anAccount(api.db, supporter)));
  const answers = await Promise.all([...others, ...others].map((account) => fund(supporter, account)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect((await listed(supporter)).filter(({ activeDebitEnabled }) => activeDebitEnabled)).toHaveLength(1);
});

test('an account closed during the choice of its funding account is not debited, and its mandate is left to be withdrawn', async () => {
  const supporter = await api.supporter();
  const { createMandate } = api.directDebit;
  api.directDebit.createMandate = async (request) => {
    await closeAccount(
      inBucketOf({ ...api, removeUser: async () => 'removed' }, supporter.supporterId),
      supporter.supporterId,
      'supporter',
    );
    return createMandate(request);
  };
  const answer = await fund(supporter, supporter.account);
  api.directDebit.createMandate = createMandate;
  expect([answer.status, answer.body.error.code]).toEqual([401, 'signed-out']);
  const rows = await api.rows`select is_funding from accounts where supporter_id = ${supporter.supporterId}`;
  expect([...rows]).toEqual([{ is_funding: false }]);
  const asked = api.directDebit.mandates.at(-1)?.mandateRef ?? '';
  const [mandate] = await api.rows`
    select cancelled_at from mandates where supporter_id = ${supporter.supporterId} and mandate_ref = ${asked}`;
  expect(mandate).toEqual({ cancelled_at: null });
});

/** Chooses an account, and does something else during the call to the provider. */
async function fundMeanwhile(
  supporter: TestSupporter,
  account: { id: string; providerAccountId: string },
  meanwhile: () => Promise<unknown>,
) {
  const { createMandate } = api.directDebit;
  api.directDebit.createMandate = async (request) => {
    api.directDebit.createMandate = createMandate;
    const mandateRef = await createMandate(request);
    await meanwhile();
    return mandateRef;
  };
  return fund(supporter, account);
}

const debited = async (supporter: TestSupporter) =>
  (await listed(supporter)).filter(({ activeDebitEnabled }) => activeDebitEnabled).map(({ _id }) => _id);

test('an account chosen just before debits are stopped is not debited, and its mandate is cancelled by the daily run', async () => {
  const supporter = await api.supporter();
  const { supporterId } = supporter;
  const other = await anAccount(api.db, supporter);
  const answer = await fundMeanwhile(supporter, other, () => stopDebits(inBucketOf(api, supporterId), supporterId));
  expect([answer.status, await debited(supporter)]).toEqual([409, []]);
  const mails = await api.rows`
    select from mails where supporter_id = ${supporterId} and facts->>'kind' in ('direct_debit_request', 'funding_changed')`;
  expect(mails).toHaveLength(0);
  await runConsents({ ...api, graceDays: 30 }, () => {});
  const open = await api.rows`select from mandates where supporter_id = ${supporterId} and cancelled_at is null`;
  expect(open).toHaveLength(0);
});

test('an account whose bank data is deleted while it is chosen is not reported as debited', async () => {
  const supporter = await api.supporter();
  const { supporterId } = supporter;
  await api.rows`update accounts set is_funding = false where supporter_id = ${supporterId}`;
  const answer = await fundMeanwhile(supporter, supporter.account, async () => {
    await api.rows`update supporters set consent_active = false where supporter_id = ${supporterId}`;
    await deleteBankData(inBucketOf(api, supporterId), supporterId, 'supporter');
  });
  expect(answer.status).toBe(409);
});

test('of two accounts the later choice is debited, though the provider answers about the other one last', async () => {
  const supporter = await api.supporter();
  const [first, second] = [await anAccount(api.db, supporter), await anAccount(api.db, supporter)];
  const later = async () => {
    api.clock.setTo(new Date(api.clock.now().getTime() + 1_000).toISOString());
    expect((await fund(supporter, second)).status).toBe(200);
  };
  expect((await fundMeanwhile(supporter, first, later)).status).toBe(409);
  expect(await debited(supporter)).toEqual([second.id]);
  const again = async () => {
    api.clock.setTo(new Date(api.clock.now().getTime() + 1_000).toISOString());
    expect((await fund(supporter, first)).status).toBe(200);
  };
  expect((await fundMeanwhile(supporter, first, again)).status).toBe(200);
  expect(await debited(supporter)).toEqual([first.id]);
});
