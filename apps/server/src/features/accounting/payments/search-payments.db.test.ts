import { randomUUID } from 'node:crypto';
import { listPayments, PaymentKind, PaymentSort, PaymentState, sumPayments } from '@sparechange/contract/console';
import { beforeAll, describe, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, aSupporter, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';

const api = ownApp({}, {}, 4);
let finance: TestOperator;
let people: TestSupporter[];
let robin: TestSupporter;

beforeAll(async () => {
  finance = await anOperator(api.db, { roles: ['finance'] });
  const clubId = await aClub(api.db, { name: 'Coral Coast Rangers' });
  people = [];
  for (const uid of uidsInEachBucket(4, 1)) people.push(await aSupporter(api.db, { uid, clubId }));
  robin = people[2] as TestSupporter;
  await api.rows`
    update supporters set first_name = 'Wilhelmina', last_name = 'Quist', mobile = '0412 345 678', email = 'quist@example.com'
    where supporter_id = ${robin.supporterId}`;
  for (const [place, person] of people.entries())
    for (const day of ['2026-11-16', '2026-11-18', '2026-11-20'])
      await aPastDebit(api.db, person, { day, amount: 4_00 + place });
  const id = await aPastDebit(api.db, robin, { day: '2026-11-23', amount: 43_50, reversedOn: '2026-11-24' });
  await api.rows`update debits set reference = 'RU4F09A1C0D5E6F7A8', provider_ref = 'PR.4x9k2m7' where id = ${id}`;
  await api.db`
    insert into remittances (id, club_id, run_date, attempt, amount_cents, first_day, last_day, reference, state, planned_at, parked_at)
    values (${randomUUID()}, ${clubId}, '2026-11-20', 1, 120000, '2026-11-16', '2026-11-18', 'CL0123456789ABCDEF', 'submitting',
      '2026-11-20T01:00:00Z', '2026-11-21T01:00:00Z')`;
  await api.db.of(robin.supporterId)`
    insert into deposits (supporter_id, month, attempt, amount_cents, masked_number, account_linked_at, reference, planned_at)
    values (${robin.supporterId}, '2026-10-01', 1, 900, 'XXXX4321', '2026-01-01', 'SV0123456789ABCDEF', '2026-11-02T00:00:00Z')`;
});

const list = async (input: Record<string, string>) => {
  const { status, body } = await callConsole(api.app, listPayments, input, finance);
  return { status, body, references: status === 200 ? body.rows.map(({ reference }) => reference) : [] };
};

describe('a payment is found', () => {
  test.each([
    ['the reference of a statement', 'RU4F09A1C'],
    ['the whole reference, as banks write it', 'ru4f09a1c 0d5e6f7a8'],
    ["the provider's reference", 'PR.4x9k2m7'],
  ])('by %s', async (_how, search) => {
    expect((await list({ search })).body.rows).toMatchObject([
      {
        kind: 'debit',
        reference: 'RU4F09A1C0D5E6F7A8',
        amountCents: 43_50,
        state: 'reversed',
        plannedOn: '2026-11-23',
        supporter: { name: 'Wilhelmina Quist', email: 'quist@example.com' },
        club: { name: 'Coral Coast Rangers' },
      },
    ]);
  });

  test('by a club whose name has digits and letters', async () => {
    await api.db`update clubs set name = 'U3A Coral Coast' where name = 'Coral Coast Rangers'`;
    expect((await list({ search: 'u3a' })).references).toEqual(['CL0123456789ABCDEF']);
    await api.db`update clubs set name = 'Coral Coast Rangers' where name = 'U3A Coral Coast'`;
  });

  test("by a provider's reference that is short", async () => {
    await api.rows`update debits set provider_ref = 'PR.39p1' where provider_ref = 'PR.4x9k2m7'`;
    expect((await list({ search: 'PR.39p1' })).references).toEqual(['RU4F09A1C0D5E6F7A8']);
    await api.rows`update debits set provider_ref = 'PR.4x9k2m7' where provider_ref = 'PR.39p1'`;
  });

  test.each([
    ['name', 'wilhel quist'],
    ['e-mail address', 'Quist@example.com'],
    ['mobile number', '+61 412 345 678'],
  ])('among all of its payer by %s', async (_how, search) => {
    const { references } = await list({ search });
    expect(references).toHaveLength(5);
    expect(references[0]).toBe('RU4F09A1C0D5E6F7A8');
    expect(references.at(-1)).toBe('SV0123456789ABCDEF');
  });

  test('by amount and days, by kind and by state', async () => {
    expect((await list({ amount: '$43.50', from: '2026-11-22', to: '2026-11-23' })).references).toHaveLength(1);
    expect((await list({ amount: '43.5', to: '2026-11-22' })).references).toEqual([]);
    expect((await list({ amount: '43.51' })).references).toEqual([]);
    expect((await list({ amount: '9' })).references).toEqual(['SV0123456789ABCDEF']); // of three weeks ago
    expect((await list({ kind: 'deposit' })).references).toEqual(['SV0123456789ABCDEF']);
    expect((await list({ state: 'reversed' })).references).toEqual(['RU4F09A1C0D5E6F7A8']);
    expect((await list({ state: 'deferred' })).references).toEqual([]);
    expect((await list({ from: '2026-11-18', to: '2026-11-18' })).references).toHaveLength(4);
  });

  test('a payout by the name of its club, which is parked and no longer being sent', async () => {
    const { body } = await list({ search: 'coral coast' });
    expect(body.rows).toMatchObject([{ kind: 'remittance', state: 'parked', supporter: null, amountCents: 1200_00 }]);
    expect((await list({ state: 'submitting' })).references).toEqual([]);
    expect((await list({ state: 'parked' })).references).toEqual(['CL0123456789ABCDEF']);
    expect((await list({ kind: 'remittance', search: 'cl0123456' })).references).toHaveLength(1);
  });
});

const inWhole = async (input: Record<string, string> = {}) =>
  (await callConsole(api.app, listPayments, { limit: '1000', ...input }, finance)).body.rows;

/** Reads every page of a list, four rows at a time. */
async function paged(input: Record<string, string>) {
  const rows: Awaited<ReturnType<typeof inWhole>> = [];
  let after: string | null | undefined;
  do {
    const { body } = await list({ ...input, limit: '4', ...(after ? { after } : {}) });
    rows.push(...body.rows);
    after = body.next;
  } while (after);
  return rows;
}

test.each(PaymentSort.options)('sorted by %s, pages of all buckets follow one another without a gap', async (sort) => {
  const whole = await inWhole();
  expect(whole).toHaveLength(15);
  const rows = await paged({ sort });
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(whole.map(({ id }) => id)));
  expect(rows).toHaveLength(15);
  const column = { planned: 'plannedOn', amount: 'amountCents', kind: 'kind', state: 'state' } as const;
  const by = column[sort.replace('-', '') as keyof typeof column];
  const rankOf = (row: (typeof rows)[number]): string | number => {
    if (by === 'kind') return PaymentKind.options.indexOf(row.kind);
    return by === 'state' ? PaymentState.options.indexOf(row.state) : row[by];
  };
  const ranks = rows.map(rankOf);
  const sorted = ranks.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
  expect(ranks).toEqual(sort.startsWith('-') ? sorted.reverse() : sorted);
  expect(new Set(ranks).size).toBeGreaterThan(1);
});

test('a sorted list keeps to its filter', async () => {
  const rows = await paged({ sort: '-amount', kind: 'debit', from: '2026-11-18', to: '2026-11-20' });
  expect(rows.map(({ amountCents }) => amountCents)).toEqual([403, 403, 402, 402, 401, 401, 400, 400]);
  expect((await paged({ sort: 'state', state: 'reversed' })).map(({ reference }) => reference)).toEqual([
    'RU4F09A1C0D5E6F7A8',
  ]);
  expect(await paged({ sort: 'kind', kind: 'repayment' })).toEqual([]);
});

test('the sums of a filter are those of all its pages, kind by kind', async () => {
  for (const input of [
    {},
    { state: 'cleared' },
    { kind: 'debit', from: '2026-11-18', to: '2026-11-23' },
    { kind: 'deposit', state: 'deferred' },
    { search: 'quist@example.com' },
    { search: 'coral coast' },
    { amount: '4.02' },
  ]) {
    const { body } = await callConsole(api.app, sumPayments, input, finance);
    const byKind = Map.groupBy(await inWhole(input), ({ kind }) => kind);
    const expected = [...byKind].map(([kind, rows]) => ({
      kind,
      payments: rows.length,
      cents: rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
    }));
    expect(body.isCut).toBe(false);
    expect(new Set(body.sums)).toEqual(new Set(expected));
  }
});

test('an ambiguous search is refused with an explanation', async () => {
  expect(await list({ search: 'RU4F' })).toMatchObject({
    status: 400,
    body: { error: { message: 'Please enter at least the first 9 letters of the reference.' } },
  });
  for (const input of [{ amount: 'much' }, { after: 'somewhere' }]) expect((await list(input)).status).toBe(400);
  const clubId = await aClub(api.db);
  for (let number = 0; number < 51; number += 1) await aSupporter(api.db, { clubId, account: false });
  expect((await list({ search: 'banks' })).body.error.message).toContain('Too many people or clubs have that name.');
});
