import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { aClub } from '#testing/makers.ts';
import { reverse } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';

const club = paidClub();
const { database, gives, on, deps } = club;
const figures = async () => {
  const rows = await database.rows`
    select slug, raised_cents as cents, supporters from club_figures join clubs on clubs.id = club_id order by slug`;
  return [...rows];
};
const close = (day: string) => closeAndRollUp(database.pool, isoDate(day));
const give = async (count: number, clubId: string) => {
  for (let giver = 0; giver < count; giver += 1) await gives(10 + giver, clubId);
};

test('a club has public figures from its fifth supporter on', async () => {
  const rovers = await aClub(database.pool, { slug: 'rovers' });
  await give(4, rovers);
  await close('2026-11-24');
  expect(await figures()).toEqual([]);
  const [ofOrganisation] = await database.rows`select supporters from club_supporters where club_id = ${rovers}`;
  expect(ofOrganisation).toEqual({ supporters: 4 });
  on('2026-11-25');
  await gives(20, rovers);
  await close('2026-11-25');
  expect(await figures()).toEqual([{ slug: 'rovers', cents: 66, supporters: 5 }]);
});

test('a month counts the amounts cleared in it, and starts from zero', async () => {
  const rovers = await aClub(database.pool, { slug: 'rovers' });
  const month = async () => {
    const [row] = await database.rows`select month, month_cents as cents from club_figures`;
    return row;
  };
  await give(5, rovers);
  await close('2026-11-30');
  expect(await month()).toEqual({ month: '2026-11-01', cents: 60 });
  on('2026-12-01');
  await gives(20, rovers);
  await close('2026-12-01');
  expect(await month()).toEqual({ month: '2026-12-01', cents: 20 });
});

test('a parent shows the sum of the clubs that are shown, so that no difference reveals a small one', async () => {
  const league = await aClub(database.pool, { slug: 'league' });
  const [large, small] = [
    await aClub(database.pool, { slug: 'large', parentId: league }),
    await aClub(database.pool, { slug: 'small', parentId: league }),
  ];
  await give(5, large);
  await give(2, small);
  await close('2026-11-24');
  expect(await figures()).toEqual([
    { slug: 'large', cents: 60, supporters: 5 },
    { slug: 'league', cents: 60, supporters: 5 },
  ]);
});

test('a supporter who claimed everything back is no longer counted, and four are hidden again', async () => {
  const rovers = await aClub(database.pool, { slug: 'rovers' });
  await give(4, rovers);
  const taken = await gives(99, rovers);
  await close('2026-11-24');
  expect(await figures()).toHaveLength(1);
  on('2026-11-25');
  await reverse(deps(), taken);
  await close('2026-11-25');
  expect(await figures()).toEqual([]);
});
