import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as contract from '@sparechange/contract/console';
import { cents, isoDate, sydneyDay } from '@sparechange/domain';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { BankFiles } from '#ports/bank-files.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { directEntry } from '#providers/direct-entry/index.ts';
import { someSettings } from '#providers/testing/direct-entry-settings.ts';
import { aReturnsFile } from '#providers/testing/returns-file.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { testEncryption } from '#testing/makers.ts';
import { directEntryBook } from './direct-entry-book.ts';

const bankFiles = {} as BankFiles;
const api = ownApp({ bankFiles });
const zepto = ownApp();
let adapter: DirectDebit;
let outbox: string;

beforeAll(async () => {
  outbox = join(await mkdtemp(join(tmpdir(), 'sparechange-files-')), 'outbox');
  const book = directEntryBook(api.db, testEncryption);
  const { files, ...directDebit } = directEntry({
    settings: someSettings(outbox),
    book,
    now: () => api.clock.now(),
    onFileProblem: async () => {},
    onUnreadableOrder: async () => {},
  });
  Object.assign(bankFiles, files);
  adapter = directDebit;
});

const joan = { name: 'Joan Smith', email: 'joan@example.com', bsb: '062000', accountNumber: '12345678' };
const mandate = { id: 'mandate', ...joan, ceiling: cents(250_00) };

beforeEach(async () => {
  await rm(outbox, { recursive: true, force: true });
  await api.rows`truncate direct_entry.entries, direct_entry.files, direct_entry.mandates, direct_entry.returns_files`;
  await adapter.createMandate(mandate);
});

async function order(kind: 'debit' | 'payout', reference: string, amountCents = 4_35): Promise<void> {
  const dueOn = isoDate('2026-11-25');
  const common = { id: `order-${reference}`, reference, amount: cents(amountCents), remitter: 'SPARECHANGE', dueOn };
  if (kind === 'debit') await adapter.submitDebits([{ ...common, mandateRef: 'DE.mandate' }]);
  else await adapter.submitPayouts([{ ...common, ...joan }]);
}

async function somebody(role: contract.Role = 'finance', of = api) {
  const person = await anOperator(of.db, { roles: [role] });
  return <Op extends contract.ConsoleOperation>(operation: Op, input: object = {}) =>
    callConsole(of.app, operation, input, person);
}

const name = 'debits-2026-11-25-1.aba';
const encoded = (text: string) => Buffer.from(text).toString('base64');

test('writing bank files names an order that cannot be read and writes the others', async () => {
  const call = await somebody();
  for (const reference of ['RU1', 'RU2']) await order('debit', reference);
  await api.rows`update direct_entry.entries set account_encrypted = 'lost' where reference = 'RU1'`;
  const { body } = await call(contract.writeBankFiles);
  expect(body).toMatchObject({ files: [{ name, orders: 1 }], unreadable: ['RU1'] });
  expect((await call(contract.writeBankFiles)).body).toEqual({ files: [], unreadable: ['RU1'] });
});

test('waiting orders are totalled and written once, and their files are listed page by page, newest first', async () => {
  const call = await somebody();
  for (const reference of ['RU1', 'RU2']) await order('debit', reference);
  await order('payout', 'SV1', 12_50);
  const state = async () => (await call(contract.retrieveBankFileState)).body;
  const waiting = [
    { kind: 'debit', orders: 2, totalCents: 8_70 },
    { kind: 'payout', orders: 1, totalCents: 12_50 },
  ];
  expect(await state()).toEqual({ lodging: 'by_operator', today: '2026-11-25', waiting, nextWriteAt: null });
  const today = async () => (await call(contract.retrieveToday)).body.bankFiles;
  expect(await today()).toEqual({ toLodge: 0, ordersToWrite: 3 });

  const both = await Promise.all([1, 2].map(() => call(contract.writeBankFiles)));
  const files = both.flatMap(({ body }) => body.files).toSorted((one, other) => one.name.localeCompare(other.name));
  expect(files).toEqual([
    { name, kind: 'debit', orders: 2, totalCents: 8_70 },
    { name: 'payouts-2026-11-25-1.aba', kind: 'payout', orders: 1, totalCents: 12_50 },
  ]);
  expect((await call(contract.writeBankFiles)).body).toEqual({ files: [], unreadable: [] });
  expect(await state()).toMatchObject({ waiting: [] });
  expect(await today()).toEqual({ toLodge: 2, ordersToWrite: 0 });

  const first = (await call(contract.listBankFiles, { limit: '1' })).body;
  const rest = (await call(contract.listBankFiles, { after: String(first.next) })).body;
  expect([...first.rows, ...rest.rows].map(({ id }) => id)).toEqual(['payouts-2026-11-25-1.aba', name]);
  expect(rest).toMatchObject({ rows: [{ state: 'written', lodgedAt: null, clearsOn: null }], next: null });
  expect((await call(contract.listBankFiles, { state: 'lodged' })).body.rows).toEqual([]);
});

test('a file that no data key can decrypt is named when it is saved or later files are written', async () => {
  const call = await somebody();
  await order('debit', 'RU1');
  await call(contract.writeBankFiles);
  await rm(outbox, { recursive: true, force: true });
  await api.rows`update direct_entry.files set content_encrypted = 'lost'`;
  const refused = { status: 409, body: { error: { message: expect.stringContaining(`${name} cannot be read`) } } };
  expect(await call(contract.downloadBankFile, { name, state: 'written' })).toMatchObject(refused);
  expect(await call(contract.writeBankFiles)).toMatchObject(refused);
});

test('a file is saved as it was written, with its downloader in the audit log', async () => {
  const call = await somebody();
  await order('debit', 'RU1');
  await call(contract.writeBankFiles);
  const { body } = await call(contract.downloadBankFile, { name, state: 'written' });
  expect(body.name).toBe(name);
  expect(Buffer.from(body.content, 'base64').toString()).toMatch(/^0 .*\r\n1062-000 12345678 13/);
  const [entry] = await api.rows`
    select details from audit_log where action = 'console downloadBankFile' order by id desc limit 1`;
  expect(entry?.details).toMatchObject({ name, operator: expect.any(String) });
  const unknown = await call(contract.downloadBankFile, { name: 'debits-2026-11-25-9.aba', state: 'written' });
  expect(unknown.status).toBe(404);
});

test('a file is lodged once; somebody who still sees it as waiting is told that it has changed', async () => {
  const call = await somebody();
  await order('debit', 'RU1');
  await call(contract.writeBankFiles);
  const both = await Promise.all([1, 2].map(() => call(contract.lodgeBankFile, { name })));
  expect(both.map(({ body }) => body).toSorted((one, other) => Number(one.isNew) - Number(other.isNew))).toEqual([
    { isNew: false, clearsOn: '2026-11-30' },
    { isNew: true, clearsOn: '2026-11-30' },
  ]);
  const late = await call(contract.downloadBankFile, { name, state: 'written' });
  expect([late.status, late.body.error.message]).toEqual([409, expect.stringContaining('changed by somebody else')]);
  const withdrawn = await call(contract.withdrawBankFile, { name });
  expect([withdrawn.status, withdrawn.body.error.message]).toEqual([409, expect.stringContaining('marked as lodged')]);
  expect((await call(contract.downloadBankFile, { name, state: 'lodged' })).status).toBe(200);
  const unknown = await call(contract.lodgeBankFile, { name: 'debits-2026-11-25-9.aba' });
  expect([unknown.status, unknown.body.error.message]).toEqual([409, expect.stringContaining('not a file we wrote')]);
});

test('a file marked as lodged by mistake waits again, with the reason in the audit log', async () => {
  const call = await somebody();
  await order('debit', 'RU1');
  await call(contract.writeBankFiles);
  await call(contract.lodgeBankFile, { name });
  const lodgedAt = (await call(contract.listBankFiles)).body.rows[0]?.lodgedAt;
  const input = { name, lodgedAt, reason: 'the wrong row' };
  const without = await call(contract.unlodgeBankFile, { ...input, reason: ' ' });
  expect([without.status, without.body.error.fields]).toEqual([400, { reason: 'Please say why' }]);
  const late = await call(contract.unlodgeBankFile, { ...input, lodgedAt: '2026-11-24T00:00:00.000Z' });
  expect([late.status, late.body.error.message]).toEqual([409, expect.stringContaining('look again')]);
  for (const isNew of [true, false]) expect((await call(contract.unlodgeBankFile, input)).body).toEqual({ isNew });
  expect((await call(contract.listBankFiles)).body.rows).toMatchObject([
    { id: name, state: 'written', clearsOn: null },
  ]);
  expect((await call(contract.retrieveToday)).body.bankFiles).toEqual({ toLodge: 1, ordersToWrite: 0 });
  const [entry] = await api.rows`
    select details from audit_log where action = 'console unlodgeBankFile' order by id desc limit 1`;
  expect(entry?.details).toMatchObject({ name, reason: 'the wrong row', operator: expect.any(String) });
});

test('a file altered in the outbox is not lodged', async () => {
  const call = await somebody();
  await order('debit', 'RU1');
  await call(contract.writeBankFiles);
  await writeFile(join(outbox, name), 'something else');
  const { status, body } = await call(contract.lodgeBankFile, { name });
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('not as it was written')]);
  await call(contract.withdrawBankFile, { name });
});

test('the orders of a withdrawn file wait for the next one, and its content is deleted', async () => {
  const call = await somebody();
  await order('debit', 'RU1');
  await call(contract.writeBankFiles);
  for (const isNew of [true, false]) expect((await call(contract.withdrawBankFile, { name })).body).toEqual({ isNew });
  expect((await call(contract.retrieveBankFileState)).body.waiting).toMatchObject([{ kind: 'debit', orders: 1 }]);
  expect((await call(contract.listBankFiles)).body.rows).toMatchObject([{ id: name, state: 'withdrawn' }]);
  const gone = await call(contract.downloadBankFile, { name, state: 'withdrawn' });
  expect([gone.status, gone.body.error.message]).toEqual([409, expect.stringContaining('not kept any more')]);
  const lodged = await call(contract.lodgeBankFile, { name });
  expect([lodged.status, lodged.body.error.message]).toEqual([409, expect.stringContaining('was withdrawn')]);
  expect(await readdir(outbox)).not.toContain(name);
  await writeFile(join(outbox, name), 'put by another process, which had read it before it was withdrawn');
  await call(contract.writeBankFiles);
  expect(await readdir(outbox)).toEqual(['debits-2026-11-25-2.aba']);
});

test('a return file is imported once, and its unusable lines remain listed', async () => {
  const call = await somebody();
  await order('debit', 'RU1');
  await call(contract.writeBankFiles);
  await call(contract.lodgeBankFile, { name });
  const content = aReturnsFile([
    { reference: 'RU1', code: 6, amountCents: 4_35 },
    { reference: 'SOMEBODY', code: 6, amountCents: 1_00 },
  ]);
  const input = { fileName: 'monday.txt', content: encoded(content) };
  const problems = ['line 3: no order has the reference SOMEBODY'];
  const read = { isNew: true, returned: 1, problems, isSettled: true };
  expect((await call(contract.importReturns, input)).body).toEqual(read);
  const again = { isNew: false, returned: 0, problems, isSettled: true }; // unmatched lines are named again
  expect((await call(contract.importReturns, input)).body).toEqual(again);
  const empty = { fileName: 'tuesday.txt', content: encoded(aReturnsFile([])) };
  await call(contract.importReturns, empty);
  const first = (await call(contract.listReturnsFiles, { limit: '1' })).body;
  const rest = (await call(contract.listReturnsFiles, { after: String(first.next) })).body;
  const listed = [...first.rows, ...rest.rows].toSorted((one, other) => one.name.localeCompare(other.name));
  expect(listed).toMatchObject([
    { name: 'monday.txt', returned: 1, problems },
    { name: 'tuesday.txt', returned: 0, problems: [] },
  ]);
});

test.each([
  ['<html>Your session has ended</html>', 'no file of returns'],
  [aReturnsFile([]).slice(0, 100), 'not whole'],
  [aReturnsFile([]).replace('RETURNS', 'RET\0RNS'), 'not text'],
])('the return file %j is refused with a reason', async (content, because) => {
  const call = await somebody();
  const { status, body } = await call(contract.importReturns, { fileName: 'x.txt', content: encoded(content) });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(because)]);
});

test('a viewer sees the figures; files and returns are for owners and finance', async () => {
  const call = await somebody('viewer');
  await order('debit', 'RU1');
  expect((await call(contract.retrieveBankFileState)).body.waiting).toHaveLength(1);
  expect((await call(contract.listBankFiles)).status).toBe(200);
  expect((await call(contract.downloadBankFile, { name, state: 'written' })).status).toBe(403);
  expect((await call(contract.listReturnsFiles)).status).toBe(403);
});

test('where the bank fetches files, the next settling writes them', async () => {
  Object.assign(bankFiles, { lodging: 'when written' });
  api.clock.setTo('2026-11-25T08:30:00Z'); // half past seven in Sydney, after the day's last settling
  const { body } = await (await somebody())(contract.retrieveBankFileState);
  expect(body).toEqual({
    lodging: 'when_written',
    today: '2026-11-25',
    waiting: [],
    nextWriteAt: '2026-11-25T18:30:00.000Z',
  });
});

test('it is stated when payments do not go by bank files', async () => {
  const call = await somebody('owner', zepto);
  const none = { lodging: null, today: sydneyDay(zepto.clock.now()), waiting: [], nextWriteAt: null };
  expect((await call(contract.retrieveBankFileState)).body).toEqual(none);
  const { status, body } = await call(contract.writeBankFiles);
  expect([status, body.error.message]).toEqual([409, 'Payments are not made with bank files.']);
});
