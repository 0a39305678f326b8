import { type Cents, cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import type { DocumentBrand } from '#documents/document.ts';
import { adviceCsv, adviceDocument } from '#features/disbursements/remittance-advice/advice-documents.ts';
import { AdviceFacts } from '#features/disbursements/remittance-advice/advice-repository.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { clubStatement } from '#features/disbursements/remittances/club-statement.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { aClub } from '#testing/makers.ts';
import { reverse } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { listClubReceivables } from './club-receivables.ts';
import { type Correction, correctLedger, writeOff } from './correct-ledger.ts';
import { readPlatformBooks } from './platform-accounts.ts';

const club = paidClub();
const { database, on, deps, gives, healthy, arrives } = club;
/** Pays out on a day, lets it arrive, and returns the club's payment and the amount held back. */
async function remits(day: string) {
  on(day);
  const { totalCents, kept } = await remitToClubs(deps());
  await arrives();
  await healthy();
  return { paid: totalCents, kept: kept.map(({ reason, cents }) => [reason, cents]) };
}
const statement = () => clubStatement(database.pool, club.id(), isoDate('2026-11-01'));
const writesOff = (amount: number, overrides: { id?: string; clubId?: string } = {}, limit?: Cents) =>
  writeOff(
    deps(),
    { id: 'claim-1', clubId: club.id(), amount: cents(amount), reason: 'the club has closed', ...overrides },
    limit,
  );
const corrects = (overrides: Partial<Correction>) =>
  correctLedger(deps(), {
    id: 'mistake-1',
    debit: 'operator_funds',
    credit: 'owed_to_clubs',
    amount: cents(20),
    reason: 'paid twice',
    clubId: club.id(),
    ...overrides,
  });
const setReserve = (amount: number) =>
  database.rows`update clubs set reserve_cents = ${amount} where id = ${club.id()}`;

/** Remits 71 cents on 25 November, claimed back that day. */
async function overpaid(): Promise<void> {
  const debit = await gives(71);
  await remits('2026-11-25');
  await reverse(deps(), debit);
}

test('an amount that a club will never repay is written off as a loss, and its next donations are paid in full', async () => {
  await overpaid();
  on('2026-11-26');
  await closeAndRollUp(database.pool, isoDate('2026-11-25'));
  expect(await writesOff(72)).toEqual({ result: 'above limit', limitCents: 71 });
  expect(await Promise.all([writesOff(71), writesOff(71)])).toContainEqual({ result: 'booked' });
  expect(await writesOff(71)).toEqual({ result: 'booked before' });
  expect(await writesOff(70)).toEqual({ result: 'another' });
  expect(await writesOff(1, { id: 'claim-2' })).toEqual({ result: 'above limit', limitCents: 0 });
  await healthy();
  expect(await listClubReceivables(database.pool)).toEqual([]);
  expect(await statement()).toMatchObject({
    receivableCents: 0,
    corrections: [{ date: '2026-11-26', cents: 71, reason: 'the club has closed', isRemitted: false }],
  });
  await gives(50);
  expect(await remits('2026-11-27')).toEqual({ paid: 50, kept: [] });
  expect((await readPlatformBooks(database.pool)).shortfalls).toEqual({ operator_loss: 71 });
  expect(await statement()).toMatchObject({ totalCents: 121, corrections: [{ cents: 71, isRemitted: true }] });
  const advices = await database.rows<{ facts: unknown }[]>`select facts from remittance_advices order by made_at`;
  const facts = advices.map((advice) => AdviceFacts.parse(advice.facts));
  expect(facts.map(({ adjustments }) => adjustments)).toEqual([
    [],
    [{ day: '2026-11-26', kind: 'correction', cents: 71, reason: 'the club has closed' }],
  ]);
  expect(adviceCsv(facts)).toContain('"Correction 2026-11-26: the club has closed",,,,,,0.71');
  const printed = facts.flatMap((each) => adviceDocument(each, {} as DocumentBrand, new Date()).blocks);
  expect(printed).toContainEqual({ kind: 'note', text: 'Correction 26-Nov-26: the club has closed' });
});

test('small write-offs to one club on one day, with its corrections, are added up', async () => {
  await overpaid();
  const limit = cents(50);
  expect(await writesOff(40, {}, limit)).toEqual({ result: 'booked' });
  expect(await writesOff(40, {}, limit)).toEqual({ result: 'booked before' });
  await expect(writesOff(11, { id: 'claim-2' }, limit)).rejects.toThrow('Another person has to agree');
  expect(await writesOff(10, { id: 'claim-2' }, limit)).toEqual({ result: 'booked' });
  on('2026-11-26');
  await closeAndRollUp(database.pool, isoDate('2026-11-25'));
  expect(await writesOff(21, { id: 'claim-3' }, limit)).toEqual({ result: 'booked' });
  await healthy();
});

test('a write-off on the day of the claim, before that day is closed, is booked as well', async () => {
  await overpaid();
  expect(await writesOff(71)).toEqual({ result: 'booked' });
  await healthy();
  await gives(30);
  expect(await remits('2026-11-26')).toEqual({ paid: 30, kept: [] });
  expect((await readPlatformBooks(database.pool)).shortfalls).toEqual({ operator_loss: 71 });
});

test('an operator corrects a club’s balance upwards, and downwards to zero at most', async () => {
  await gives(50);
  expect(await corrects({})).toEqual({ result: 'booked' });
  expect(await corrects({ clubId: await aClub(database.pool) })).toEqual({ result: 'another' });
  expect(await corrects({ id: 'other', clubId: 'nobody' })).toEqual({ result: 'unknown club' });
  await closeAndRollUp(database.pool, isoDate('2026-11-24'));
  const takes = (amount: number) =>
    corrects({ id: 'mistake-2', debit: 'owed_to_clubs', credit: 'suspense', amount: cents(amount) });
  on('2026-11-25');
  expect(await takes(71)).toEqual({ result: 'above limit', limitCents: 70 });
  expect(await takes(30)).toEqual({ result: 'booked' });
  await healthy();
  expect(await remits('2026-11-26')).toEqual({ paid: 40, kept: [] });
  expect(await statement()).toMatchObject({ totalCents: 40, corrections: [{ cents: 20 }, { cents: -30 }] });
});

test('an amount claimed back today is not taken from a club a second time', async () => {
  const debit = await gives(50);
  on('2026-11-25');
  await closeAndRollUp(database.pool, isoDate('2026-11-24'));
  await reverse(deps(), debit);
  const takes = { debit: 'owed_to_clubs', credit: 'operator_funds', amount: cents(50) } as const;
  expect(await corrects(takes)).toEqual({ result: 'above limit', limitCents: 0 });
  await gives(90);
  expect(await corrects(takes)).toEqual({ result: 'booked' });
  expect(await remits('2026-11-26')).toEqual({ paid: 40, kept: [] });
});

test('a reserve is filled first, covers a claim after the payout, and is paid out once set to zero', async () => {
  await setReserve(60);
  const debit = await gives(50);
  expect(await remits('2026-11-25')).toEqual({ paid: 0, kept: [['is held back as a reserve', 50]] });
  await gives(80);
  expect(await remits('2026-11-26')).toEqual({ paid: 70, kept: [] });
  expect(await statement()).toMatchObject({ heldBackCents: 60, reservedCents: 60, reserveCents: 60, totalCents: 70 });
  await reverse(deps(), debit);
  expect(await remits('2026-11-27')).toEqual({ paid: 0, kept: [['is covered by the reserve', -50]] });
  expect(await listClubReceivables(database.pool)).toEqual([]);
  expect(await statement()).toMatchObject({ receivableCents: 0 });
  await setReserve(0);
  expect(await remits('2026-11-30')).toEqual({ paid: 10, kept: [] });
  expect(await statement()).toMatchObject({ heldBackCents: 0, reservedCents: 0, totalCents: 80 });
  expect(await remits('2026-12-01')).toEqual({ paid: 0, kept: [] });
});

test('a reserve alone is paid out without any new donation, and a claim beyond it is a receivable', async () => {
  await setReserve(30);
  const debit = await gives(90);
  expect(await remits('2026-11-25')).toEqual({ paid: 60, kept: [] });
  await reverse(deps(), debit);
  expect(await remits('2026-11-26')).toEqual({ paid: 0, kept: [['more was taken back than cleared', -60]] });
  expect(await listClubReceivables(database.pool)).toMatchObject([{ cents: 60 }]);
  expect((await readPlatformBooks(database.pool)).shortfalls).toEqual({ receivable_from_club: 60 });
  expect(await writesOff(60)).toEqual({ result: 'booked' });
  await setReserve(0);
  expect(await remits('2026-11-27')).toEqual({ paid: 0, kept: [['is covered by the reserve', -30]] });
  await gives(40);
  expect(await remits('2026-11-30')).toEqual({ paid: 40, kept: [] });
  await setReserve(10);
  await gives(25);
  expect(await remits('2026-12-01')).toEqual({ paid: 15, kept: [] });
  await setReserve(0);
  expect(await remits('2026-12-02')).toEqual({ paid: 10, kept: [] });
});
