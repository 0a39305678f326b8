import * as contract from '@sparechange/contract';
import { expect, test } from 'vitest';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import type { TestSupporter } from '#testing/makers.ts';

const api = ownApp();

/** A supporter of ours who has not yet been to their bank. */
async function newcomer(): Promise<TestSupporter> {
  const supporter = await api.supporter({ account: false, consentActive: false, roundsFrom: null });
  await api.rows`delete from confirmed_connections where supporter_id = ${supporter.supporterId}`;
  const customer = api.bankLink.customers.find(({ id }) => id === supporter.bankCustomerId);
  customer?.accounts.splice(0);
  return supporter;
}
const askForLink = async ({ supporterId: cdrid, uid }: TestSupporter) =>
  (await api.call(contract.consent, { cdrid }, { uid })).body.consentLink;
const open = async (link: string) => {
  const answer = await api.app.inject({ method: 'GET', url: new URL(link).pathname });
  return { status: answer.statusCode, location: String(answer.headers.location) };
};
const nonceIn = (location: string) =>
  contract.readBankState(new URL(location).searchParams.get('state'))?.nonce ?? 'none';
const retrieve = ({ supporterId: cdrid, uid }: TestSupporter) =>
  api.call(contract.retrieveAccounts, { cdrid }, { uid });
const confirm = ({ supporterId: cdrid, uid }: TestSupporter, nonce: string, ...jobIds: string[]) =>
  api.call(contract.confirmConnection, { cdrid, nonce, jobIds }, { uid });
const listed = async ({ supporterId: userId, uid }: TestSupporter) =>
  (await api.call(contract.accounts, { userId }, { uid })).body.accountsData.documents;

test('a link opens once, within 15 minutes, and its nonce is created on opening', async () => {
  const supporter = await newcomer();
  const link = await askForLink(supporter);
  expect(link).not.toContain(supporter.bankCustomerId);
  const first = await open(link);
  expect(first).toMatchObject({ status: 303, location: expect.stringContaining('https://bank.test/consent/') });
  expect(nonceIn(first.location)).toMatch(/^[\w-]{22}$/);
  expect(await open(link)).toEqual({ status: 303, location: '/launch-consent' });
  const late = await askForLink(supporter);
  const now = api.clock.now();
  api.clock.setTo(new Date(now.getTime() + 15 * 60_000 + 1).toISOString());
  expect(await open(late)).toEqual({ status: 303, location: '/launch-consent' });
  api.clock.setTo(now.toISOString());
});

test.each(['', 'x', 'A'.repeat(46), `${'A'.repeat(45)}B`, '%00', '..%2f'])(
  'a made-up ticket %j leads to the start',
  async (ticket) => {
    const answer = await api.app.inject({ method: 'GET', url: `/api/consent-pages/${ticket}` });
    expect([303, 404]).toContain(answer.statusCode);
    if (answer.statusCode === 303) expect(answer.headers.location).toBe('/launch-consent');
  },
);

test('a HEAD request reveals nothing about a link and leaves it as it was', async () => {
  const link = await askForLink(await newcomer());
  const { statusCode, headers } = await api.app.inject({ method: 'HEAD', url: new URL(link).pathname });
  expect([statusCode, headers.location]).toEqual([404, undefined]);
  expect((await open(link)).location).toContain('https://bank.test/');
});

test('a link to an unreachable bank stays usable', async () => {
  const link = await askForLink(await newcomer());
  api.bankLink.failNext();
  expect((await open(link)).location).toBe('/launch-consent');
  expect((await open(link)).location).toContain('https://bank.test/');
});

test('a connection that a stranger authorised over a forwarded link stays unusable for its sender', async () => {
  const attacker = await newcomer();
  const link = await askForLink(attacker);
  const victimsPage = (await open(link)).location; // in the browser of the victim
  const jobId = api.bankLink.connect(attacker.bankCustomerId, [{ name: 'Account of the victim' }]);
  expect((await retrieve(attacker)).status).toBe(409);
  expect(await listed(attacker)).toEqual([]);
  for (const guess of ['A'.repeat(22), nonceIn((await open(await askForLink(await newcomer()))).location)]) {
    expect((await confirm(attacker, guess, jobId)).status).toBe(403);
  }
  await syncPurchases(inBucketOf(api, attacker.supporterId), attacker.supporterId).catch(() => {});
  expect(await listed(attacker)).toEqual([]);
  const victim = await newcomer(); // signed in as themselves, the nonce is of another link
  expect((await confirm(victim, nonceIn(victimsPage), jobId)).status).toBe(403);
});

test('the session that returns from the bank confirms it, also twice, and then there are accounts', async () => {
  const supporter = await newcomer();
  const nonce = nonceIn((await open(await askForLink(supporter))).location);
  const jobId = api.bankLink.connect(supporter.bankCustomerId);
  expect((await confirm(supporter, nonce, jobId)).status).toBe(200);
  expect((await confirm(supporter, nonce, jobId)).status).toBe(200);
  expect((await retrieve(supporter)).status).toBe(200);
  expect(await listed(supporter)).toHaveLength(1);
});

test("another supporter's job is not confirmed", async () => {
  const [supporter, other] = [await newcomer(), await api.supporter()];
  const nonce = nonceIn((await open(await askForLink(supporter))).location);
  expect((await confirm(supporter, nonce, other.jobId)).status).toBe(403);
});

test('a second, unconfirmed connection adds no accounts', async () => {
  const supporter = await api.supporter();
  const job = { supporterId: supporter.supporterId, jobId: supporter.jobId };
  await api.rows`
    update confirmed_connections set connection_id = 'first' where supporter_id = ${job.supporterId}`;
  const customer = api.bankLink.customers.find(({ id }) => id === supporter.bankCustomerId);
  for (const account of customer?.accounts ?? []) account.connectionId = 'first';
  api.bankLink.connect(supporter.bankCustomerId, [{ name: 'Account of the victim', connectionId: 'second' }]);
  expect((await retrieve(supporter)).status).toBe(200);
  expect((await listed(supporter)).map(({ name }) => name)).not.toContain('Account of the victim');
});

test("an account in another name is debited only after an operator's approval", async () => {
  const supporter = await api.supporter({ account: false, roundsFrom: null });
  const { supporterId: cdrid, uid } = supporter;
  api.bankLink.connect(supporter.bankCustomerId, [{ name: 'Foreign', holder: 'MRS JANE SMITH' }]);
  await retrieve(supporter);
  const account = (await listed(supporter)).find(({ name }) => name === 'Foreign');
  const fund = () =>
    api.call(
      contract.registerFunding,
      {
        cdrid,
        account_id: account?._id ?? '',
        accountId: account?.id ?? '',
        tenantA: 'default',
        activeDebitEnabled: true,
      },
      { uid },
    );
  const mandates = api.directDebit.mandates.length;
  const refused = await fund();
  expect([refused.status, refused.body.error.code]).toEqual([409, 'holder-differs']);
  expect(api.directDebit.mandates).toHaveLength(mandates);
  const { decideReviews, listOpenReviews } = await import('#features/supporters/accounts/holder-review.ts');
  expect(await listOpenReviews(api.db)).toMatchObject([{ supporterId: cdrid, accountName: 'Foreign' }]);
  expect(await decideReviews(inBucketOf(api, cdrid), cdrid, { decision: 'refused' })).toBe(1);
  expect((await fund()).status).toBe(409);
  await api.rows`update holder_reviews set decision = null where supporter_id = ${cdrid}`;
  expect(await decideReviews(inBucketOf(api, cdrid), cdrid, { decision: 'approved' })).toBe(1);
  expect((await fund()).status).toBe(200);
  expect(await listOpenReviews(api.db)).toEqual([]);
});
