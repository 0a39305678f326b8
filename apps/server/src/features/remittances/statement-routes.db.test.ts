import { downloadClubStatement, retrieveClubStatement } from '@sparechange/contract/console';
import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { submitDebits } from '#features/debits/submit-debits.ts';
import { requestDonation } from '#features/donations/request-donation.ts';
import { applyOutcome } from '#features/outcomes/apply-outcome.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub, cleared } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { remitToClubs } from './remit-to-clubs.ts';

const api = ownApp();

test('a month of a club is shown supporter by supporter, and saved as a spreadsheet', async () => {
  api.clock.setTo('2026-11-24T22:00:00Z');
  const clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
  const { supporterId } = await api.supporter({ clubId });
  const gift = { amount: cents(100_00), requestId: 'gift' };
  await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, gift);
  await submitDebits(api);
  await applyOutcome(api, cleared(api.directDebit.taken.at(-1)?.providerRef ?? ''));
  api.clock.setTo('2026-11-26T00:00:00Z');
  await remitToClubs(api);

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
