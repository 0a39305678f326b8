import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { directEntryBook } from '#features/collections/bank-files/direct-entry-book.ts';
import type { Outcome } from '#ports/direct-debit.ts';
import type { DirectEntryBook } from '#ports/direct-entry-book.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, testEncryption } from '#testing/makers.ts';
import { someSettings } from '../testing/direct-entry-settings.ts';
import { aReturnsFile } from '../testing/returns-file.ts';
import { decodeAba } from './aba.ts';
import type { FileProblem } from './bank-files.ts';
import { directEntry } from './index.ts';
import { outboxIn } from './outbox.ts';
import type { DirectEntrySettings } from './settings.ts';

const database = ownDatabase();
beforeEach(async () => {
  const { pool } = database;
  await pool`truncate direct_entry.entries, direct_entry.files, direct_entry.mandates, direct_entry.returns_files`;
});

const joan = { name: 'Joan Smith', email: 'joan@example.com', bsb: '062000', accountNumber: '12345678' };

/** The adapter on 25 November 2026, with mandate and orders. */
async function aDirectEntry(overrides: Partial<DirectEntrySettings> = {}) {
  const folder = join(await mkdtemp(join(tmpdir(), 'sparechange-files-')), 'outbox');
  const clock = aClock();
  const book = directEntryBook(database.pool, testEncryption);
  const settings = someSettings(folder, overrides);
  const problems: string[] = [];
  const onFileProblem = async ({ problem }: FileProblem) => void problems.push(problem.message);
  const make = (other: Partial<DirectEntrySettings> = {}, changes: Partial<DirectEntryBook> = {}) =>
    directEntry({
      settings: { ...settings, ...other },
      book: { ...book, ...changes },
      now: clock.now,
      onUnreadableOrder: async () => {},
      onFileProblem,
    });
  const adapter = make();
  const mandateRef = await adapter.createMandate({ id: 'mandate', ...joan, ceiling: cents(25_000) });
  const debit = (reference: string, amount = 435) => {
    const order = { id: `order-${reference}`, mandateRef, amount: cents(amount), remitter: 'SPARECHANGE', reference };
    return adapter.submitDebits([{ ...order, dueOn: isoDate('2026-11-25') }]);
  };
  const payout = (reference: string, accountNumber = '87654321') => {
    const order = { id: `order-${reference}`, ...joan, accountNumber, amount: cents(1250), reference };
    return adapter.submitPayouts([{ ...order, dueOn: isoDate('2026-11-25') }]);
  };
  const outcomes = async (): Promise<Record<string, Outcome['state']>> => {
    const list: Record<string, Outcome['state']> = {};
    for await (const { providerRef, state } of adapter.outcomesSince(new Date(0))) list[providerRef] = state;
    return list;
  };
  const open = (name: string) => readFile(join(folder, name), 'utf8');
  return { adapter, book, make, files: adapter.files, clock, folder, problems, debit, payout, outcomes, open };
}

const debits = 'debits-2026-11-25-1.aba';

describe('writing', () => {
  test('puts debits and payouts into files of their own, and again adds nothing', async () => {
    const { files, folder, debit, payout, open } = await aDirectEntry();
    await debit('RU1');
    await payout('SV1');
    const written = await files.write();
    expect(written.files).toMatchObject([
      { name: debits, kind: 'debit', processOn: '2026-11-25', items: 1, totalCents: 435 },
      { name: 'payouts-2026-11-25-1.aba', kind: 'payout', items: 1, totalCents: 1250 },
    ]);
    const before = await open(debits);
    expect((await files.write()).files).toEqual([]);
    expect(await open(debits)).toBe(before);
    expect((await readdir(folder)).toSorted()).toEqual([debits, 'payouts-2026-11-25-1.aba']);
  });

  test('gives later orders a file of their own', async () => {
    const { files, debit, open } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    await debit('RU2');
    expect((await files.write()).files.map(({ name }) => name)).toEqual(['debits-2026-11-25-2.aba']);
    const { details } = decodeAba(await open('debits-2026-11-25-2.aba'));
    expect(details.map(({ reference }) => reference)).toEqual(['RU2', 'DEBITS261125-2']);
  });

  test('splits files at the bank’s limit of records', async () => {
    const { files, debit, open } = await aDirectEntry({ maxRecords: 3 });
    for (const reference of ['RU1', 'RU2', 'RU3', 'RU4', 'RU5']) await debit(reference);
    const written = (await files.write()).files;
    expect(written.map(({ items }) => items)).toEqual([2, 2, 1]);
    const all = await Promise.all(written.map(async ({ name }) => decodeAba(await open(name)).details.slice(0, -1)));
    expect(all.flat().map(({ reference }) => reference)).toEqual(['RU1', 'RU2', 'RU3', 'RU4', 'RU5']);
  });

  test('by two concurrent processes files every order once', async () => {
    const { make, debit, folder, open } = await aDirectEntry({ maxRecords: 4 });
    for (let count = 0; count < 30; count += 1) await debit(`RU${count}`);
    await Promise.all([make().files.write(), make().files.write(), make().files.write()]);
    const all = await Promise.all((await readdir(folder)).map(async (name) => decodeAba(await open(name)).details));
    const references = all
      .flat()
      .filter(({ code }) => code === 13)
      .map(({ reference }) => reference);
    expect(references.toSorted()).toEqual(Array.from({ length: 30 }, (_, count) => `RU${count}`).toSorted());
  });

  test('puts a file that an earlier process kept and never put into the outbox, unchanged even under other settings', async () => {
    const { files, make, debit, folder, open } = await aDirectEntry();
    await debit('RU1');
    await writeFile(folder, 'no folder'); // nothing can be put there
    await expect(files.write()).rejects.toThrow();
    await rm(folder);
    expect((await make({ userName: 'RENAMED PTY LTD' }).files.write()).files).toEqual([]);
    expect(decodeAba(await open(debits)).userName).toBe('SPARECHANGE PTY LTD');
  });

  test('never replaces a file that somebody has changed, and says so', async () => {
    const { files, debit, folder, open } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    const changed = (await open(debits)).replace('0000000435', '0000000434');
    await writeFile(join(folder, debits), changed);
    await expect(files.write()).rejects.toThrow(/does not hold what was first written/);
    await expect(files.markLodged(debits)).rejects.toThrow(/not as it was written/);
    expect(await open(debits)).toBe(changed);
  });

  test('leaves files to their owner alone', async () => {
    const { files, debit, folder } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, debits))).mode & 0o777).toBe(0o600);
  });
});

test('a mandate whose account cannot be decrypted leaves its own debits alone without an answer, and is in effect', async () => {
  const { adapter } = await aDirectEntry();
  const mandateRef = await adapter.createMandate({ id: 'unreadable', ...joan, ceiling: cents(25_000) });
  await database.rows`update direct_entry.mandates set account_encrypted = 'lost' where id = 'unreadable'`;
  const order = { amount: cents(435), remitter: 'SPARECHANGE', dueOn: isoDate('2026-11-25') };
  const orders = [mandateRef, 'DE.mandate'].map((ref, at) => ({
    ...order,
    id: `order-${at}`,
    mandateRef: ref,
    reference: `RU${at}`,
  }));
  expect(await adapter.submitDebits(orders)).toMatchObject([
    { result: 'unknown', reason: 'the account of its mandate cannot be decrypted' },
    { result: 'accepted' },
  ]);
  expect(await adapter.isMandateInEffect(mandateRef)).toBe(true);
});

describe('clearing', () => {
  test('a lodged file clears after three banking days without a return, not before', async () => {
    const { files, clock, debit, outcomes } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    expect(await files.markLodged(debits)).toEqual({ name: debits, result: 'lodged', clearsOn: '2026-11-30' });
    clock.setTo('2026-11-29T12:59:00Z'); // Sunday, a minute to midnight in Sydney
    expect(await outcomes()).toEqual({ 'DD.RU1': 'pending' });
    clock.setTo('2026-11-29T13:00:00Z');
    expect(await outcomes()).toEqual({ 'DD.RU1': 'cleared' });
  });

  test('a file that is written and never lodged never clears', async () => {
    const { files, clock, debit, outcomes } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    clock.setTo('2027-11-25T00:00:00Z');
    expect(await outcomes()).toEqual({ 'DD.RU1': 'pending' });
  });

  test('lodging again changes nothing, and a late lodging clears later', async () => {
    const { files, clock, debit } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    clock.setTo('2026-12-01T00:00:00Z');
    expect((await files.markLodged(`some/where/${debits}`)).clearsOn).toBe('2026-12-04');
    clock.setTo('2026-12-02T00:00:00Z');
    expect(await files.markLodged(debits)).toMatchObject({ result: 'already lodged', clearsOn: '2026-12-04' });
    await expect(files.markLodged('debits-2026-11-25-9.aba')).rejects.toThrow(/is not a file we wrote/);
  });

  test('account numbers are forgotten with it, and the outbox is tidied', async () => {
    const { files, clock, debit, outcomes, folder } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    await files.markLodged(debits);
    clock.setTo('2026-12-01T00:00:00Z');
    await outcomes();
    await files.write();
    expect(await readdir(folder)).toEqual([]);
    const [left] = await database.rows`
      select (select count(*) from direct_entry.entries where account_encrypted is not null) as entries,
        (select count(*) from direct_entry.files where content_encrypted is not null) as files`;
    expect(left).toEqual({ entries: 0, files: 0 });
  });

  test('where the bank fetches files itself, settling writes and lodges', async () => {
    const { clock, debit, outcomes, folder } = await aDirectEntry({ lodging: 'when written' });
    await debit('RU1');
    expect(await outcomes()).toEqual({ 'DD.RU1': 'pending' });
    expect(await readdir(folder)).toEqual([debits]);
    clock.setTo('2026-11-30T00:00:00Z');
    expect(await outcomes()).toEqual({ 'DD.RU1': 'cleared' });
  });
});

describe('where the bank fetches files itself', () => {
  const lodging = 'when written';
  const lodged = () => database.rows`select name from direct_entry.files where lodged_at is not null order by name`;

  /** Leaves a file as a process does that ends between putting it and noting that the bank has it. */
  const loseMark = (name: string) =>
    database.rows`update direct_entry.files set lodged_at = null, clears_on = null where name = ${name}`;

  test('an operator who writes files has them marked as lodged', async () => {
    const { files, debit, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    expect(await lodged()).toEqual([{ name: debits }]);
    await rm(join(folder, debits));
    await expect(files.withdraw(debits)).rejects.toThrow(/is marked as lodged/);
  });

  test('a file that it fetched before we noted so counts as lodged and is not put again', async () => {
    const { files, debit, outcomes, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    await loseMark(debits);
    await rm(join(folder, debits));
    expect(await outcomes()).toEqual({ 'DD.RU1': 'pending' });
    expect(await readdir(folder)).toEqual([]);
    expect(await lodged()).toEqual([{ name: debits }]);
  });

  test('a file that it fetched before we noted so is not withdrawn', async () => {
    const { files, debit, outcomes, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    await loseMark(debits);
    await rm(join(folder, debits));
    await expect(files.withdraw(debits)).rejects.toThrow(
      `${debits} is not withdrawn: the bank's software has fetched it. The next settle marks it as lodged.`,
    );
    await outcomes();
    expect(await lodged()).toEqual([{ name: debits }]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a file that it has not fetched is withdrawn, and its orders go into the next one', async () => {
    const { files, debit, outcomes, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    await loseMark(debits);
    for (const result of ['withdrawn', 'already withdrawn'])
      expect(await files.withdraw(debits)).toEqual({ name: debits, result, items: 1 });
    await outcomes();
    expect(await readdir(folder)).toEqual(['debits-2026-11-25-2.aba']);
  });

  test('a file that is withdrawn while another process puts it is not put', async () => {
    const { make, book, debit, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    const { files } = make();
    async function* unlodgedFiles() {
      for await (const file of book.unlodgedFiles()) {
        await files.withdraw(file.name);
        yield file;
      }
    }
    await make({}, { unlodgedFiles }).files.write();
    expect(await readdir(folder).catch(() => [])).toEqual([]);
    expect(await lodged()).toEqual([]);
    await files.write();
    expect(await readdir(folder)).toEqual(['debits-2026-11-25-2.aba']);
  });

  test('a file that is not withdrawn is put back', async () => {
    const { files, debit, outcomes, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    await loseMark(debits);
    await files.readReturns('monday.txt', aReturnsFile([{ reference: 'RU1', code: 6, amountCents: 435 }]));
    await expect(files.withdraw(debits)).rejects.toThrow(/came back/);
    expect(await readdir(folder)).toEqual([debits]);
    await outcomes();
    expect(await lodged()).toEqual([{ name: debits }]);
  });

  test('a file is put that an earlier process had taken out and not withdrawn', async () => {
    const { files, debit, outcomes, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    await loseMark(debits);
    await outboxIn(folder).takeOut(debits, 'its hash');
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^\./)]);
    await outcomes();
    expect(await readdir(folder)).toEqual([debits]);
  });

  test('a file is put that an earlier process had noted and not put', async () => {
    const { files, debit, outcomes, folder, open } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    const written = await open(debits);
    const [, draft = ''] = (await readFile(join(folder, '..', '.outbox-put', debits), 'utf8')).split(' ');
    await loseMark(debits);
    await rename(join(folder, debits), join(folder, draft));
    await outcomes();
    expect(await readdir(folder)).toEqual([debits]);
    expect(await open(debits)).toBe(written);
  });

  test('concurrent processes put each file once', async () => {
    const { make, debit, folder } = await aDirectEntry({ lodging, maxRecords: 4 });
    for (let count = 0; count < 9; count += 1) await debit(`RU${count}`);
    await Promise.all([make().files.write(), make().files.write(), make().files.write()]);
    expect((await readdir(folder)).toSorted()).toEqual([1, 2, 3].map((n) => `debits-2026-11-25-${n}.aba`));
  });

  test('an altered file is reported, and does not hold back other files or outcomes', async () => {
    const { files, clock, debit, outcomes, folder, open, problems } = await aDirectEntry({ lodging, maxRecords: 2 });
    await debit('RU0');
    await outcomes();
    await debit('RU1');
    await debit('RU2');
    await files.write();
    const [altered, second] = ['debits-2026-11-25-2.aba', 'debits-2026-11-25-3.aba'];
    for (const name of [altered, second]) await loseMark(name);
    await writeFile(join(folder, altered), (await open(altered)).replace('0000000435', '0000000434'));
    clock.setTo('2026-11-30T00:00:00Z');
    expect(await outcomes()).toEqual({ 'DD.RU0': 'cleared', 'DD.RU1': 'pending', 'DD.RU2': 'pending' });
    expect(await lodged()).toEqual([{ name: debits }, { name: second }]);
    expect(problems).toEqual([expect.stringMatching(/-2.aba does not hold what was first written/)]);
    await expect(files.write()).rejects.toThrow(/-2.aba does not hold what was first written/);
  });

  test('a file of the same name with other content is reported, not taken for fetched', async () => {
    const { files, debit, outcomes, folder, problems } = await aDirectEntry({ lodging });
    await debit('RU1');
    await files.write();
    await rm(join(folder, debits));
    await database.rows`truncate direct_entry.entries, direct_entry.files`; // an older database is restored
    await debit('RU2');
    await outcomes();
    expect(problems).toEqual([expect.stringMatching(/A different file named .* was put/)]);
    expect(await lodged()).toEqual([]);
    await files.withdraw(debits);
    await outcomes();
    expect(await lodged()).toEqual([{ name: 'debits-2026-11-25-2.aba' }]);
  });

  test('a file that an operator says is not lodged is put again', async () => {
    const { make, files, debit, outcomes, folder } = await aDirectEntry({ lodging });
    await debit('RU1');
    await outcomes();
    await rm(join(folder, debits));
    await make({ lodging: 'by operator' }).files.markNotLodged(debits);
    await files.write();
    expect(await readdir(folder)).toEqual([debits]);
  });
});

describe('a file that the bank did not take', () => {
  test('is withdrawn, and its orders go into the next one under another name', async () => {
    const { files, debit, folder } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    expect(await files.withdraw(debits)).toEqual({ name: debits, result: 'withdrawn', items: 1 });
    expect(await files.withdraw(debits)).toEqual({ name: debits, result: 'already withdrawn', items: 1 });
    expect((await files.write()).files.map(({ name }) => name)).toEqual(['debits-2026-11-25-2.aba']);
    expect(await readdir(folder)).toEqual(['debits-2026-11-25-2.aba']);
    await expect(files.markLodged(debits)).rejects.toThrow(/withdrawn/);
  });

  test('cannot be withdrawn once it was lodged', async () => {
    const { files, debit } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    await files.markLodged(debits);
    await expect(files.withdraw(debits)).rejects.toThrow(/lodged/);
  });

  test('is lodged or withdrawn by two people concurrently, never both', async () => {
    const { files, make, debit } = await aDirectEntry();
    for (let place = 1; place <= 5; place += 1) {
      await debit(`RU${place}`);
      const [{ name = '' } = {}] = (await files.write()).files;
      const [lodged, withdrawn] = await Promise.allSettled([
        make().files.markLodged(name),
        make().files.withdraw(name),
      ]);
      expect([lodged.status, withdrawn.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const [{ state } = {}] = await database.rows`
        select case when lodged_at is null then 'rejected' else 'fulfilled' end as state
        from direct_entry.files where name = ${name}`;
      expect(lodged.status).toBe(state);
    }
  });
});

describe('a file that was marked as lodged by mistake', () => {
  async function aLodgedFile(kind: 'debit' | 'payout' = 'debit', overrides: Partial<DirectEntrySettings> = {}) {
    const bank = await aDirectEntry(overrides);
    await (kind === 'debit' ? bank.debit('RU1') : bank.payout('RU1'));
    const [{ name = '' } = {}] = (await bank.files.write()).files;
    await bank.files.markLodged(name);
    return { ...bank, name };
  }

  interface Line {
    cents: number;
    description?: string;
    reference?: string;
    bookedOn?: string;
  }

  const aLine = ({ cents, description = 'DIRECT ENTRY', reference, bookedOn = '2026-11-26' }: Line) =>
    database.rows`
      insert into bank_statement_lines (account, line_id, booked_on, cents, description, reference, imported_at)
      values ('xxx123', '1', ${bookedOn}, ${cents}, ${description}, ${reference ?? null}, now())`;

  beforeEach(() => database.rows`truncate bank_statement_lines`);

  test('waits to be lodged again, and clears by the day on which it is', async () => {
    const { files, name, clock, outcomes } = await aLodgedFile();
    clock.setTo('2026-11-29T12:59:00Z'); // Sunday, a minute to midnight in Sydney
    expect(await files.markNotLodged(`some/where/${name}`)).toEqual({ name, result: 'not lodged' });
    expect(await files.markNotLodged(name)).toEqual({ name, result: 'already not lodged' });
    clock.setTo('2026-11-30T00:00:00Z');
    expect(await outcomes()).toEqual({ 'DD.RU1': 'pending' });
    expect(await files.markLodged(name)).toMatchObject({ result: 'lodged', clearsOn: '2026-12-03' });
  });

  test('may be withdrawn then, and its orders go into the next file', async () => {
    const { files, name } = await aLodgedFile();
    await files.markNotLodged(name);
    expect(await files.withdraw(name)).toMatchObject({ result: 'withdrawn' });
    await expect(files.markNotLodged(name)).rejects.toThrow(/was withdrawn/);
  });

  test.each([
    ['a return', /came back/],
    ['a line that names the file', /line of the bank statement/],
  ])('is not withdrawn once %s has come since, and is lodged again', async (sign, why) => {
    const { files, name, outcomes } = await aLodgedFile();
    await files.markNotLodged(name);
    if (sign === 'a return')
      await files.readReturns('monday.txt', aReturnsFile([{ reference: 'RU1', code: 6, amountCents: 435 }]));
    else await aLine({ cents: 4_35, description: 'Sparechange debits261125-1' });
    await expect(files.withdraw(name)).rejects.toThrow(why);
    expect(await outcomes()).toEqual({ 'DD.RU1': sign === 'a return' ? 'returned' : 'pending' });
    expect(await files.markLodged(name)).toMatchObject({ result: 'lodged' });
  });

  test('is withdrawn although some line has its total', async () => {
    const { files, name } = await aLodgedFile();
    await files.markNotLodged(name);
    await aLine({ cents: 4_35 });
    expect(await files.withdraw(name)).toMatchObject({ result: 'withdrawn' });
  });

  test.each(['2026-11-29T13:00:00Z', '2026-12-02T00:00:00Z'])(
    'stays lodged from the day it clears, at %s',
    async (at) => {
      const { files, name, clock, outcomes } = await aLodgedFile();
      clock.setTo(at);
      await expect(files.markNotLodged(name)).rejects.toThrow(/count as carried out/);
      expect(await outcomes()).toEqual({ 'DD.RU1': 'cleared' });
      await expect(files.markNotLodged(name)).rejects.toThrow(/count as carried out/);
    },
  );

  test('stays lodged once an order of it came back', async () => {
    const { files, name } = await aLodgedFile();
    await files.readReturns('monday.txt', aReturnsFile([{ reference: 'RU1', code: 6, amountCents: 435 }]));
    await expect(files.markNotLodged(name)).rejects.toThrow(/came back/);
  });

  test.each([
    ['names an order of it', 'debit', { cents: -4_35, reference: 'RU1' }],
    ['names the file', 'debit', { cents: 9_99, description: 'Sparechange debits261125-1' }],
    ['has the total of its debits', 'debit', { cents: 4_35 }],
    ['has the total of its payouts', 'payout', { cents: -12_50 }],
  ] as const)('stays lodged once a line of the bank statement %s', async (_words, kind, line) => {
    const { files, name } = await aLodgedFile(kind);
    await aLine(line);
    await expect(files.markNotLodged(name)).rejects.toThrow(/line of the bank statement/);
  });

  test.each([
    ['of another file', { cents: 9_99, description: 'SPARECHANGE DEBITS261125-12' }],
    ['of another payment with the same amount', { cents: 4_35, reference: 'RU2' }],
    ['in the other direction', { cents: -4_35 }],
    ['of a day before it was written', { cents: 4_35, bookedOn: '2026-11-24' }],
  ])('is none the less not lodged where a line is %s', async (_words, line) => {
    const { files, name } = await aLodgedFile();
    await aLine(line);
    expect(await files.markNotLodged(name)).toMatchObject({ result: 'not lodged' });
  });

  test('stays lodged where somebody else has lodged it since it was seen', async () => {
    const { files, name, clock } = await aLodgedFile();
    const seen = clock.now();
    await files.markNotLodged(name, seen);
    clock.setTo('2026-11-26T00:00:00Z');
    await files.markLodged(name);
    await expect(files.markNotLodged(name, seen)).rejects.toThrow(/look again/);
  });

  test('does not exist where the bank fetches files itself', async () => {
    const { files, name } = await aLodgedFile('debit', { lodging: 'when written' });
    await expect(files.markNotLodged(name)).rejects.toThrow(/counts as lodged once it is written/);
  });
});

describe('returns', () => {
  const returns = aReturnsFile([
    { reference: 'RU1', code: 6, amountCents: 435 },
    { reference: 'SV1', code: 5, amountCents: 1250, isSwapped: true },
    { reference: 'SOMEONE ELSE', code: 6, amountCents: 435 },
  ]);

  test('are taken in once by the content of their file, and list unusable lines', async () => {
    const { files, debit, payout, outcomes } = await aDirectEntry();
    await debit('RU1');
    await debit('RU2');
    await payout('SV1');
    await files.write();
    const read = await files.readReturns('monday.txt', returns);
    expect(read).toEqual({ result: 'read', returned: 2, problems: [expect.stringContaining('line 4')] });
    expect(await files.readReturns('renamed.txt', returns)).toMatchObject({ result: 'already read', returned: 0 });
    expect(await outcomes()).toEqual({ 'DD.RU1': 'returned', 'DD.RU2': 'pending', 'DC.SV1': 'returned' });
  });

  test('with problems are read again, and what can be used by then comes back once', async () => {
    const { files, debit, payout, outcomes } = await aDirectEntry();
    await debit('RU1');
    await files.write();
    const first = await files.readReturns('monday.txt', returns);
    expect(first).toMatchObject({ result: 'read', returned: 1 });
    expect(first.problems).toHaveLength(2);
    await payout('SV1');
    await files.write();
    const again = await files.readReturns('monday.txt', returns);
    expect(again).toMatchObject({ result: 'read', returned: 1 });
    const [kept] = await database.rows`select returned, problems from direct_entry.returns_files`;
    expect(kept).toEqual({ returned: 2, problems: [expect.stringContaining('line 4')] });
    const third = await files.readReturns('monday.txt', returns);
    expect(third).toEqual({ result: 'already read', returned: 0, problems: [expect.stringContaining('line 4')] });
    expect(await outcomes()).toEqual({ 'DD.RU1': 'returned', 'DC.SV1': 'returned' });
  });

  test('by two concurrent processes count once', async () => {
    const { files, make, debit, payout } = await aDirectEntry();
    await debit('RU1');
    await payout('SV1');
    await files.write();
    const answers = await Promise.all([1, 2, 3].map(() => make().files.readReturns('monday.txt', returns)));
    expect(answers.map(({ result }) => result).toSorted()).toEqual(['already read', 'already read', 'read']);
  });
});

test('a number of ten digits is refused with a reason, is in no file, and does not block other orders', async () => {
  const { adapter, files, payout } = await aDirectEntry();
  const reason = 'the account number has 10 digits and a bank file takes 9; pay it another way';
  expect(await payout('SV1', '1234567890')).toEqual([
    { id: 'order-SV1', result: 'refused', cause: 'account_invalid', reason, isOurs: true },
  ]);
  await payout('SV2');
  expect((await files.write()).files).toMatchObject([{ items: 1 }]);
  const wrong = { id: 'm2', ...joan, accountNumber: '1234567890', ceiling: cents(100) };
  await expect(adapter.createMandate(wrong)).rejects.toThrow(/10 digits/);
});

test('a reference that another order has is refused', async () => {
  const { adapter, debit } = await aDirectEntry();
  await debit('RU1');
  expect(await debit('RU1', 436)).toMatchObject([
    { result: 'refused', reason: expect.stringContaining('another order') },
  ]);
  const order = { ...joan, amount: cents(435), dueOn: isoDate('2026-11-25'), reference: 'RU1', id: 'order-RU1' };
  expect(await adapter.submitPayouts([order])).toMatchObject([{ result: 'refused' }]);
});

test('an order that was accepted stays so when its mandate ends, and the account number of the mandate is forgotten', async () => {
  const { adapter, debit } = await aDirectEntry();
  const accepted = await debit('RU1');
  await adapter.cancelMandate('DE.mandate');
  expect(await debit('RU1')).toEqual(accepted);
  expect(await debit('RU2')).toMatchObject([{ result: 'refused', reason: expect.stringContaining('mandate') }]);
  expect(await database.rows`select id from direct_entry.mandates where account_encrypted is not null`).toEqual([]);
});
