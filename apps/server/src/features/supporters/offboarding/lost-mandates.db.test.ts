import * as contract from '@sparechange/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProviderUnavailable } from '#ports/errors.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import type { FakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { anAccount, type TestSupporter } from '#testing/makers.ts';
import { cancelMandates } from './cancel-mandates.ts';
import { closeSupporter } from './close-supporter.ts';
import { runConsents } from './run-consents.ts';
import { stopDebits } from './stop-debits.ts';

const api = ownApp();
let provider: FakeDirectDebit;
let lookedUp: string[];
beforeEach(() => {
  provider = { ...api.directDebit };
  lookedUp = [];
  api.directDebit.findMandate = (request) => {
    lookedUp.push(request.id);
    return provider.findMandate(request);
  };
});
afterEach(() => void Object.assign(api.directDebit, provider));

type Account = { id: string; providerAccountId: string };

const choose = async ({ supporterId: cdrid, uid }: TestSupporter, { id, providerAccountId }: Account) => {
  const chosen = {
    account_id: id,
    accountId: providerAccountId,
    tenantA: 'default',
    activeDebitEnabled: true,
  } as const;
  return (await api.call(contract.registerFunding, { cdrid, ...chosen }, { uid })).status;
};

/** Chooses an account whose mandate the provider registers without our learning of it. */
async function chooseInVain(supporter: TestSupporter, account: Account): Promise<void> {
  api.directDebit.createMandate = async (request) => {
    await provider.createMandate(request);
    throw new ProviderUnavailable('the answer was lost');
  };
  expect(await choose(supporter, account)).toBeGreaterThanOrEqual(500);
  api.directDebit.createMandate = provider.createMandate;
}

const pass = (ms: number) => api.clock.setTo(new Date(api.clock.now().getTime() + ms).toISOString());
const minuteMs = 60_000;
const dayMs = 86_400_000;
const inEffect = ({ email }: TestSupporter) =>
  api.directDebit.mandates.filter((mandate) => mandate.email === email && !mandate.isCancelled).length;
const depsOf = ({ supporterId }: TestSupporter) =>
  inBucketOf({ ...api, removeUser: async () => 'removed' as const }, supporterId);
const consentRun = () => runConsents({ ...api, graceDays: 30 }, () => {});

test.each(['stopping', 'closing'])('%s also cancels a mandate whose answer was lost', async (way) => {
  const supporter = await api.supporter();
  await chooseInVain(supporter, supporter.account);
  pass(minuteMs);
  expect(await choose(supporter, supporter.account)).toBe(200);
  expect(inEffect(supporter)).toBe(2);
  const { supporterId } = supporter;
  if (way === 'stopping') await stopDebits(depsOf(supporter), supporterId);
  else await closeSupporter(depsOf(supporter), supporterId, 'supporter');
  expect(inEffect(supporter)).toBe(0);
  const rows = await api.rows`
    select mandate_ref from mandates where supporter_id = ${supporterId} and cancelled_at is not null`;
  expect(rows.filter(({ mandate_ref }) => mandate_ref !== null)).toHaveLength(3);
});

test('a lost mandate is cancelled even if the supporter has changed name and address since', async () => {
  const supporter = await api.supporter();
  await chooseInVain(supporter, supporter.account);
  await api.rows`
    update supporters set first_name = 'Sam', email = 'sam@example.com' where supporter_id = ${supporter.supporterId}`;
  pass(minuteMs);
  await stopDebits(depsOf(supporter), supporter.supporterId);
  expect(inEffect(supporter)).toBe(0);
});

test('a mandate still being registered is cancelled by the daily run', async () => {
  const supporter = await api.supporter();
  await chooseInVain(supporter, supporter.account);
  await stopDebits(depsOf(supporter), supporter.supporterId);
  expect([inEffect(supporter), lookedUp]).toEqual([1, []]);
  pass(dayMs);
  await consentRun();
  expect(inEffect(supporter)).toBe(0);
});

test('a superseded mandate is cancelled by the daily run, and the chosen one stays', async () => {
  const supporter = await api.supporter();
  await chooseInVain(supporter, supporter.account);
  pass(minuteMs);
  expect(await choose(supporter, await anAccount(api.db, supporter))).toBe(200);
  pass(dayMs + minuteMs);
  await consentRun();
  expect(inEffect(supporter)).toBe(1);
  expect(lookedUp).toHaveLength(1);
});

test('a mandate that the provider treats as one with the chosen one is not cancelled, which would end both', async () => {
  const supporter = await api.supporter();
  expect(await choose(supporter, supporter.account)).toBe(200);
  pass(minuteMs);
  const known = api.directDebit.mandates.find(({ email }) => email === supporter.email);
  api.directDebit.createMandate = async () => known?.mandateRef ?? '';
  expect(await choose(supporter, supporter.account)).toBe(200);
  pass(dayMs + minuteMs);
  await consentRun();
  expect(inEffect(supporter)).toBe(1);
});

test('a mandate that the provider refused is left as it is, and the daily run asks about it for a week', async () => {
  const supporter = await api.supporter();
  api.directDebit.refuseNextMandate();
  expect(await choose(supporter, supporter.account)).toBe(502);
  pass(minuteMs);
  await stopDebits(depsOf(supporter), supporter.supporterId);
  const [row] = await api.rows`
    select cancelled_at from mandates where supporter_id = ${supporter.supporterId} and mandate_ref is null`;
  expect([row, lookedUp.length]).toEqual([{ cancelled_at: null }, 1]);
  for (let day = 1; day <= 10; day += 1) {
    pass(dayMs);
    await consentRun();
  }
  expect(lookedUp).toHaveLength(7);
});

test('the provider is not asked about a supporter whose mandates all have their reference', async () => {
  const supporter = await api.supporter();
  pass(minuteMs);
  expect(await cancelMandates(depsOf(supporter), supporter.supporterId)).toBe(1);
  expect(lookedUp).toEqual([]);
});
