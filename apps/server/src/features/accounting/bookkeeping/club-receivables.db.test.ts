import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { aClub } from '#testing/makers.ts';
import { reverse } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { listClubReceivables } from './club-receivables.ts';
import { readPlatformBooks } from './platform-accounts.ts';

const club = paidClub();
const { database, on, deps, gives, healthy, arrives } = club;
const close = async (day: string) => {
  await closeAndRollUp(database.pool, isoDate(day));
  return readPlatformBooks(database.pool);
};
const paid = async () => {
  await remitToClubs(deps());
  await arrives();
};

test('an amount claimed back after the club was paid is a receivable from that club, and a named shortfall', async () => {
  const debits = [await gives(30), await gives(41)];
  const other = await aClub(database.pool);
  await gives(99, other);
  on('2026-11-25');
  await paid();
  for (const debit of debits) await reverse(deps(), debit);
  expect(await listClubReceivables(database.pool)).toMatchObject([{ clubId: club.id(), cents: 71 }]);
  const books = await close('2026-11-25');
  expect(books).toMatchObject({ heldCents: 28, owedCents: 99, shortfalls: { receivable_from_club: 71 } });
  expect(books.balances).toMatchObject({ provider_float: 28, owed_to_clubs: 99, receivable_from_club: 71 });
  expect(await listClubReceivables(database.pool)).toMatchObject([{ clubId: club.id(), cents: 71 }]);
  await healthy();
});

test('new donations of the club pay the receivable first', async () => {
  const debit = await gives(71);
  on('2026-11-25');
  await paid();
  await reverse(deps(), debit);
  await gives(50);
  expect((await close('2026-11-25')).shortfalls).toEqual({ receivable_from_club: 21 });
  on('2026-11-26');
  await gives(30);
  expect((await close('2026-11-26')).shortfalls).toEqual({});
  on('2026-11-27');
  await paid();
  expect((await close('2026-11-27')).balances).toMatchObject({ provider_float: 0, owed_to_clubs: 0 });
  expect(await listClubReceivables(database.pool)).toEqual([]);
  await healthy();
});

test('closing a day again books nothing twice', async () => {
  await gives(30);
  const books = await close('2026-11-24');
  expect(await close('2026-11-24')).toEqual(books);
  expect(books.balances).toMatchObject({ provider_float: 30, owed_to_clubs: 30 });
  await healthy();
});
