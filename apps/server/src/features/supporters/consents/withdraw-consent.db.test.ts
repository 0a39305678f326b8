import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { askForDeletion } from '#features/supporters/offboarding/delete-bank-data.ts';
import { runConsents } from '#features/supporters/offboarding/run-consents.ts';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { inBucketOf } from '#testing/database.ts';
import type { TestSupporter } from '#testing/makers.ts';
import { refreshConsent } from './refresh-consent.ts';
import { statusForLink } from './renew-consent.ts';
import { aConsentLifecycle, type ConsentLifecycle } from './testing/consent-lifecycle.ts';
import { withdrawConsent } from './withdraw-consent.ts';

let world: ConsentLifecycle;
let supporter: TestSupporter;
let revoked: string[];
beforeEach(async () => {
  world = await aConsentLifecycle();
  supporter = await world.supporter();
  await world.buys(supporter, 70);
  revoked = [];
});
afterEach(async () => {
  expect((await auditBooks(world.db)).violations).toEqual([]);
  await world.database.drop();
});

/** The bank, with a count of revocations there. */
const counting = (): BankLink => ({
  ...world.bankLink,
  revokeConsent: async (customerId, consentId) => {
    revoked.push(consentId);
    await world.bankLink.revokeConsent(customerId, consentId);
  },
});
/** A bank that answers without ending any consent. */
const stubborn = (): BankLink => ({
  ...world.bankLink,
  revokeConsent: async () => {
    throw new ProviderUnavailable('not now');
  },
});
const setUnreachable = (isUnreachable: boolean) =>
  world.bankLink.setUnreachable(isUnreachable, supporter.bankCustomerId);
const withdraw = (bankLink: BankLink = counting()) =>
  withdrawConsent(inBucketOf({ ...world, bankLink }, supporter.supporterId), supporter.supporterId, 'supporter');
const run = (bankLink: BankLink = counting()) => runConsents({ ...world, bankLink }, () => {});
const refresh = () =>
  refreshConsent(world.db.of(supporter.supporterId), world.clock, world.bankLink, supporter.supporterId);
const status = async () => {
  const [row] = await world.rows`
    select consent_active as active, consent_end as "end", consent_revoking_since is not null as "isRevoking"
    from supporters where supporter_id = ${supporter.supporterId}`;
  return row;
};
const statesAtTheBank = async () =>
  (await world.bankLink.listConsents(supporter.bankCustomerId)).map(({ state }) => state);
/** Sets this many minutes past 3 am on day 0. */
const atMinute = (minute: number) =>
  world.clock.setTo(new Date(Date.parse('2026-11-24T16:00:00Z') + minute * 60_000).toISOString());

test('ends here immediately while the provider is unavailable, and the daily run revokes it there, once', async () => {
  setUnreachable(true);
  await expect(withdraw()).rejects.toThrow(ProviderUnavailable);
  expect(await status()).toEqual({ active: false, end: 'withdrawn', isRevoking: true });
  expect(await world.kindsMailed(supporter)).toEqual(['consent_withdrawn']);
  world.goToDay(1);
  expect(await run()).toMatchObject({ deleted: 1 });
  expect([revoked, await status()]).toMatchObject([[], { active: false, isRevoking: true }]);

  setUnreachable(false);
  world.goToDay(2);
  await run();
  expect([revoked.length, await statesAtTheBank()]).toEqual([1, ['revoked']]);
  expect(await status()).toEqual({ active: false, end: 'withdrawn', isRevoking: false });
  world.goToDay(3);
  await run();
  expect(revoked).toHaveLength(1);
  expect(await world.kindsMailed(supporter)).toEqual(['consent_withdrawn', 'bank_data_deleted']);
});

test('is revoked at the provider immediately if it answers, with nothing left to ask it', async () => {
  expect(await withdraw()).toBe(1);
  expect(await statesAtTheBank()).toEqual(['revoked']);
  expect(await status()).toEqual({ active: false, end: 'withdrawn', isRevoking: false });
});

test('a provider that still says "active" revives nothing, and nothing is collected, rounded or debited', async () => {
  await expect(withdraw(stubborn())).rejects.toThrow(ProviderUnavailable);
  world.bankLink.addTransaction(supporter.bankCustomerId, { accountId: supporter.account.providerAccountId });
  const collect = async () => {
    expect(await refresh()).toBe(false);
    const deps = { ...world, statementName: 'SPARECHANGE' };
    expect(await syncPurchases(inBucketOf(deps, supporter.supporterId), supporter.supporterId)).toMatchObject({
      transactions: 0,
    });
    await world.buys(supporter, 30);
    await world.debits(supporter);
    const [row] = await world.rows`
      select (select count(*) from round_ups) as recorded, (select count(*) from debits) as debits`;
    return row;
  };
  expect(await collect()).toEqual({ recorded: 1, debits: 0 }); // state left from before
  for (const day of [1, 100]) {
    world.goToDay(day);
    await run(stubborn());
    expect(await collect()).toEqual({ recorded: 0, debits: 0 });
  }
  expect(await statesAtTheBank()).toEqual(['active']);
  expect(await status()).toEqual({ active: false, end: 'withdrawn', isRevoking: true });
  await run();
  expect(await statesAtTheBank()).toEqual(['revoked']);
});

test('a late answer from before the withdrawal does not revive it', async () => {
  const slow: BankLink = {
    ...world.bankLink,
    listConsents: async (customerId) => {
      const before = await world.bankLink.listConsents(customerId);
      await withdraw();
      return before.map((consent) => ({ ...consent, expiresAt: new Date(consent.expiresAt.getTime() + 1000) }));
    },
  };
  expect(await refreshConsent(world.db.of(supporter.supporterId), world.clock, slow, supporter.supporterId)).toBe(
    false,
  );
  expect(await status()).toMatchObject({ active: false, end: 'withdrawn' });
});

test.each(['given', 'prolonged'])('a late answer from before a consent was %s ends nothing', async (how) => {
  const { supporterId } = supporter;
  const later = new Date('2027-12-25T00:00:00Z');
  if (how === 'given')
    await world.rows`
      update supporters set consent_active = false, consent_end = 'expired', consent_ended_on = '2026-11-24'
      where supporter_id = ${supporterId}`;
  const slow: BankLink = {
    ...world.bankLink,
    listConsents: async (customerId) => {
      const given = await world.bankLink.listConsents(customerId);
      const bankLink = {
        ...world.bankLink,
        listConsents: async () => given.map((each) => ({ ...each, expiresAt: later })),
      };
      expect(await refreshConsent(world.db.of(supporterId), world.clock, bankLink, supporterId)).toBe(true);
      return given.map((each) => ({ ...each, state: 'expired' as const }));
    },
  };
  expect(await refreshConsent(world.db.of(supporterId), world.clock, slow, supporterId)).toBe(true);
  expect(await status()).toMatchObject({ active: true, end: null });
  expect(await world.kindsMailed(supporter)).toEqual([]);
});

test('pressed twice, even in parallel, is one withdrawal and one email', async () => {
  await Promise.all([withdraw(), withdraw()]);
  await withdraw();
  expect(await world.kindsMailed(supporter)).toEqual(['consent_withdrawn']);
  expect(await status()).toEqual({ active: false, end: 'withdrawn', isRevoking: false });
  expect(await statesAtTheBank()).toEqual(['revoked']);
});

test('a consent given again on the same day works, and the bank is not asked for it before the old one is over there', async () => {
  setUnreachable(true);
  await expect(withdraw()).rejects.toThrow();
  await expect(statusForLink(inBucketOf(world, supporter.supporterId), supporter.supporterId)).rejects.toThrow(
    ProviderUnavailable,
  );
  setUnreachable(false);
  atMinute(5);
  expect(
    await statusForLink(inBucketOf({ ...world, bankLink: counting() }, supporter.supporterId), supporter.supporterId),
  ).toMatchObject({
    isActive: false,
    status: { state: 'withdrawn' },
  });
  expect(revoked).toHaveLength(1);
  atMinute(6);
  world.bankLink.connect(supporter.bankCustomerId);
  expect(await refresh()).toBe(true);
  await run();
  expect([await statesAtTheBank(), revoked.length]).toEqual([['active', 'revoked'], 1]);
  expect(await status()).toEqual({ active: true, end: null, isRevoking: false });
});

test('a consent given since is not mistaken for the one still to be revoked, and stays', async () => {
  await expect(withdraw(stubborn())).rejects.toThrow();
  const customer = world.bankLink.customers.find(({ id }) => id === supporter.bankCustomerId);
  const givenAt = new Date(world.clock.now().getTime() + 60_000);
  customer?.consents.unshift({ id: 'anew', state: 'active', givenAt, expiresAt: new Date('2027-03-01T00:00:00Z') });
  atMinute(5);
  expect(await refresh()).toBe(true);
  await run();
  expect(revoked).not.toContain('anew');
  expect(await statesAtTheBank()).toEqual(['active', 'revoked']);
  expect(await status()).toEqual({ active: true, end: null, isRevoking: false });
  expect(await withdraw()).toBe(1);
  expect(await statesAtTheBank()).toEqual(['revoked', 'revoked']);
});

test('a supporter asking for deletion during a provider outage has it immediately, and the daily run revokes', async () => {
  setUnreachable(true);
  const { supporterId } = supporter;
  expect(await askForDeletion(inBucketOf(world, supporterId), supporterId, 'supporter')).toMatchObject({
    result: 'deleted',
  });
  setUnreachable(false);
  await run();
  expect([revoked.length, await statesAtTheBank()]).toEqual([1, ['revoked']]);
});
