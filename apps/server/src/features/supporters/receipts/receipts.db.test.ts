import { createHash } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { cents, isoDate, type ReceiptPeriod } from '@sparechange/domain';
import fc from 'fast-check';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeEach, describe, expect, test } from 'vitest';
import { donatedTotal } from '#features/collections/history/history-repository.ts';
import { closeDays } from '#features/core/ledger/booking-day.ts';
import { listStatementLines } from '#features/disbursements/remittances/statement-repository.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { aClub, aSupporter, forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { aPastDebit, type PastDebitOverrides } from '#testing/past-debit.ts';
import { issueReceipt } from './issue-receipt.ts';
import { listReceipts } from './list-receipts.ts';
import type { ReceiptFacts } from './receipt-facts.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  await forgetEverything(api.db);
  supporter = await aSupporter(api.db);
});

const close = (until: string) => closeDays(api.db, isoDate(until));
const given = (overrides: PastDebitOverrides) => aPastDebit(api.db, supporter, overrides);
const month = (firstDay: string): ReceiptPeriod => ({ kind: 'month', firstDay: isoDate(firstDay) });
const year = (firstDay: string): ReceiptPeriod => ({ kind: 'year', firstDay: isoDate(firstDay) });
const issue = (period: ReceiptPeriod) =>
  issueReceipt(inBucketOf(api, supporter.supporterId), supporter.supporterId, period);
const list = () => listReceipts(api.db.of(supporter.supporterId), supporter.supporterId);
const october = month('2026-10-01');

/** Reads the text of a document, on one line. */
async function words(pdf: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  return text.replace(/\s+/g, ' ');
}

describe('a receipt', () => {
  test('exists once its month is closed, and not before', async () => {
    await given({ day: '2026-10-07', amount: 430 });
    await close('2026-10-30');
    expect(await list()).toEqual([]);
    await expect(issue(october)).rejects.toMatchObject({ code: 'not-found' });
    await close('2026-10-31');
    expect(await list()).toEqual([{ ...october, lastDay: '2026-10-31', totalCents: 430, number: null }]);
    const { number } = await issue(october);
    expect(await list()).toMatchObject([{ number }]);
  });

  test('is for a month with cleared debits', async () => {
    await given({ day: '2026-09-30' });
    await close('2026-11-30');
    await expect(issue(october)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('is byte for byte the same ever after, despite later changes and concurrent requests', async () => {
    await given({ day: '2026-10-07' });
    await close('2026-10-31');
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => issue(october)));
    await api.rows`update supporters set last_name = 'Changed'`;
    await api.rows`update clubs set name = 'Changed'`;
    await given({ day: '2026-11-09', reversedOn: '2026-11-10' });
    await close('2026-11-30');
    const hash = createHash('sha256')
      .update(first?.pdf ?? '')
      .digest();
    for (const again of [...others, await issue(october)]) {
      expect(Buffer.compare(Buffer.from(again.pdf), Buffer.from(first?.pdf ?? []))).toBe(0);
      expect(Buffer.from(again.sha256)).toEqual(hash);
    }
    expect(await api.rows`select from receipts`).toHaveLength(1);
  });

  test('is numbered by its period, in any order of requests, and counted without a gap', async () => {
    for (const day of ['2026-08-05', '2026-09-02', '2026-10-07']) await given({ day });
    await close('2026-10-31');
    const numbers = [];
    for (const period of [october, month('2026-08-01'), october, month('2026-09-01')])
      numbers.push((await issue(period)).number);
    expect(numbers.map((number) => number.slice(12))).toEqual(['2026-10', '2026-08', '2026-10', '2026-09']);
    expect((await list()).map(({ number }) => number)).toEqual([...new Set(numbers)].toSorted().toReversed());
    await Promise.all([issue(october), issue(month('2026-08-01'))]);
    const kept = await api.rows<{ seq: number; number: string }[]>`select seq, number from receipts order by seq`;
    expect(kept.map(({ seq, number }) => [seq, number.slice(12)])).toEqual([
      [1, '2026-10'],
      [2, '2026-08'],
      [3, '2026-09'],
    ]);
  });

  test('has its own place in the count when different periods are requested concurrently', async () => {
    for (const day of ['2026-08-05', '2026-09-02', '2026-10-07']) await given({ day });
    await close('2026-10-31');
    const periods = [october, month('2026-08-01'), month('2026-09-01')];
    const numbers = await Promise.all(periods.map(async (period) => (await issue(period)).number.slice(12)));
    expect(numbers).toEqual(['2026-10', '2026-08', '2026-09']);
    expect(await api.rows`select seq from receipts order by seq`).toMatchObject([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
  });

  test('issued under an earlier way of numbering keeps its number', async () => {
    for (const day of ['2026-09-02', '2026-10-07']) await given({ day });
    await close('2026-10-31');
    await issue(october);
    const bucket = api.db.of(supporter.supporterId);
    await bucket`alter table receipts disable trigger receipts_append_only`;
    await bucket`update receipts set number = '1DP8Y-3JD3Y-0001'`;
    await bucket`alter table receipts enable trigger receipts_append_only`;
    expect((await issue(october)).number).toBe('1DP8Y-3JD3Y-0001');
    expect((await issue(month('2026-09-01'))).number).toMatch(/-2026-09$/);
  });

  test('can be neither changed nor removed', async () => {
    await given({ day: '2026-10-07' });
    await close('2026-10-31');
    await issue(october);
    await expect(api.rows`update receipts set number = 'x'`).rejects.toThrow('append-only');
    await expect(api.rows`delete from receipts`).rejects.toThrow('append-only');
    await expect(api.db.of(supporter.supporterId)`truncate receipts`).rejects.toThrow('append-only');
  });

  test('states donor, amounts and club, in letters of any Latin alphabet, and that it cannot be deducted', async () => {
    const clubId = await aClub(api.db, { name: 'Ngā Tamariki o Tūranga' });
    await api.rows`update supporters set first_name = 'Nguyễn Thị', last_name = 'Ánh-Ōtāwhao'`;
    await given({ day: '2026-10-07', amount: 455, savings: 227, clubId });
    await given({ day: '2026-10-09', amount: 25_00, kind: 'donation', clubId });
    await close('2026-10-31');
    const { pdf, number } = await issue(october);
    const text = await words(pdf);
    for (const said of [
      number,
      'October 2026',
      'Nguyễn Thị Ánh-Ōtāwhao',
      'Ngā Tamariki o Tūranga',
      '7-Oct-26 Round-ups $2.28',
      '9-Oct-26 One-off donation $25.00',
      'Total $27.28',
      'Not tax deductible',
      '$2.27 of the same debits was set aside',
    ])
      expect(text).toContain(said);
    expect(text).not.toContain('30-228');
  });

  test('of a deductible gift recipient states its ABN, that it is for a gift, and the deductible part', async () => {
    await api.rows`update clubs set name = 'Night Kitchen', abn = '51824753556', dgr_since = '2026-10-08'`;
    for (const [day, amount] of [
      ['2026-10-07', 900],
      ['2026-10-09', 250],
      ['2026-10-12', 199],
    ] as const)
      await given({ day, amount });
    await close('2026-10-31');
    const text = await words((await issue(october)).pdf);
    expect(text).toContain('Night Kitchen, ABN 51 824 753 556');
    expect(text).toContain('This receipt is for a gift to it (section 30-228');
    expect(text).toContain('$2.50 is tax deductible');
    expect(text).toContain('The other $10.99 is not');
  });

  test('of the month in which a bank reverses a debit has a line of its own for it', async () => {
    await given({ day: '2026-09-09', amount: 500, reversedOn: '2026-10-14' });
    await close('2026-10-31');
    expect(await words((await issue(month('2026-09-01'))).pdf)).toContain('Total $5.00');
    const text = await words((await issue(october)).pdf);
    expect(text).toContain('14-Oct-26 Taken back by your bank -$5.00');
    expect(text).toContain('Taken back more than given');
  });
});

test('a statement is of a financial year, month by month', async () => {
  for (const day of ['2026-06-29', '2026-07-01', '2026-07-29', '2027-06-30', '2027-07-01']) await given({ day });
  await close('2027-06-30');
  expect((await list()).filter(({ kind }) => kind === 'year')).toMatchObject([
    { firstDay: '2026-07-01', lastDay: '2027-06-30', totalCents: 3 * 430 },
    { firstDay: '2025-07-01', totalCents: 430 },
  ]);
  const text = await words((await issue(year('2026-07-01'))).pdf);
  expect(text).toContain('Cleared in the financial year 1 July 2026 to 30 June 2027');
  expect(text).toContain('Jul-26 Round-ups $8.60 Jun-27 Round-ups $4.30 Total $12.90');
  expect(text).toContain('is on the one for the year in which it cleared');
  expect(text).toContain('not twice');
  await api.rows`update clubs set abn = '51824753556', dgr_since = '2020-07-01'`;
  const earlier = await words((await issue(year('2025-07-01'))).pdf);
  expect(earlier).toContain('This statement is a receipt for gifts to it (section 30-228');
  expect(earlier).toContain('$4.30 is tax deductible.');
});

test('over the API a supporter gets the same bytes and their hash', async () => {
  supporter = await api.supporter();
  await given({ day: '2026-10-07' });
  await close('2026-10-31');
  const caller = { uid: supporter.uid };
  const ask = { cdrid: supporter.supporterId, ...october };
  const { body } = await api.call(contract.downloadReceipt, ask, caller);
  const pdf = Buffer.from(body.pdf, 'base64');
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(createHash('sha256').update(pdf).digest('hex')).toBe(body.sha256);
  expect(body.fileName).toBe(`receipt-${body.number}.pdf`);
  expect((await api.call(contract.downloadReceipt, ask, caller)).body).toEqual(body);
  expect((await api.call(contract.downloadReceipt, { ...ask, firstDay: '2026-09-01' }, caller)).status).toBe(404);
});

test("receipts add up to the donated amount in the history, and clubs' statements agree, to the cent", async () => {
  const day = fc.integer({ min: 1, max: 28 }).map((day) => String(day).padStart(2, '0'));
  const debit = fc.record({
    day: fc.tuple(fc.constantFrom('2026-05', '2026-06', '2026-07', '2026-08'), day).map((parts) => parts.join('-')),
    amount: fc.integer({ min: 1, max: 3_000 }),
    hasSavings: fc.boolean(),
    kind: fc.constantFrom('round-up' as const, 'donation' as const),
    club: fc.nat(1),
    back: fc.option(fc.nat(40), { freq: 3, nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(debit, { minLength: 1, maxLength: 12 }), async (debits) => {
      await forgetEverything(api.db);
      supporter = await aSupporter(api.db);
      const clubs = [supporter.clubId, await aClub(api.db)];
      for (const { day, amount, hasSavings, kind, club, back } of debits) {
        const savings = hasSavings && kind === 'round-up' ? Math.floor(amount / 2) : 0;
        const reversedOn =
          back === undefined
            ? {}
            : { reversedOn: new Date(Date.parse(day) + back * 86_400_000).toISOString().slice(0, 10) };
        await given({ day, amount, savings, kind, clubId: clubs[club] ?? '', ...reversedOn });
      }
      await close('2027-06-30');
      const receipts = await list();
      const sum = (kind: string) =>
        receipts.filter((receipt) => receipt.kind === kind).reduce((so, { totalCents }) => so + totalCents, 0);
      const { cents: donated } = await donatedTotal(api.db.of(supporter.supporterId), supporter.supporterId, null);
      expect([sum('month'), sum('year')]).toEqual([donated, donated]);
      for (const receipt of receipts.slice(0, 3)) {
        const { number } = await issue(receipt);
        const [kept] = await api.rows<{ total: number; facts: ReceiptFacts }[]>`
          select total_cents as total, facts from receipts where number = ${number}`;
        const lines = kept?.facts.clubs.flatMap((club) => club.lines) ?? [];
        expect([kept?.total, lines.reduce((so, line) => so + line.cents, 0)]).toEqual([
          receipt.totalCents,
          receipt.totalCents,
        ]);
      }
      let ofClubs = 0;
      for (const clubId of clubs) {
        await api.rows`
          insert into remittances (club_id, run_date, attempt, amount_cents, first_day, last_day, reference, state, planned_at)
          values (${clubId}, '2026-11-02', 1, 1, '2026-05-01', '2027-01-01', 'CL', 'cleared', now())`;
        const [line] = await listStatementLines(api.db, clubId, isoDate('2026-11-01'), isoDate('2026-11-30'));
        ofClubs += line?.totalCents ?? cents(0);
      }
      expect(ofClubs).toBe(donated);
    }),
    { numRuns: 12 },
  );
});
