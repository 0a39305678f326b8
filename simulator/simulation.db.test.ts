import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { addDays } from '@sparechange/domain';
import { supporterIdOf } from '@sparechange/server/caller.ts';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { findFirstBookedDay, writeJournal } from '@sparechange/server/features/accounting/journal/write-journal.ts';
import { findRolledUpUntil } from '@sparechange/server/features/core/ledger/booking-day.ts';
import {
  balancesBy,
  balancesOfBooks,
  type JournalProgram,
  journalPrograms,
} from '@sparechange/server/testing/journal-balances.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { debianPrograms } from '../scripts/debian-programs.ts';
import { openDatabase, prepareDatabase, type SimulatedDatabase } from './database.ts';
import { firstDay } from './play.ts';
import { shrinkRun } from './shrink-run.ts';
import { simulate } from './simulation.ts';

const found = await debianPrograms(journalPrograms);
const whyNot = found.whyNot ? ` (skipped: ${found.whyNot})` : '';

/** An empty database, whose schema the simulator makes itself. */
async function anEmptyDatabase(name: string, buckets = 1) {
  const server = inject('serverUrl');
  const admin = connect(server.replace(/\/[^/]+$/, '/postgres'), { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const database = await prepareDatabase(server.replace(/\/[^/]+$/, `/${name}`), { buckets });
  return {
    ...database,
    close: async () => {
      await database.close();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/**
 * Each on a server of its own: what other databases of a server do decides when PostgreSQL tidies a page, and so in which order
 * rows that nobody has ordered are met, and numbered.
 */
test('the same seed plays the same run, to the last cent, id and moment', async () => {
  const digests: (string | undefined)[] = [];
  for (const _ of ['first', 'second']) {
    const database = await openDatabase();
    try {
      digests.push((await simulate({ supporters: 3, days: 10, seed: 3, faults: true, database })).digest);
    } finally {
      await database.close();
    }
  }
  expect(digests[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(digests[1]).toBe(digests[0]);
});

/** With any seed. */
const alwaysMet = [
  'mandates that the provider fails with',
  'bursts of time-outs',
  'submissions stopped by the breaker',
  'runs finished after the breaker stopped them',
  'supporters held',
  'supporters released',
  'forwarded links opened by somebody else',
  'refunds asked for',
  'audit chains verified',
];

test('after six weeks of random events, every cent is where it belongs', async () => {
  const database = await anEmptyDatabase('simulation');
  try {
    const report = await simulate({ supporters: 8, days: 45, seed: 1, faults: true, database });
    expect(report.violations).toEqual([]);
    expect(report.debits).toBeGreaterThan(30);
    expect(report.counts.get('crashes')).toBeGreaterThan(10);
    for (const met of alwaysMet) expect(report.counts.get(met), met).toBeGreaterThan(0);
  } finally {
    await database.close();
  }
});

describe('with four buckets', () => {
  let database: SimulatedDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'simulated-journal-'));
    database = await anEmptyDatabase('simulation_in_buckets', 4);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  test('every cent is where it belongs', async () => {
    const report = await simulate({ supporters: 3, days: 20, seed: 1, faults: true, database });
    expect(report.violations).toEqual([]);
    expect(report.debits).toBeGreaterThan(5);
  });

  test.skipIf(whyNot)(`hledger, ledger and beancount find every cent there, by its journal${whyNot}`, async () => {
    const { admin, everybody } = database;
    const from = await findFirstBookedDay(admin);
    const to = await findRolledUpUntil(admin);
    if (!from || !to || found.whyNot !== undefined) throw new Error('no day was closed');
    const file = join(folder, 'books.journal');
    await pipeline(Readable.from(writeJournal(admin, { from, to })), createWriteStream(file));
    const ours = await balancesOfBooks(everybody, { from, to });
    expect(Object.keys(ours).length).toBeGreaterThan(10);
    for (const name of Object.keys(journalPrograms) as JournalProgram[])
      expect(await balancesBy[name](found.paths[name], file, { from, to }), name).toEqual(ours);
  });
});

/** From a morning on, the purchases of the second supporter count from a month before they joined. */
const brokenFrom = 3;
async function breakSecondSupporter(number: number, admin: Pool): Promise<void> {
  if (number < brokenFrom) return;
  await admin`
    update supporters set rounds_from = date '2026-08-01'
    where supporter_id = ${supporterIdOf('person-0002')} and rounds_from is not null`;
}

test('what is wrong is found the same day, and shrinks to the one supporter concerned', async () => {
  let opened = 0;
  const open = () => {
    opened += 1;
    return anEmptyDatabase(`simulation_shrunk_${opened}`);
  };
  const whole = { supporters: 2, days: 15, seed: 9, faults: true, onMorning: breakSecondSupporter };
  const database = await open();
  const report = await simulate({ ...whole, database }).finally(database.close);
  expect(report.violations.map(({ day }) => day)).toContain(addDays(firstDay, brokenFrom));
  const { smallest, found, reruns, isComplete } = await shrinkRun(whole, report, open);
  expect(smallest).toEqual({ supporters: [2], days: 15, kinds: [] });
  expect(found.what).toContain('person-0002: purchases counted from');
  expect(found.onDay).toBe(brokenFrom + 1);
  expect(reruns).toBe(opened - 1);
  expect(isComplete).toBe(true);
});
