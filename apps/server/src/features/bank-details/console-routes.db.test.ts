import { changeBankDetails, retrieveBankDetailChange, stopBankDetailChange } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { choosePeople } from '#features/approvals/people-needed.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';

import { confirmChange } from './change-bank-details.ts';
import { findOpenChange } from './change-repository.ts';

const api = ownApp();
const given = { bsb: '062-000', accountNumber: '8765 4321', accountName: 'Rovers' };

test('new bank details wait for the contact and a second person, and say so', async () => {
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
    askedBy: 'Pat Person',
    contactEmail: 'treasurer@rovers.example',
  };
  expect(await change()).toMatchObject({ ...waiting, confirmedAt: null, agreedBy: null, effectiveOn: null });

  const [approval] = await api.db<
    { id: string; summary: string }[]
  >`select id, summary from approvals where state = 'asked'`;
  expect(approval?.summary).toBe('Bank details of Riverside Rovers that end in 321');
  await expect(api.acts.agree({ kind: 'console', id: asker.id }, approval?.id ?? '')).rejects.toThrow('another person');
  await api.acts.agree({ kind: 'console', id: other.id }, approval?.id ?? '');
  await confirmChange(api, (await findOpenChange(api.db, clubId))?.id ?? '');
  expect(await change()).toMatchObject({ agreedBy: 'Pat Person', effectiveOn: '2026-11-27' });

  expect((await callConsole(api.app, stopBankDetailChange, { clubId }, asker)).status).toBe(200);
  expect(await change()).toBeNull();
  const again = await callConsole(api.app, stopBankDetailChange, { clubId }, asker);
  expect(again.body.error.message).toBe('There is no change to stop.');
  const log = JSON.stringify(await api.db`select details from audit_log`);
  expect(log).not.toContain('87654321');
});

test('what a treasurer asks for waits for the organisation, also where one person is enough', async () => {
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
