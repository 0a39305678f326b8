import { addDays, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { aSupporter } from '#testing/makers.ts';
import { paidClub } from '#testing/paid-club.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { figuresOfClub } from './figures-of-club.ts';
import { remitToClubs } from './remit-to-clubs.ts';

const paid = paidClub();
const figures = (day = '2026-11-25', more = {}) => figuresOfClub(paid.database.pool, paid.id(), isoDate(day), more);
const remit = () => remitToClubs(paid.deps());

test('a cleared amount is in its month, its week and the total', async () => {
  const { pool } = paid.database;
  const supporter = await aSupporter(pool, { clubId: paid.id() });
  await aPastDebit(pool, supporter, { day: '2025-11-30', amount: 1_000 });
  await aPastDebit(pool, supporter, { day: '2026-10-31', amount: 200 });
  await aPastDebit(pool, supporter, { day: '2026-11-22', amount: 30 });
  await aPastDebit(pool, supporter, { day: '2026-11-23', amount: 4 });
  paid.on('2026-11-25');
  await remit();
  const { raisedCents, raisedSince, months, weeks, until } = await figures();
  expect([raisedCents, raisedSince, until]).toEqual([1_234, '2025-11-30', '2026-11-24']);
  expect([months.length, months[0]?.from, weeks.length, weeks[0]?.from]).toEqual([12, '2025-12-01', 12, '2026-09-07']);
  expect(months.slice(-2)).toEqual([
    { from: '2026-10-01', cents: 200 },
    { from: '2026-11-01', cents: 34 },
  ]);
  expect(weeks.slice(-2)).toEqual([
    { from: '2026-11-16', cents: 30 },
    { from: '2026-11-23', cents: 4 },
  ]);
});

test('supporters are counted from five on, for the organisation all of them', async () => {
  for (let giver = 1; giver <= 4; giver += 1) await paid.gives(50);
  paid.on('2026-11-25');
  await remit();
  expect(await figures()).toMatchObject({ supporters: null, raisedCents: 200 });
  expect(await figures('2026-11-25', { isForOrganisation: true })).toMatchObject({ supporters: 4 });
  await paid.gives(50);
  paid.on('2026-11-26');
  await remit();
  expect(await figures()).toMatchObject({ supporters: 5, raisedCents: 250 });
});

test('the forecast is that of the last advice, while it is recent', async () => {
  const { pool } = paid.database;
  const supporter = await aSupporter(pool, { clubId: paid.id() });
  for (let week = 1; week <= 6; week += 1)
    await aPastDebit(pool, supporter, { day: addDays(isoDate('2026-11-25'), -7 * week), amount: 1_000 });
  expect(await figures()).toMatchObject({ forecast: null });
  paid.on('2026-11-25');
  await remit();
  const forecast = { from: '2026-11-23', lowCents: 4_000, expectedCents: 4_000, highCents: 4_000 };
  expect(await figures()).toMatchObject({ forecast });
  expect(await figures('2026-12-20')).toMatchObject({ forecast: null });
});

test('an unknown club is not found', async () => {
  const nobody = figuresOfClub(paid.database.pool, '00000000-0000-4000-8000-000000000000', isoDate('2026-11-25'));
  await expect(nobody).rejects.toThrow('was not found');
});
