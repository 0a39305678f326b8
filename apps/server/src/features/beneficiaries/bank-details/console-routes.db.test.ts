import {
  agreeToApproval,
  changeBankDetails,
  invitePerson,
  listApprovals,
  refuseApproval,
  retrieveBankDetailChange,
  setClubContact,
  setRoles,
  stopBankDetailChange,
} from '@sparechange/contract/console';
import { isoDate, sydneyDay } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { beginSession } from '#features/console/operators/session-repository.ts';
import { choosePeople } from '#features/core/approvals/people-needed.ts';
import { planRemittances } from '#features/disbursements/remittances/plan-remittances.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';

import { confirmChange } from './change-bank-details.ts';
import { findOpenChange } from './change-repository.ts';

const api = ownApp();
const alice = { kind: 'operating_system', id: 'alice' } as const;
const given = { bsb: '062-000', accountNumber: '8765 4321', accountName: 'Rovers' };

test('new bank details wait for the contact and a second person, and show it', async () => {
  const clubId = await aClub(api.db);
  await api.db`update clubs set contact_email = 'treasurer@rovers.example' where id = ${clubId}`;
  const [asker, other] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const change = async () => (await callConsole(api.app, retrieveBankDetailChange, { clubId }, other)).body.change;
  expect(await change()).toBeNull();

  expect((await callConsole(api.app, changeBankDetails, { clubId, ...given }, asker)).status).toBe(200);
  expect(api.asked).toContain('send mails');
  const waiting = {
    endsIn: '321',
    accountName: 'Rovers',
    account: '062-000 (Commonwealth Bank) …321 Rovers',
    askedBy: 'Pat Person',
    contactEmail: 'treasurer@rovers.example',
  };
  expect(await change()).toMatchObject({ ...waiting, confirmedAt: null, agreedBy: null, effectiveOn: null });
  expect((await change())?.lapsesOn).toBe('2026-12-02'); // as the request for the second person

  const [approval] = await api.db<
    { id: string; summary: string }[]
  >`select id, summary from approvals where state = 'asked'`;
  expect(approval?.summary).toBe('Bank details of Riverside Rovers that end in 321');
  await expect(api.acts.agree({ kind: 'console', id: asker.id }, approval?.id ?? '')).rejects.toThrow('another person');
  await api.acts.agree({ kind: 'console', id: other.id }, approval?.id ?? '');
  expect((await change())?.lapsesOn).toBe('2026-12-09'); // the contact has longer
  await confirmChange(api, (await findOpenChange(api.db, clubId))?.id ?? '');
  expect(await change()).toMatchObject({ agreedBy: 'Pat Person', effectiveOn: '2026-11-27' });

  expect((await callConsole(api.app, stopBankDetailChange, { clubId }, asker)).status).toBe(200);
  expect(await change()).toBeNull();
  const again = await callConsole(api.app, stopBankDetailChange, { clubId }, asker);
  expect(again.body.error.message).toBe('There is no change to stop.');
  const log = JSON.stringify(await api.db`select details from audit_log`);
  expect(log).not.toContain('87654321');
});

test('bank details of a club that never had a contact wait only for a second person and two banking days', async () => {
  const clubId = await aClub(api.db);
  const [asker, other] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const accountOf = async () => (await api.db`select bsb_encrypted from clubs where id = ${clubId}`)[0]?.bsb_encrypted;
  expect((await callConsole(api.app, changeBankDetails, { clubId, ...given }, asker)).status).toBe(200);
  const asked = await findOpenChange(api.db, clubId);
  expect(asked).toMatchObject({ contactEmail: null, confirmedAt: api.clock.now(), agreedBy: null, effectiveOn: null });
  expect(await api.db`select from mails where facts ->> 'changeId' = ${asked?.id ?? ''}`).toHaveLength(0);

  await confirmChange(api, asked?.id ?? '');
  await planRemittances(api.db, api.clock, isoDate('2026-12-24'));
  expect(await accountOf()).toBeNull();

  const [approval] = await api.db<{ id: string }[]>`
    select id from approvals where arguments ->> 'changeId' = ${asked?.id ?? ''} and state = 'asked'`;
  const agreeAs = (person: TestOperator) => callConsole(api.app, agreeToApproval, { id: approval?.id }, person);
  expect((await agreeAs(asker)).status).toBe(403);
  expect((await agreeAs(other)).status).toBe(200);
  expect(await findOpenChange(api.db, clubId)).toMatchObject({ effectiveOn: '2026-11-27' });
  await planRemittances(api.db, api.clock, isoDate('2026-11-26'));
  expect(await accountOf()).toBeNull();
  await planRemittances(api.db, api.clock, isoDate('2026-11-27'));
  expect(await accountOf()).not.toBeNull();
});

test("a treasurer's request waits for the organisation, even if one person is enough", async () => {
  const clubId = await aClub(api.db);
  await choosePeople(api, 1, { kind: 'operating_system', id: 'alice' });
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  expect((await callConsole(api.app, changeBankDetails, { clubId, ...given }, treasurer)).status).toBe(200);
  const { body } = await callConsole(api.app, retrieveBankDetailChange, { clubId }, treasurer);
  expect(body.change).toMatchObject({ endsIn: '321', agreedBy: null });
  expect((await callConsole(api.app, stopBankDetailChange, { clubId }, treasurer)).status).toBe(200);
});

test('bank details with wrong digits are refused at their fields', async () => {
  const clubId = await aClub(api.db);
  const wrong = { clubId, bsb: '12', accountNumber: 'abc', accountName: '' };
  const { body } = await callConsole(api.app, changeBankDetails, wrong, await anOperator(api.db));
  expect(Object.keys(body.error.fields ?? {}).sort()).toEqual(['accountName', 'accountNumber', 'bsb']);
  const nobody = { ...given, clubId: '00000000-0000-4000-8000-000000000000' };
  expect((await callConsole(api.app, changeBankDetails, nobody, await anOperator(api.db))).status).toBe(404);
});

/** Asks as a treasurer and returns the request. */
async function askedBy(treasurer: TestOperator, clubId: string): Promise<string> {
  expect((await callConsole(api.app, changeBankDetails, { clubId, ...given }, treasurer)).status).toBe(200);
  const change = await findOpenChange(api.db, clubId);
  const [asked] = await api.db<
    { id: string }[]
  >`select id from approvals where arguments->>'changeId' = ${change?.id ?? ''}`;
  return asked?.id ?? '';
}
const agree = (id: string, person: TestOperator) => callConsole(api.app, agreeToApproval, { id }, person);
const invite = async (owner: TestOperator, clubId: string) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const invited = { email, name: 'Tam', roles: ['treasurer'], clubIds: [clubId] };
  const { body } = await callConsole(api.app, invitePerson, invited, owner);
  return { id: body.id, email, cookie: `__Host-console=${await beginSession(api.db, body.id, 'passkey')}` };
};

test('a person who invited the requesting treasurer cannot agree, even after somebody else changed their roles', async () => {
  await choosePeople(api, 2, alice);
  const clubId = await aClub(api.db);
  const [owner, other] = [await anOperator(api.db), await anOperator(api.db)];
  const treasurer = await invite(owner, clubId);
  const again = { personId: treasurer.id, roles: ['treasurer', 'viewer'], clubIds: [clubId] };
  expect((await callConsole(api.app, setRoles, again, other)).status).toBe(200);
  const cookie = `__Host-console=${await beginSession(api.db, treasurer.id, 'passkey')}`;
  const id = await askedBy({ ...treasurer, cookie }, clubId);
  const { status, body } = await agree(id, owner);
  expect([status, body.error.message]).toEqual([403, expect.stringContaining('You gave the treasurer')]);
  expect((await agree(id, other)).status).toBe(200);
});

test('a person who changed the contact within 30 days cannot agree, even after another change', async () => {
  await choosePeople(api, 2, alice);
  const clubId = await aClub(api.db);
  const [owner, other] = [await anOperator(api.db), await anOperator(api.db)];
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  await callConsole(api.app, setClubContact, { clubId, contactEmail: 'second@rovers.example' }, owner);
  await callConsole(api.app, setClubContact, { clubId, contactEmail: 'third@rovers.example' }, treasurer);
  const id = await askedBy(treasurer, clubId);
  expect((await agree(id, owner)).body.error.message).toContain('You changed the contact');
  expect((await agree(id, other)).status).toBe(200);

  await api.db`update clubs set contact_changed_at = (contact_changed_at at time zone 'UTC' - interval '31 days') at time zone 'UTC' where id = ${clubId}`;
  expect((await agree(await askedBy(treasurer, clubId), owner)).status).toBe(200);
});

test('if one person is enough, the person who invited the treasurer can agree', async () => {
  await choosePeople(api, 1, alice);
  const clubId = await aClub(api.db);
  const owner = await anOperator(api.db);
  const id = await askedBy(await invite(owner, clubId), clubId);
  expect((await agree(id, owner)).status).toBe(200);
});

test('a treasurer may ask three times a day, and the organisation still after that', async () => {
  const clubId = await aClub(api.db);
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const ask = (person: TestOperator) => callConsole(api.app, changeBankDetails, { clubId, ...given }, person);
  for (const _ of [1, 2, 3]) expect((await ask(treasurer)).status).toBe(200);
  const { status, body } = await ask(treasurer);
  expect([status, body.error.message]).toEqual([429, expect.stringContaining('three times a day')]);
  expect((await ask(await anOperator(api.db, { roles: ['finance'] }))).status).toBe(200);
});

test('a refused request ends its change immediately, and names the person who refused it', async () => {
  await choosePeople(api, 2, alice);
  const clubId = await aClub(api.db);
  const [asker, other] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const id = await askedBy(asker, clubId);
  expect((await callConsole(api.app, refuseApproval, { id }, other)).status).toBe(200);
  const read = async () => (await callConsole(api.app, retrieveBankDetailChange, { clubId }, asker)).body;
  expect(await read()).toMatchObject({ change: null, stopped: { endsIn: '321', on: '2026-11-25', by: 'Pat Person' } });
  const [kept] =
    await api.db`select account_number_encrypted as number from bank_detail_changes where club_id = ${clubId}`;
  expect(kept).toEqual({ number: null });

  await askedBy(asker, clubId);
  expect(await read()).toMatchObject({ change: { endsIn: '321' }, stopped: null });
});

test('a change that is stopped or replaced asks nobody any more, even if agreeing to it failed', async () => {
  await choosePeople(api, 2, alice);
  const clubId = await aClub(api.db);
  const [asker, other] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const stateOf = async (id: string) => (await api.db`select state, failure from approvals where id = ${id}`)[0];
  const replaced = await askedBy(asker, clubId);
  const stopped = await askedBy(asker, clubId);
  expect(await stateOf(replaced)).toEqual({ state: 'refused', failure: 'Another change was asked for in its place.' });
  await api.db`
    update approvals set state = 'agreed', decided_by_kind = 'console', decided_by = ${other.id}, decided_at = asked_at,
      failure = 'an error of the product'
    where id = ${stopped}`;
  expect((await callConsole(api.app, stopBankDetailChange, { clubId }, asker)).status).toBe(200);
  expect(await stateOf(stopped)).toEqual({ state: 'refused', failure: 'The change was stopped.' });
  expect((await agree(stopped, other)).body.error.message).toBe('The change was stopped.');
});

test('a contact who reports a change as wrong refuses its request and raises an alarm naming the requester', async () => {
  await choosePeople(api, 2, alice);
  const clubId = await aClub(api.db);
  await api.db`update clubs set contact_email = 'treasurer@rovers.example' where id = ${clubId}`;
  const [asker, other] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const id = await askedBy(asker, clubId);
  const change = await findOpenChange(api.db, clubId);
  const press = (choice: string) =>
    api.app.inject({
      method: 'POST',
      url: `/bank-details/${api.bankDetailLinks.token(change?.id ?? '')}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `choice=${choice}`,
    });
  await press('confirm');
  expect(await api.db`select from alarms where name = 'bank_details_stopped'`).toHaveLength(0);
  for (const _ of [1, 2]) expect((await press('stop')).body).toContain('The change was stopped');
  expect((await agree(id, other)).body.error.message).toBe("The club's contact stopped it.");
  expect(await api.db`select about, sentence from alarms where name = 'bank_details_stopped'`).toEqual([
    {
      about: change?.id,
      sentence:
        'The contact of Riverside Rovers says that the bank details ending in 321, which Pat Person asked for, are wrong, and stopped them. It may be fraud: phone both of them.',
    },
  ]);
});

test('a change lapses with its request, even if the contact has confirmed it', async () => {
  await choosePeople(api, 2, alice);
  const [clubId, waiting] = [await aClub(api.db), await aClub(api.db)];
  await api.db`update clubs set contact_email = 'treasurer@rovers.example' where id = ${clubId}`;
  const [asker, other] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  await askedBy(asker, clubId);
  await confirmChange(api, (await findOpenChange(api.db, clubId))?.id ?? '');
  const asked = api.clock.now();
  const planAfter = (days: number) => {
    api.clock.setTo(new Date(asked.getTime() + days * 86_400_000).toISOString());
    return planRemittances(api.db, api.clock, sydneyDay(api.clock.now()));
  };
  const read = async (club: string) =>
    (await callConsole(api.app, retrieveBankDetailChange, { clubId: club }, other)).body;
  await planAfter(6);
  expect(await read(clubId)).toMatchObject({ change: { endsIn: '321' }, stopped: null });
  await agree(await askedBy(asker, waiting), other);
  await planAfter(8);
  expect(await read(clubId)).toMatchObject({ change: null, stopped: { by: null } });
  expect(await read(waiting)).toMatchObject({ stopped: null }); // agreed to, and in time
  api.clock.setTo(asked.toISOString());
});

test('an agreed change that was not confirmed in time is listed for a week after it lapsed', async () => {
  await choosePeople(api, 2, alice);
  const clubId = await aClub(api.db);
  await api.db`update clubs set contact_email = 'treasurer@rovers.example' where id = ${clubId}`;
  const [asker, other] = [await anOperator(api.db, { roles: ['finance'] }), await anOperator(api.db)];
  const asked = api.clock.now();
  await agree(await askedBy(asker, clubId), other);
  const unconfirmed = async () =>
    (await callConsole(api.app, listApprovals, {}, other)).body.unconfirmedChanges.filter(
      (change) => change.clubId === clubId,
    );
  const planAfter = async (days: number) => {
    api.clock.setTo(new Date(asked.getTime() + days * 86_400_000).toISOString());
    await planRemittances(api.db, api.clock, sydneyDay(api.clock.now()));
    return unconfirmed();
  };
  expect(await planAfter(8)).toEqual([]);
  expect(await planAfter(21)).toMatchObject([{ club: 'Riverside Rovers', askedBy: 'Pat Person' }]);
  expect(await planAfter(29)).toEqual([]);
  api.clock.setTo(asked.toISOString());
});

test('the person named to confirm is the one asked, for 30 days the former contact', async () => {
  const clubId = await aClub(api.db);
  const owner = await anOperator(api.db);
  const named = async () =>
    (await callConsole(api.app, retrieveBankDetailChange, { clubId }, owner)).body.confirmingContact;
  expect(await named()).toBeNull();
  for (const contactEmail of ['first@rovers.example', 'second@rovers.example', 'third@rovers.example'])
    await callConsole(api.app, setClubContact, { clubId, contactEmail }, owner);
  expect(await named()).toBe('first@rovers.example');
  await callConsole(api.app, changeBankDetails, { clubId, ...given }, owner);
  expect((await findOpenChange(api.db, clubId))?.contactEmail).toBe('first@rovers.example');
  await api.db`update clubs set contact_changed_at = (contact_changed_at at time zone 'UTC' - interval '31 days') at time zone 'UTC' where id = ${clubId}`;
  expect(await named()).toBe('third@rovers.example');
});
