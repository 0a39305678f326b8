import { cents, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { importStatement } from '#features/accounting/bank-statements/import-statement.ts';
import { listLines } from '#features/accounting/bank-statements/statement-line-repository.ts';
import { requestChange } from '#features/beneficiaries/bank-details/change-bank-details.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { createKey } from '#features/disbursements/programs/keys.ts';
import { brandName } from '#tenants/load-tenants.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';
import { type ActName, actNames, describeAct } from './acts.ts';

const api = ownApp();
const alice = { kind: 'operating_system', id: 'alice' } as const;

async function aRefund() {
  const { supporterId } = await api.supporter({ email: 'robin@example.com' });
  const gift = { amount: 100_00 as never, requestId: 'gift' };
  await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, gift);
  await submitDebits(api);
  const [debit] = await api.rows<{ id: string }[]>`select id from debits where supporter_id = ${supporterId}`;
  return { supporterId, debitId: debit?.id, amount: 80_00, reason: 'a mistake', requestId: 'one' };
}

/** Makes arguments of each act, of which every part has its line. */
const examples: Record<ActName, () => Promise<{ args: object; lines: Record<string, unknown> }>> = {
  debit_run: async () => ({
    args: { date: isoDate('2026-11-25'), force: true, confirmed: cents(1_200_00), isAfterRestore: true },
    lines: {
      'Run of': 'Wed 25 Nov 2026',
      Confirmed: expect.stringContaining('$1,200.00 and up to a tenth more'),
      Forced: expect.stringContaining('suspended'),
      'After a restore': expect.stringContaining('asked'),
    },
  }),
  tenant_resume: async () => ({
    args: { tenant: 'default', since: '2026-11-24T22:00:00Z', because: 'a complaint' },
    lines: {
      Tenant: `${brandName(api.tenants, 'default')} (default)`,
      'Suspended since': 'Wed 25 Nov 2026',
      Because: 'a complaint',
    },
  }),
  refund: async () => ({
    args: await aRefund(),
    lines: {
      Amount: '$80.00',
      Of: expect.stringMatching(/^donation \w+ of \$100\.00, Wed 25 Nov 2026/),
      Supporter: 'Robin Banks, robin@example.com',
      Reason: 'a mistake',
    },
  }),
  write_off: async () => {
    const clubId = await aClub(api.db);
    const args = { id: 'w1', amount: 60_00, reason: 'gone\u001b[2K\rsmall', clubId };
    const club = `Riverside Rovers (${clubId})`;
    return { args, lines: { Amount: '$60.00', 'Owed by': club, Reason: 'gone [2K small', 'Booked as': 'w1' } };
  },
  ledger_correction: async () => {
    const clubId = await aClub(api.db);
    const legs = { debit: 'operator_funds', credit: 'owed_to_clubs' };
    return {
      args: { id: 'c1', amount: 60_00, reason: 'a mistake', ...legs, clubId },
      lines: {
        Amount: '$60.00',
        'Debit of': "Operator's money",
        'Credit of': 'Owed to clubs',
        Club: `Riverside Rovers (${clubId})`,
        Reason: 'a mistake',
        'Booked as': 'c1',
      },
    };
  },
  statement_line_match: async () => {
    await importStatement(api, 'date,amount,description\n2026-11-23,-5000.00,FEE\n', { account: '062000 87654321' });
    const [{ account = '', lineId = '' } = {}] = await listLines(api.db, true, 1);
    return {
      args: { account, lineId, to: 'operator_loss', reason: 'nobody knows it' },
      lines: {
        Amount: '-$5,000.00',
        Line: 'Mon 23 Nov 2026: FEE',
        'Bank account': account,
        'Booked to': "Operator's loss",
        Reason: 'nobody knows it',
      },
    };
  },
  api_key: async () => ({
    args: { name: 'a site', scopes: ['read_clubs', 'write_clubs'], days: 30 },
    lines: { Name: 'a site', May: 'read clubs, change clubs’ pages', For: 'all clubs', 'Valid for': '30 days' },
  }),
  api_key_rotation: async () => {
    const clubId = await aClub(api.db);
    const { id } = await createKey(api, { name: 'a site', scopes: ['write_clubs'], clubId, days: 30 }, alice);
    return {
      args: { id, days: 90, overlapHours: 24 },
      lines: {
        Key: `a site (${id})`,
        May: 'change clubs’ pages',
        For: `Riverside Rovers (${clubId})`,
        'Valid for': '90 days',
        'The old secret': 'valid for 24 hours more',
      },
    };
  },
  club_bank_details: async () => {
    const clubId = await aClub(api.db);
    await api.db`update clubs set contact_email = 'treasurer@rovers.example' where id = ${clubId}`;
    const given = { bsb: '062-000', accountNumber: '87654321', accountName: 'Rovers Inc' };
    const change = await requestChange(api, clubId, given, alice);
    return {
      args: { changeId: change.id },
      lines: {
        Club: `Riverside Rovers (${clubId})`,
        'New account': '062-000 (Commonwealth Bank) …321 Rovers Inc',
        'Paid now into': expect.anything(),
        'Contact asked': 'treasurer@rovers.example',
        Confirmation: 'not given yet',
      },
    };
  },
  console_roles: async () => {
    const clubIds = [await aClub(api.db), await aClub(api.db)];
    const { id, email } = await anOperator(api.db, { roles: ['viewer'] });
    return {
      args: { personId: id, roles: ['treasurer', 'finance'], clubIds },
      lines: {
        Person: 'Pat Person',
        'E-mail address': email,
        Roles: 'treasurer, finance',
        'Current roles': 'viewer',
        Clubs: 'Riverside Rovers, Riverside Rovers',
      },
    };
  },
  one_person: async () => ({ args: {}, lines: { 'From then on': 'one person is enough for every act' } }),
};

const describe = async (act: ActName, args: object, maySeeSupporters = true) => {
  const recorded = JSON.parse(JSON.stringify(args)); // as the database keeps it
  const lines = await describeAct({ ...api, maySeeSupporters }, { act, arguments: recorded });
  return Object.fromEntries(lines.map(({ label, value }) => [label, value]));
};

test.each(actNames)('the approver of %s reads all the arguments that it is carried out with', async (act) => {
  const { args, lines } = await examples[act]();
  const found = await describe(act, args);
  expect(found).toEqual(lines);
  expect(JSON.stringify(found)).not.toMatch(/8765432|111111/);
});

test('a supporter is masked for somebody who may not see them', async () => {
  const { Supporter: words } = await describe('refund', await aRefund(), false);
  expect(words).toBe('R… B…, r…@example.com');
});

test('a page names the club whose bank details change by its link, not by its id', async () => {
  const { args } = await examples.club_bank_details();
  const asked = { act: 'club_bank_details', arguments: JSON.parse(JSON.stringify(args)) } as const;
  const [club] = await describeAct({ ...api, maySeeSupporters: true, isOnPage: true }, asked);
  expect(club).toEqual({
    label: 'Club',
    value: expect.stringMatching(/^Riverside Rovers \(\/[a-z0-9-]+\)$/),
    clubId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('what cannot be read is shown as it was recorded', async () => {
  expect(await describe('refund', { amount: 1 })).toEqual({ 'Asked for with': '{"amount":1}' });
  expect(await describe('of a newer version' as ActName, { amount: 1 })).toEqual({
    'Asked for with': '{"amount":1}',
  });
});
