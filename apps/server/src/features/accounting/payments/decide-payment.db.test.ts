import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { withSessionLock } from '#db/session-lock.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { listRefusedRuns } from '#features/collections/debits/record-refusal.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ProviderRefused } from '#ports/errors.ts';
import { aClub, aPurchase, aSupporter, aTenant, cleared, clockSetter, someTenants } from '#testing/makers.ts';
import { aClearedDebit, setBankDetails } from '#testing/money-day.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { failPayment, findPayment, parkPayment, retryParked, retryPayment } from './decide-payment.ts';
import { listParked, readUnanswered } from './parked-payments.ts';
import { listEntries } from './payment-repository.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);
beforeEach(() => {
  at('2026-11-23', 'debit-run');
});

const at = clockSetter({ clock });
const find = (text: string) => findPayment(database.pool, text);
const actions = async () => {
  const rows = await database.rows<{ action: string }[]>`
    select action from audit_log where actor = 'operator' order by at, action`;
  return rows.map(({ action }) => action);
};

/** A debit of 45 cents with an unknown outcome. */
async function anUnansweredDebit() {
  const supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [
    aPurchase(supporter, { day: '2026-11-23', cents: 455 }),
  ]);
  await planDebits(database.pool, clock, someTenants(aTenant()), isoDate('2026-11-23'));
  directDebit.neverAnswer(() => true);
  await submitDebits(deps());
  const [debit] = await database.rows<{ id: string; reference: string }[]>`select id, reference from debits`;
  return { supporter, id: debit?.id ?? '', reference: debit?.reference ?? '' };
}

test('a payment is found by its reference, whole or as a statement shows it, by its id and by the provider’s', async () => {
  const { supporter, id, reference } = await anUnansweredDebit();
  directDebit.neverAnswer(() => false);
  await retryPayment(deps(), await find(id));
  const providerRef = directDebit.taken[0]?.providerRef ?? '';
  for (const text of [reference, reference.slice(0, 9).toLowerCase(), id]) {
    expect(await find(text)).toMatchObject({ kind: 'debit', id, state: 'submitted', providerRef, amount: 45 });
  }
  await expect(find('RU0000000')).rejects.toMatchObject({ code: 'not-found' });
  await expect(find('RU')).rejects.toMatchObject({ code: 'conflict' });
  expect(await listEntries(database.pool.of(supporter.supporterId), await find(id))).toMatchObject([
    { transfer: 'submitted', account: 'in_flight', cents: 45 },
    { transfer: 'submitted', account: 'pledged', cents: -45 },
  ]);
});

test('a parked debit that is retried is looked up immediately; a second retry finds nothing to do', async () => {
  const { id } = await anUnansweredDebit();
  await parkPayment(deps(), await find(id), 'the provider looks into it');
  await parkPayment(deps(), await find(id), 'the provider looks into it');
  expect(await listParked(database.pool, 5)).toMatchObject([{ id }]);
  directDebit.neverAnswer(() => false);
  await submitDebits(deps());
  expect(directDebit.taken).toEqual([]);
  expect(await retryPayment(deps(), await find(id))).toBe(true);
  expect(await retryPayment(deps(), await find(id))).toBe(false);
  expect(directDebit.taken).toHaveLength(1);
  expect(await find(id)).toMatchObject({ state: 'submitted', parkedAt: null });
  await expect(parkPayment(deps(), await find(id), 'too late')).rejects.toMatchObject({ code: 'conflict' });
  expect(await actions()).toEqual(['payment parked', 'payment parked', 'payment retried']);
});

test('the oldest payment being retried shows since when it has no answer; a parked one does not', async () => {
  const { id } = await anUnansweredDebit();
  const since = clock.now();
  at('2026-11-23', '08:00');
  await submitDebits(deps());
  expect(await readUnanswered(database.pool)).toEqual([{ kind: 'debit', unknown: 1, parked: 0, since }]);
  await parkPayment(deps(), await find(id), 'the provider looks into it');
  expect(await readUnanswered(database.pool)).toEqual([{ kind: 'debit', unknown: 0, parked: 1, since: null }]);
});

test('all payments parked by an outage are retried', async () => {
  const { id } = await anUnansweredDebit();
  await parkPayment(deps(), await find(id), 'an outage');
  directDebit.neverAnswer(() => false);
  expect(await retryParked(deps())).toEqual({ retried: 1, left: 0 });
  expect(await retryParked(deps())).toEqual({ retried: 0, left: 0 });
  expect(await find(id)).toMatchObject({ state: 'submitted' });
});

test('a debit that an operator marks as failed is refused, and its round-ups go with the next run; marking it twice changes nothing', async () => {
  const { id } = await anUnansweredDebit();
  await expect(failPayment(deps(), await find(id), 'they have no record of it')).rejects.toThrow(
    'was sent less than 10 minutes ago',
  );
  at('2026-11-23', '08:00');
  expect(await failPayment(deps(), await find(id), 'they have no record of it')).toBe(true);
  expect(await failPayment(deps(), await find(id), 'they have no record of it')).toBe(false);
  expect(await find(id)).toMatchObject({
    state: 'refused',
    failure: 'given up by an operator: they have no record of it',
  });
  expect(await listRefusedRuns(database.pool, '2026-11-20')).toEqual([]); // the provider refused nothing
  directDebit.neverAnswer(() => false);
  at('2026-11-25', 'debit-run');
  await planDebits(database.pool, clock, someTenants(aTenant()), isoDate('2026-11-25'));
  expect(await submitDebits(deps())).toMatchObject({ submitted: 1, totalCents: 45 });
});

test('a debit that the provider has cannot be marked as failed, and one that cannot be looked up only by force', async () => {
  const { id, reference } = await anUnansweredDebit();
  directDebit.setUnreachable(true);
  await expect(failPayment(deps(), await find(id), 'why')).rejects.toThrow('only by force is it given up');
  directDebit.setUnreachable(false);
  directDebit.neverAnswer(() => false);
  directDebit.failNext('time-out after effect');
  at('2026-11-23', '08:00');
  await submitDebits(deps());
  await expect(failPayment(deps(), await find(id), 'why')).rejects.toThrow(`The provider has ${reference} as PR.1`);
  await retryPayment(deps(), await find(id));
  await applyOutcome(deps(), cleared('PR.1'));
  await expect(failPayment(deps(), await find(id), 'why')).rejects.toThrow('is cleared');
});

test('while the provider is unavailable, an operator can mark a debit as failed by force', async () => {
  const { id } = await anUnansweredDebit();
  directDebit.setUnreachable(true);
  expect(await failPayment(deps(), await find(id), 'their letter says so', true)).toBe(true);
  expect(await find(id)).toMatchObject({ state: 'refused' });
});

test('a debit about which the provider refuses to answer is also given up only by force', async () => {
  const { id } = await anUnansweredDebit();
  const refuse = () => Promise.reject(new ProviderRefused('Zepto answered 404 when asked to look for a debit'));
  const asked = { ...deps(), directDebit: { ...directDebit, findDebit: refuse } };
  await expect(failPayment(asked, await find(id), 'why')).rejects.toMatchObject({ code: 'conflict' });
  expect(await failPayment(asked, await find(id), 'their letter says so', true)).toBe(true);
  expect(await find(id)).toMatchObject({ state: 'refused' });
});

test("a person's decision about a payment is in the log, or does not happen", async () => {
  const { supporter, id } = await anUnansweredDebit();
  const clubId = await aClub(database.pool);
  await setBankDetails(database.pool, clubId, '12345678');
  directDebit.neverAnswer((order) => order.id === id);
  await aClearedDebit(deps(), await aSupporter(database.pool, { clubId, directDebit }), 90);
  at('2026-12-01', '09:00');
  directDebit.neverAnswer(() => true);
  await remitToClubs(deps());
  const [remittance] = await database.rows<{ id: string }[]>`select id from remittances where state = 'submitting'`;
  at('2026-12-01', 'remit');
  for (const [place, payment] of [
    [database.pool.of(supporter.supporterId), id],
    [database.pool.inControl(), remittance?.id ?? ''],
  ] as const) {
    const attempts = [
      async () => parkPayment(deps(), await find(payment), 'why'),
      async () => retryPayment(deps(), await find(payment)),
      async () => failPayment(deps(), await find(payment), 'why'),
    ];
    const before = await find(payment);
    await place.unsafe("alter table audit_log add constraint is_down check (action not like 'payment %') not valid");
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow('is_down');
    await place.unsafe('alter table audit_log drop constraint is_down');
    expect(await find(payment)).toEqual(before);
    expect(await failPayment(deps(), before, 'why')).toBe(true);
  }
});

test('while debits are submitted none is given up, even by force', async () => {
  const { id } = await anUnansweredDebit();
  await withSessionLock(database.pool, 'submit debits', async () => {
    for (const force of [false, true])
      await expect(failPayment(deps(), await find(id), 'why', force)).rejects.toThrow('being submitted right now');
  });
  expect(await find(id)).toMatchObject({ state: 'submitting' });
  expect(await actions()).toEqual([]);
});

test('a deposit and a remittance are given up in the same way, and their money returns to its owner', async () => {
  const clubId = await aClub(database.pool);
  await setBankDetails(database.pool, clubId, '12345678');
  await aClearedDebit(deps(), await aSupporter(database.pool, { clubId, directDebit, savings: true }), 90);
  at('2026-12-01', '09:00');
  directDebit.neverAnswer((order) => !('mandateRef' in order));
  await depositSavings(deps());
  await remitToClubs(deps());
  const rows = await database.rows<{ reference: string }[]>`
    select reference from deposits union all select reference from remittances order by 1`;
  expect(rows.map(({ reference }) => reference.slice(0, 2))).toEqual(['CL', 'SV']);
  at('2026-12-01', 'remit');
  for (const { reference } of rows) {
    await parkPayment({ ...deps(), by: { kind: 'console', id: 'fay' } }, await find(reference), 'a test');
    const lock = reference.startsWith('CL') ? 'submit remittances' : 'submit deposits';
    await withSessionLock(database.pool, lock, async () =>
      expect(failPayment(deps(), await find(reference), 'a test')).rejects.toMatchObject({ code: 'conflict' }),
    );
    expect(await failPayment(deps(), await find(reference), 'a test')).toBe(true);
    expect(await find(reference)).toMatchObject({ state: 'refused' });
  }
  expect(await listParked(database.pool, 5)).toEqual([]);
  const parked = await database.rows`
    select details ->> 'by' as by from audit_log where action = 'payment parked' order by by`;
  expect(parked).toEqual([{ by: 'console fay' }, { by: null }]); // a supporter's own log names nobody
});
