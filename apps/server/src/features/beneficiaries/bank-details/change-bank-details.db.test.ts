import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import type { Actor } from '#audit/audit-log.ts';
import { addExtraClosedDay, removeExtraClosedDay } from '#features/accounting/banking-calendar/extra-closed-days.ts';
import { editClub } from '#features/beneficiaries/clubs/edit-club.ts';
import { brandOf } from '#features/correspondence/emails/email.ts';
import { planRemittances } from '#features/disbursements/remittances/plan-remittances.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, aTenant, testEncryption } from '#testing/makers.ts';
import { untilWaiting } from '#testing/waiting.ts';
import { agreeToChange, requestChange, stopChange } from './change-bank-details.ts';
import { type BankDetailChange, cancelChange, findChange } from './change-repository.ts';
import { changeComposer } from './compose-change-mail.ts';

const api = ownApp();
const contact = 'treasurer@rovers.example';
const alice: Actor = { kind: 'operating_system', id: 'alice' };
const details = { bsb: '062-000', accountNumber: '87654321', accountName: 'Rovers Inc' };

async function aPaidClub(): Promise<string> {
  const id = await aClub(api.db);
  const [bsb, number] = ['bsb', 'account number'].map((what) => testEncryption.encrypt('111111', `club ${id} ${what}`));
  await api.db`
    update clubs set contact_email = ${contact}, bsb_encrypted = ${bsb ?? null}, account_number_encrypted = ${number ?? null}
    where id = ${id}`;
  await api.db`update clubs set contact_changed_at = now() - interval '1 year', former_contact_email = null where id = ${id}`;
  return id;
}

const request = (clubId: string) => requestChange({ ...api, encryption: testEncryption }, clubId, details, alice);
const numberOf = async (id: string) => {
  const [club] = await api.db<{ number: Uint8Array }[]>`
    select account_number_encrypted as number from clubs where id = ${id}`;
  return club && testEncryption.decrypt(club.number, `club ${id} account number`);
};
const page = ({ id }: BankDetailChange) => `/bank-details/${api.bankDetailLinks.token(id)}`;
const press = (change: BankDetailChange, choice: string) =>
  api.app.inject({
    method: 'POST',
    url: page(change),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `choice=${choice}`,
  });
const stateOf = async ({ id }: BankDetailChange) => findChange(api.db, id);
const mailsTo = (change: BankDetailChange) => api.db<{ facts: { step: string } }[]>`
  select facts from mails where facts->>'changeId' = ${change.id} order by id`;
const pay = (day: string) => planRemittances(api.db, api.clock, isoDate(day));

test('new details are used two banking days after the contact and the organisation agreed', async () => {
  const club = await aPaidClub();
  const change = await request(club);
  expect(change).toMatchObject({ contactEmail: contact, endsIn: '321', confirmedAt: null, effectiveOn: null });
  await agreeToChange(api, change.id, 'ben');
  expect((await stateOf(change))?.effectiveOn).toBeNull();
  expect((await api.app.inject(page(change))).body).toContain('another account, which ends in 321');
  expect((await press(change, 'confirm')).body).toContain('From 27 November 2026');
  expect(await stateOf(change)).toMatchObject({ effectiveOn: '2026-11-27', agreedBy: 'ben' });
  expect((await mailsTo(change)).map(({ facts }) => facts.step)).toEqual(['word', 'hold']);
  await pay('2026-11-26');
  expect(await numberOf(club)).toBe('111111');
  await pay('2026-11-27');
  expect(await numberOf(club)).toBe('87654321');
  expect((await press(change, 'stop')).statusCode).toBe(409);
  const entries = await api.db<{ action: string }[]>`
    select action from audit_log where details->>'change' = ${change.id} order by id`;
  expect(entries.map(({ action }) => action)).toEqual([
    'bank details of a club asked for',
    'bank details of a club agreed to',
    'bank details of a club confirmed',
    'bank details of a club changed',
  ]);
});

test('a day closed since then does not shorten the time in which new details are held back', async () => {
  const agreed = async () => {
    const change = await request(await aPaidClub());
    await agreeToChange(api, change.id, 'ben');
    await press(change, 'confirm');
    return change;
  };
  const closed = { db: api.db, clock: api.clock };
  const held = await agreed();
  expect((await stateOf(held))?.effectiveOn).toBe('2026-11-27');
  await addExtraClosedDay(closed, isoDate('2026-11-26'), 'a mourning day');
  expect((await stateOf(held))?.effectiveOn).toBe('2026-11-30');
  const later = await agreed();
  expect((await stateOf(later))?.effectiveOn).toBe('2026-11-30');
  await addExtraClosedDay(closed, isoDate('2026-11-30'), 'another');
  for (const change of [held, later]) expect((await stateOf(change))?.effectiveOn).toBe('2026-12-01');
  for (const day of ['2026-11-26', '2026-11-30']) await removeExtraClosedDay(closed, isoDate(day));
});

test('unless the contact confirms and the organisation agrees, nothing is changed', async () => {
  const [club, other] = [await aPaidClub(), await aPaidClub()];
  const [agreed, confirmed] = [await request(club), await request(other)];
  await agreeToChange(api, agreed.id, 'ben');
  await press(confirmed, 'confirm');
  await pay('2026-12-24');
  expect([await numberOf(club), await numberOf(other)]).toEqual(['111111', '111111']);
});

test('the contact stops a change by the link, also while it is held back, and its details are deleted', async () => {
  const club = await aPaidClub();
  const change = await request(club);
  await agreeToChange(api, change.id, 'ben');
  await press(change, 'confirm');
  expect((await press(change, 'stop')).body).toContain('The change was stopped');
  await stopChange(api, change.id, alice);
  await expect(agreeToChange(api, change.id, 'ben')).rejects.toThrow('was stopped');
  expect((await press(change, 'confirm')).statusCode).toBe(409);
  await pay('2026-12-24');
  expect(await numberOf(club)).toBe('111111');
  expect(await api.db`select from bank_detail_changes where id = ${change.id} and bsb_encrypted is null`).toHaveLength(
    1,
  );
});

test('a contact replaced within 30 days is still the one asked', async () => {
  const club = await aPaidClub();
  for (const email of ['thief@elsewhere.example', 'thief2@elsewhere.example'])
    await editClub({ ...api, by: 'alice' }, club, { contactEmail: email });
  const change = await request(club);
  expect(change.contactEmail).toBe(contact);
  const brand = brandOf(aTenant(), new URL('https://sparechange.example'));
  const compose = changeComposer({ ...api, brand });
  const [queued] = await mailsTo(change);
  const mail = { ...queued, facts: queued?.facts } as Parameters<typeof compose>[0];
  expect(await compose(mail, new Date())).toMatchObject({ to: contact, text: expect.stringContaining(page(change)) });
  api.clock.setTo(new Date(api.clock.now().getTime() + 31 * 86_400_000).toISOString());
  expect((await request(club)).contactEmail).toBe('thief2@elsewhere.example');
});

test('a request replaces the previous one; wrong details and foreign links are refused', async () => {
  const club = await aPaidClub();
  const first = await request(club);
  await request(club);
  expect((await stateOf(first))?.cancelledAt).not.toBeNull();
  const wrong = { ...details, bsb: '12' };
  await expect(requestChange({ ...api, encryption: testEncryption }, club, wrong, alice)).rejects.toThrow('six digits');
  for (const token of ['nonsense', api.adviceLinks.token(first.id)])
    expect((await api.app.inject(`/bank-details/${token}`)).statusCode).toBe(404);
});

test('a change taking effect and a request to replace it do not wait for each other', async () => {
  const club = await aPaidClub();
  const change = await request(club);
  await agreeToChange(api, change.id, 'ben');
  await press(change, 'confirm');
  const effectiveOn = (await stateOf(change))?.effectiveOn ?? '';
  let applying: Promise<unknown> | undefined;
  await api.db.begin(async (tx) => {
    await tx`select from clubs where id = ${club} for update`; // as a request for another change begins
    applying = pay(effectiveOn);
    await untilWaiting(api.db);
    await cancelChange(tx, change.id, 'alice', api.clock.now());
  });
  await applying;
  expect(await numberOf(club)).toBe('111111');
});
