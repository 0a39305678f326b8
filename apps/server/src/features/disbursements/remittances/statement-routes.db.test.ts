import { downloadClubStatement, downloadPayoutsOfDays, retrieveClubStatement } from '@sparechange/contract/console';
import { cents } from '@sparechange/domain';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, expect, test } from 'vitest';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub, cleared } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { remitToClubs } from './remit-to-clubs.ts';

const api = ownApp();

let clubId: string;
let supporterId: string;

beforeAll(async () => {
  api.clock.setTo('2026-11-24T22:00:00Z');
  clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
  supporterId = (await api.supporter({ clubId })).supporterId;
  const gift = { amount: cents(100_00), requestId: 'gift' };
  await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, gift);
  await submitDebits(api);
  await applyOutcome(api, cleared(api.directDebit.taken.at(-1)?.providerRef ?? ''));
  api.clock.setTo('2026-11-26T00:00:00Z');
  await remitToClubs(api);
});

test('a month of a club is shown supporter by supporter, and saved as a spreadsheet', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const { body } = await callConsole(api.app, retrieveClubStatement, { clubId, month: '2026-11' }, finance);
  expect(body).toEqual({
    payouts: [{ date: '2026-11-26', reference: expect.any(String), cents: 100_00, state: 'submitted' }],
    supporters: [
      {
        id: supporterId,
        supporter: expect.any(String),
        roundUpCents: 0,
        donationCents: 100_00,
        takenBackCents: 0,
        totalCents: 100_00,
      },
    ],
    supportersInAll: 1,
    corrections: [],
    heldBackCents: 0,
    totalCents: 100_00,
  });
  const file = (await callConsole(api.app, downloadClubStatement, { clubId, month: '2026-11' }, finance)).body;
  expect(file.name).toBe('statement-2026-11.csv');
  expect(Buffer.from(file.content, 'base64').toString()).toContain(',0.00,100.00,0.00,100.00');
  const none = await callConsole(api.app, retrieveClubStatement, { clubId, month: '2026-13' }, finance);
  expect(none.body.error.fields).toEqual({ month: 'Please choose a month' });
});

test("a club's payouts of some days are saved in one file, with the downloader in the audit log", async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const november = { clubId, format: 'xero', from: '2026-11-01', to: '2026-11-30' };
  const save = (changes = {}) => callConsole(api.app, downloadPayoutsOfDays, { ...november, ...changes }, finance);
  const { body } = await save({ income: '200' });
  expect(body.name).toBe('payouts-2026-11-01-to-2026-11-30-xero.csv');
  expect(Buffer.from(body.content, 'base64').toString()).toMatch(/,100\.00,.*200/);
  const [entry] = await api.rows`
    select details from audit_log where action = 'console downloadPayoutsOfDays' order by id desc limit 1`;
  expect(entry?.details).toMatchObject({ ...november, operator: expect.any(String) });

  const none = await save({ from: '2026-12-01', to: '2026-12-31' });
  expect([none.status, none.body.error.message]).toEqual([404, 'A payout of these days was not found.']);
  expect((await save({ to: '2026-10-31' })).body.error.fields).toEqual({
    to: 'Please choose one of the 366 days from the first on',
  });
  const pdf = (await save({ format: 'pdf' })).body;
  expect(pdf.name).toBe('payouts-2026-11-01-to-2026-11-30.pdf');
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(Buffer.from(pdf.content, 'base64'))), {
    mergePages: true,
  });
  expect(text.replace(/\s+/g, ' ')).toContain('Paid $100.00 $0.00 $0.00 $0.00 $100.00');
});
