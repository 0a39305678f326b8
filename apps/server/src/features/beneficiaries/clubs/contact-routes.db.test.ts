import { randomBytes } from 'node:crypto';
import {
  retrieveClub,
  retrieveClubContact,
  retrieveClubFigures,
  setClubContact,
  setClubGoal,
  setClubMails,
} from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { contactComposer } from '#features/beneficiaries/bank-details/compose-contact-mail.ts';
import { brandOf } from '#features/correspondence/emails/email.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub, aTenant } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';

const api = ownApp();

test('a treasurer changes contact and emails of their club; the former contact is kept, even if it is new', async () => {
  const clubId = await aClub(api.db);
  await api.db`update clubs set contact_email = 'first@rovers.example' where id = ${clubId}`;
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const change = { clubId, contactEmail: ' Second@Rovers.example ' };
  expect((await callConsole(api.app, setClubContact, change, treasurer)).status).toBe(200);
  expect((await callConsole(api.app, setClubMails, { clubId, frequency: 'monthly' }, treasurer)).status).toBe(200);
  const { body } = await callConsole(api.app, retrieveClubContact, { clubId }, treasurer);
  expect(body).toMatchObject({ contactEmail: 'second@rovers.example', adviceFrequency: 'monthly', account: null });
  expect(body.confirmingContact).toBe('first@rovers.example');
  const [club] = await api.db`select former_contact_email as former from clubs where id = ${clubId}`;
  expect(club).toEqual({ former: 'first@rovers.example' });
  const log = JSON.stringify(await api.db`select details from audit_log`);
  expect(log).not.toContain('rovers.example');
});

test('a contact changed by somebody else is replaced only once it was shown, and repeating the change is no conflict', async () => {
  const clubId = await aClub(api.db);
  const owner = await anOperator(api.db);
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const change = async (contactEmail: string, seen: string, person = treasurer) =>
    (await callConsole(api.app, setClubContact, { clubId, contactEmail, seen }, person)).body.error?.message;
  expect(await change('ann@rovers.example', '', owner)).toBeUndefined();
  expect(await change('kim@rovers.example', '')).toBe(
    'Somebody else has changed the contact to "ann@rovers.example". Saving again replaces that.',
  );
  expect(await change('ann@rovers.example', '')).toBeUndefined();
  expect(await change('kim@rovers.example', 'ann@rovers.example')).toBeUndefined();
  const { body } = await callConsole(api.app, retrieveClubContact, { clubId }, owner);
  expect(body.contactEmail).toBe('kim@rovers.example');
});

test('an emailed link reads them and changes nothing', async () => {
  const clubId = await aClub(api.db);
  const reader = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId], method: 'link' });
  expect((await callConsole(api.app, retrieveClubContact, { clubId }, reader)).status).toBe(200);
  expect((await callConsole(api.app, setClubMails, { clubId, frequency: 'weekly' }, reader)).status).toBe(403);
  const change = { clubId, contactEmail: 'other@rovers.example' };
  expect((await callConsole(api.app, setClubContact, change, reader)).status).toBe(403);
});

test('support reads who is emailed but not where a club is paid; finance reads both and changes neither', async () => {
  const clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
  await api.db`update clubs set contact_email = 'first@rovers.example' where id = ${clubId}`;
  const masked = expect.stringContaining('…678');
  for (const [role, account] of [
    ['support', null],
    ['finance', masked],
  ] as const) {
    const person = await anOperator(api.db, { roles: [role] });
    const seen = { contactEmail: 'first@rovers.example', account };
    for (const operation of [retrieveClubContact, retrieveClub])
      expect((await callConsole(api.app, operation, { clubId }, person)).body).toMatchObject(seen);
    const change = { clubId, contactEmail: 'theirs@elsewhere.example' };
    expect((await callConsole(api.app, setClubContact, change, person)).status).toBe(403);
    expect((await callConsole(api.app, setClubMails, { clubId, frequency: 'weekly' }, person)).status).toBe(403);
  }
});

test("the first contact of thirty days of the product's clock is the former one, on any day of the database", async () => {
  const clubId = await aClub(api.db);
  const owner = await anOperator(api.db);
  const pass = (days: number) => api.clock.setTo(new Date(api.clock.now().getTime() + days * 86_400_000).toISOString());
  const former = async (contactEmail: string) => {
    await callConsole(api.app, setClubContact, { clubId, contactEmail }, owner);
    const [club] =
      await api.db`select former_contact_email as former, contact_changed_at as at from clubs where id = ${clubId}`;
    expect(club?.at).toEqual(api.clock.now());
    return club?.former;
  };
  await former('first@rovers.example');
  expect(await former('second@rovers.example')).toBe('first@rovers.example');
  pass(29);
  expect(await former('third@rovers.example')).toBe('first@rovers.example');
  pass(31);
  expect(await former('fourth@rovers.example')).toBe('third@rovers.example');
});

test('the replaced contact is emailed, the first of 30 days also about later changes, and a first contact emails nobody', async () => {
  const clubId = await aClub(api.db);
  const owner = await anOperator(api.db);
  const change = (contactEmail: string) => callConsole(api.app, setClubContact, { clubId, contactEmail }, owner);
  const compose = contactComposer({ ...api, brand: brandOf(aTenant(), new URL('https://sparechange.example')) });
  const mailed = async () => {
    const queued = await api.db<{ facts: unknown }[]>`
      select facts from mails where facts->>'clubId' = ${clubId} order by id`;
    const mails = queued.map(({ facts }) => compose({ facts } as Parameters<typeof compose>[0], new Date()));
    return Promise.all(mails);
  };
  await change('first@rovers.example');
  expect(await mailed()).toEqual([]);
  await api.db`update clubs set contact_changed_at = now() - interval '1 year' where id = ${clubId}`;
  for (const email of ['first@rovers.example', 'second@rovers.example']) {
    await change(email);
    api.clock.setTo(new Date(api.clock.now().getTime() + 1000).toISOString());
  }
  expect(await mailed()).toMatchObject([
    { to: 'first@rovers.example', subject: expect.stringContaining('another contact') },
  ]);
  await change('third@rovers.example');
  expect((await mailed()).map((mail) => 'to' in mail && mail.to)).toEqual(Array(2).fill('first@rovers.example'));
  await change('first@rovers.example');
  expect((await mailed()).at(-1)).toEqual({ outdated: 'the club had no other contact' });
});

test('a club whose account no key can decrypt is shown, and new bank details can be requested', async () => {
  const clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
  const other = makeFieldEncryption([randomBytes(32)]).encrypt('12345678', `club ${clubId} account number`);
  await api.db`update clubs set account_number_encrypted = ${other} where id = ${clubId}`;
  const owner = await anOperator(api.db);
  for (const operation of [retrieveClub, retrieveClubContact])
    expect((await callConsole(api.app, operation, { clubId }, owner)).body).toMatchObject({
      account: 'cannot be read: encrypted with a key that is not configured',
    });
  const viewer = await anOperator(api.db, { roles: ['support'] });
  expect((await callConsole(api.app, retrieveClub, { clubId }, viewer)).body).toMatchObject({ account: null });
});

test('a treasurer sets a goal in whole dollars, sees it, and takes it away; two who change it do not overwrite each other', async () => {
  const clubId = await aClub(api.db);
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const set = (goalDollars: string, seen: string) =>
    callConsole(api.app, setClubGoal, { clubId, goalDollars, seen }, treasurer);
  const goal = async () => (await callConsole(api.app, retrieveClubFigures, { clubId }, treasurer)).body.goalDollars;
  expect((await set('$5,000', '')).status).toBe(200);
  expect(await goal()).toBe(5_000);
  expect((await set('2000', '')).status).toBe(409);
  expect((await set('12.50', '5000')).body.error.fields).toEqual({ goalDollars: 'Please enter whole dollars' });
  expect(await goal()).toBe(5_000);
  expect((await set('', '5000')).status).toBe(200);
  expect(await goal()).toBeNull();
  const link = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId], method: 'link' });
  expect((await callConsole(api.app, setClubGoal, { clubId, goalDollars: '9', seen: '' }, link)).status).toBe(403);
});
