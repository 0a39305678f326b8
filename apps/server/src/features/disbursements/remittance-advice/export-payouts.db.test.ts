import { cents, isoDate } from '@sparechange/domain';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeEach, expect, test } from 'vitest';
import { readCsv } from '#csv.ts';
import { documentPrinter } from '#documents/document-printer.ts';
import { parseStatement } from '#features/accounting/bank-statements/parse-statement.ts';
import { setReserve } from '#features/beneficiaries/clubs/club-repository.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { aTenant, returned, someTenants } from '#testing/makers.ts';
import { reverse } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { type ExportFormat, exportPayout, exportPayouts, exportYear } from './export-payouts.ts';

const paid = paidClub();
const tenants = someTenants(aTenant({ key: 'sparechange', name: 'Sparechange' }));
const deps = () => ({
  ...paid.deps(),
  tenants,
  mainTenant: 'sparechange',
  printer: documentPrinter({ readLogo: async () => undefined }),
});
const ask = (format: ExportFormat, changes = {}) =>
  exportPayouts(deps(), {
    clubId: paid.id(),
    format,
    from: isoDate('2026-11-01'),
    to: isoDate('2026-11-30'),
    income: '4-1000',
    bank: '1-1110',
    ...changes,
  });
const textOf = async (format: ExportFormat) => String((await ask(format))[0]?.content);
const sum = (cells: (string | undefined)[]) => cells.reduce((total, cell) => total + Math.round(Number(cell) * 100), 0);

/** Remits on one day, takes a gift back, has the remittance returned, and remits on the next. */
beforeEach(async () => {
  await paid.gives(90);
  const claimed = await paid.gives(20);
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  const sent = paid.deps().directDebit.taken.findLast(({ kind }) => kind === 'payout')?.providerRef ?? '';
  await applyOutcome(paid.deps(), returned(sent, 6));
  await reverse(paid.deps(), claimed);
  await paid.gives(50);
  await setReserve(paid.database.pool, paid.id(), cents(30));
  paid.on('2026-11-27');
  await remitToClubs(paid.deps());
});

test('each file adds up to the amount that arrived, although a payout failed, a gift was claimed back and a reserve is held', async () => {
  const arrived = await paid.database.pool<{ cents: number }[]>`
    select sum(amount_cents)::bigint as cents from remittances where state = 'submitted'`;
  const total = arrived[0]?.cents;
  const rows = async (format: ExportFormat, skip: number) =>
    readCsv(await textOf(format))
      .slice(skip)
      .map(({ cells }) => cells);
  expect(total).toBe(90 + 20 + 50 - 20 - 30);
  expect(sum((await rows('xero', 1)).map(([, amount]) => amount))).toBe(total);
  expect(sum((await rows('csv', 1)).map((cells) => cells.at(-1)))).toBe(total);
  const journal = await rows('myob', 2);
  expect(sum(journal.filter((cells) => cells[3] === '1-1110').map((cells) => cells[5]))).toBe(total);
  for (const format of ['ofx', 'camt053'] as const)
    expect(parseStatement(await textOf(format))).toMatchObject({ closingCents: total, closingOn: '2026-11-27' });
  const deposits = (await textOf('journal')).matchAll(/^ {2}Assets:1-1110 {2}(\S+) AUD/gm);
  expect(sum([...deposits].map(([, amount]) => amount))).toBe(total);
});

test('files are named for their days and formats', async () => {
  const names = await Promise.all(
    (['csv', 'xero', 'ofx', 'camt053', 'journal'] as const).map(async (format) => (await ask(format))[0]?.name),
  );
  expect(names).toEqual(
    ['-csv.csv', '-xero.csv', '-ofx.ofx', '-camt053.xml', '.journal'].map(
      (end) => `payouts-2026-11-01-to-2026-11-30${end}`,
    ),
  );
});

const payouts = (state: string) => paid.database.pool<{ id: string; cents: number }[]>`
  select id, amount_cents as cents from remittances where state::text = ${state}`;
const books = { income: '4-1000', bank: '1-1110' };

test('the files of one payout add up to it, and one that did not arrive has none', async () => {
  const [arrived] = await payouts('submitted');
  const [failed] = await payouts('returned');
  const of = (format: ExportFormat, payoutId = arrived?.id ?? '') =>
    exportPayout(deps(), { clubId: paid.id(), payoutId, format, ...books });
  const cellsOf = async (format: ExportFormat) => readCsv(String((await of(format)).content)).map(({ cells }) => cells);
  expect(sum((await cellsOf('xero')).slice(1).map(([, amount]) => amount))).toBe(arrived?.cents);
  expect(sum((await cellsOf('csv')).slice(1).map((cells) => cells.at(-1)))).toBe(arrived?.cents);
  const journal = (await cellsOf('myob')).slice(2);
  expect(sum(journal.filter((cells) => cells[3] === '1-1110').map((cells) => cells[5]))).toBe(arrived?.cents);
  expect((await of('pdf')).name).toMatch(/^payout-2026-11-27-CL.*\.pdf$/);
  await expect(of('pdf', failed?.id)).rejects.toThrow('did not arrive');
  const elsewhere = { clubId: '00000000-0000-4000-8000-000000000000', payoutId: arrived?.id ?? '' };
  await expect(exportPayout(deps(), { ...elsewhere, format: 'csv', ...books })).rejects.toThrow('was not found');
});

test('a payout whose lines are off by a cent has no file, with the reason given on request', async () => {
  const [wrong] = await paid.database.pool<{ id: string }[]>`
    insert into remittances (club_id, run_date, attempt, amount_cents, reference, planned_at, state, submitted_at, due_on)
    select club_id, run_date, 9, 1, 'CL0123456789ABCDEF', planned_at, state, submitted_at, due_on from remittances
    where state = 'submitted' returning id`;
  const asked = exportPayout(deps(), { clubId: paid.id(), payoutId: wrong?.id ?? '', format: 'xero', ...books });
  await expect(asked).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('does not add up') });
});

test('a financial year has a line per payout, and adds up to the amount that arrived', async () => {
  const [arrived] = await payouts('submitted');
  const of = (format: ExportFormat, year = 2026) => exportYear(deps(), { clubId: paid.id(), year, format, ...books });
  const [, ...lines] = readCsv(String((await of('csv')).content)).map(({ cells }) => cells);
  expect(lines.map((cells) => cells.slice(2))).toEqual([['1.10', '0.00', '0.00', '0.00', '1.10']]);
  expect(sum(lines.map((cells) => cells.at(-1)))).toBe(arrived?.cents);
  const { name, content } = await of('pdf');
  expect(name).toBe('payouts-2026-2027.pdf');
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.from(content))), {
    mergePages: true,
  });
  expect(text.replace(/\s+/g, ' ')).toContain('Paid $1.10 $0.00 $0.00 $0.00 $1.10');
  await expect(of('pdf', 2025)).rejects.toThrow('was not found');
});

test('there is one PDF for each payout', async () => {
  const files = await ask('pdf');
  expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^payout-2026-11-27-CL.*\.pdf$/)]);
  expect(
    Buffer.from(files[0]?.content ?? '')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('days without payouts give no file; invalid periods and unknown clubs are refused', async () => {
  expect(await ask('xero', { from: isoDate('2026-10-01'), to: isoDate('2026-10-31') })).toEqual([]);
  await expect(ask('csv', { to: isoDate('2026-10-31') })).rejects.toThrow('in order');
  await expect(ask('csv', { to: isoDate('2027-11-03') })).rejects.toThrow('at most 366');
  await expect(ask('csv', { clubId: 'nobody' })).rejects.toThrow('was not found');
});
