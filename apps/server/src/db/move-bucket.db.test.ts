import { setTimeout as wait } from 'node:timers/promises';
import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditSupporters } from '#features/bookkeeping/audit-changes.ts';
import { planDebits } from '#features/debits/plan-debits.ts';
import { submitDebits } from '#features/debits/submit-debits.ts';
import { auditBooks } from '#features/ledger/audit-books.ts';
import { applyOutcome } from '#features/outcomes/apply-outcome.ts';
import { reconcilePayments } from '#features/reconciliation/reconcile-payments.ts';
import { syncPurchases } from '#features/round-ups/sync-purchases.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aClub, cleared, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { connect, type Pool } from './connect.ts';
import { followMoves } from './follow-moves.ts';
import { migrate } from './migrate.ts';
import { dropFormer, type MoveDeps, moveBucket } from './move-bucket.ts';
import { grantProductRole } from './product-role.ts';
import { controlName } from './servers.ts';

const api = ownApp({}, {}, 4, ['east', 'west']);
const days = ['2026-11-27', '2026-11-30', '2026-12-02', '2026-12-04'].map(isoDate);

const aCommand = (): MoveDeps => ({ db: api.database.open(3, 'command'), owner: api.database.open(3) });

/** Pools of another process, which hears of no move, and of the command. */
let other: Pool;
let command: MoveDeps;
let people: TestSupporter[];

beforeAll(async () => {
  other = api.database.open(5);
  command = aCommand();
  const clubId = await aClub(api.db);
  people = [];
  for (const uid of uidsInEachBucket(4, 2)) people.push(await api.supporter({ uid, clubId }));
});
afterAll(() => Promise.all([other.end(), command.db.end(), command.owner.end()]));

const on = (name: string): Pool => api.db.on(api.db.servers.named(name));
const held = async (bucket: number) => {
  const [row] = await api.db`select server, moving_to, former_server from bucket_servers where bucket = ${bucket}`;
  return [row?.server, row?.moving_to, row?.former_server];
};
const theirs = (bucket: number) => people.slice(2 * bucket, 2 * bucket + 2);

let bought = 0;
async function buy(db: Pool, { supporterId, bankCustomerId }: TestSupporter): Promise<void> {
  api.bankLink.addTransaction(bankCustomerId);
  bought += 1;
  await syncPurchases({ ...api, db: db.of(supporterId) }, supporterId);
}

async function useTheSite({ supporterId: cdrid, uid }: TestSupporter): Promise<void> {
  const read = await api.call(contract.debitsAllTime, { cdrid }, { uid });
  const written = await api.call(contract.setWeeklyLimit, { cdrid, weeklyMaximumLimit: 0 }, { uid });
  expect([read.status, written.status]).toEqual([200, 200]);
}

/** Plans and submits a debit run over all buckets. */
async function debit(db: Pool, day = days[0]): Promise<void> {
  if (day) await planDebits(db, api.clock, api.tenants, day);
  await submitDebits({ ...api, db });
}

/** Does everything over and over until work is done; nothing of it may fail. */
async function during<Result>(bucket: number, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const again = async (act: () => Promise<void>) => {
    while (!isOver) {
      await act();
      await wait(5);
    }
  };
  for (const person of theirs(bucket)) await buy(api.db, person);
  const acts = theirs(bucket).flatMap((person) => [again(() => buy(other, person)), again(() => useTheSite(person))]);
  const runs = again(() => debit(other, days[bucket]));
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all([...acts, runs]);
  }
}

/** Looks whether everything is there once. */
async function checkEverything(): Promise<void> {
  const taken = api.directDebit.taken.map(({ providerRef }) => providerRef);
  const inBuckets = await Promise.all(
    api.db.inBuckets().map(
      (db) => db<{ debits: string[]; purchases: number }[]>`
        select (select array_agg(provider_ref) from debits where provider_ref is not null) as debits,
          (select count(*)::int from round_ups) as purchases`,
    ),
  );
  const found = inBuckets.flatMap(([row]) => row?.debits ?? []);
  expect(found.toSorted()).toEqual(taken.toSorted());
  expect(inBuckets.reduce((sum, [row]) => sum + (row?.purchases ?? 0), 0)).toBe(bought);
  expect((await auditBooks(api.db)).violations).toEqual([]);
  expect(await reconcilePayments(api)).toMatchObject({ different: 0, missingHere: 0, missingThere: 0 });
}

/** Cuts the command off, as a kill does. */
async function kill(): Promise<void> {
  await Promise.all([command.db.end({ timeout: 0 }), command.owner.end({ timeout: 0 })]);
  command = aCommand();
}

/** Runs a move until its copy is complete, and calls `meanwhile` while it holds every table. */
async function moveAndHold(bucket: number, to: string, meanwhile: () => Promise<void>): Promise<string> {
  const session = await on(to).reserve();
  try {
    await session`select pg_advisory_lock(hashtext('sparechange.close days'))`; // a copy waits for it at its end
    const moved = moveBucket(command, bucket, to).catch((error: Error) => error.message);
    for (let waits = false; !waits; await wait(20)) {
      const [lock] = await session`
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      waits = lock !== undefined;
    }
    await meanwhile();
    await session`select pg_advisory_unlock_all()`;
    return await moved;
  } finally {
    await session`select pg_advisory_unlock_all()`;
    session.release();
  }
}

/** Makes control refuse to record a new server, so that a move ends just before. */
const withoutRecord = (work: () => Promise<void>) =>
  whileRefused(api.db, 'update of server on bucket_servers', 'true', work);

describe('a bucket', () => {
  test('moves while its supporters buy, call and are debited; nothing fails or is there twice', async () => {
    for (const person of people) await buy(api.db, person);
    await debit(api.db);
    api.directDebit.clearAll();
    for (const { providerRef } of api.directDebit.taken) await applyOutcome(api, cleared(providerRef));
    expect(await during(0, () => moveBucket(command, 0, 'west'))).toBe('moved');
    expect(await held(0)).toEqual(['west', null, 'east']);
    await checkEverything();
  });

  test('whose move was killed with the copy complete is where it was, and moves when asked again', async () => {
    await during(1, async () => {
      expect(await moveAndHold(1, 'west', kill)).not.toBe('moved');
      expect(await held(1)).toEqual(['east', 'west', null]);
      await wait(100);
      await expect(moveBucket(command, 1, controlName)).rejects.toThrow('is on its way to west');
      expect(await moveBucket(command, 1, 'west')).toBe('moved');
    });
    await checkEverything();
  });

  test('whose move was broken off before it was recorded waits, and the move is finished or goes back', async () => {
    await withoutRecord(() => expect(moveBucket(command, 2, 'east')).rejects.toThrow('refused'));
    const [person] = theirs(2);
    const bought = buy(other, person as TestSupporter); // which waits
    await wait(300);
    expect(await moveBucket(command, 2, 'east')).toBe('moved');
    await bought;
    await withoutRecord(() => expect(moveBucket(command, 3, 'east')).rejects.toThrow('refused'));
    const waits = buy(other, theirs(3)[0] as TestSupporter);
    await wait(300);
    expect(await moveBucket(command, 3, 'west')).toBe('went back');
    await waits;
    await during(3, async () => {});
    expect([await held(2), await held(3)]).toEqual([
      ['east', null, 'west'],
      ['west', null, null],
    ]);
    await checkEverything();
  });

  test('that moves keeps no connection from the others of its server', async () => {
    expect(await dropFormer(command, 1)).toBe('east');
    const served = api.database.open(2);
    const moves = await followMoves(served, 60_000);
    const impatient = api.database.open(2);
    const limitedMoves = await followMoves(impatient, 100);
    const count = (db: Pool, bucket: number) =>
      db.of(String(theirs(bucket)[0]?.supporterId))`select count(*) from debits`;
    try {
      let answered = 0;
      let waiting: Promise<unknown>[] = [];
      const moved = await moveAndHold(1, 'east', async () => {
        waiting = Array.from({ length: 5 }, async () => {
          await count(served, 1);
          answered += 1;
        });
        expect([await held(3), await held(1)]).toEqual([expect.arrayContaining(['west']), ['west', 'east', null]]);
        await count(served, 3);
        const started = api.database.open(3);
        expect(await migrate(started)).toEqual([]); // a process starts meanwhile
        expect(started.servers.holders).toEqual(api.db.servers.holders);
        await started.end();
        await expect(count(impatient, 1)).rejects.toThrow('Bucket 1 is being moved to another server.');
        expect(answered).toBe(0);
      });
      expect(moved).toBe('moved');
      await Promise.all(waiting);
      await vi.waitFor(() => count(impatient, 1), 60_000); // once it has read that nothing moves
    } finally {
      await Promise.all([moves.close(), limitedMoves.close()]);
      await Promise.all([served.end(), impatient.end()]);
    }
  });

  test('whose move was broken off before it was recorded is where it was moved to for whoever starts next', async () => {
    await dropFormer(command, 1);
    await withoutRecord(() => expect(moveBucket(command, 1, 'west')).rejects.toThrow('refused'));
    const bought = buy(other, theirs(1)[0] as TestSupporter); // which waits
    const started = api.database.open(3);
    expect(await migrate(started)).toEqual([]);
    expect([await held(1), started.servers.holders[1]]).toEqual([['west', null, 'east'], 'west']);
    await bought;
    await started.end();
    await checkEverything();
  });

  test('whose copy is made when control loses the command is recorded all the same', async () => {
    await dropFormer(command, 1);
    const end = () => api.db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'command' and datname = current_database()`;
    await during(1, async () => {
      expect(await moveAndHold(1, 'east', async () => void (await end()))).not.toBe('moved');
      expect(await held(1)).toEqual(['east', null, 'west']);
    });
    await checkEverything();
  });

  test('moves to control and back, where a process that has not heard of it uses no table of control’s', async () => {
    expect(await during(3, () => moveBucket(command, 3, controlName))).toBe('moved');
    await expect(moveBucket(command, 3, 'east')).rejects.toThrow('The server west has a former copy of bucket 3');
    expect(await dropFormer(command, 3)).toBe('west');
    expect(await during(3, () => moveBucket(command, 3, 'west'))).toBe('moved');
    for (const statement of ['select count(*) from mails', 'insert into mails default values'])
      await expect(
        on(controlName).begin((tx) => tx.unsafe(`set local search_path = bucket_03, public; ${statement}`)),
      ).rejects.toThrow(/^This bucket is on another server|^cannot insert into view "mails"/);
    await checkEverything();
  });

  test('is open to the product’s own role on its new server', async () => {
    const role = 'product_of_moves';
    const places = [controlName, 'east', 'west'].map(on);
    const asRole = (url: string) => url.replace(/\/\/[^@]+@/, `//${role}:product@`);
    const { url, servers } = api.database;
    const further = Object.entries(servers).map(([name, address]) => [name, asRole(address)]);
    const product = connect(asRole(url), { max: 3, buckets: 4, servers: Object.fromEntries(further) });
    await api.db.unsafe(`create role ${role} login password 'product'`);
    try {
      for (const place of places) await grantProductRole(place, role);
      const [server, , former] = await held(0);
      product.servers.place(0, String(server));
      if (former) await dropFormer(command, 0);
      await moveBucket({ db: product, owner: command.owner }, 0, server === 'west' ? 'east' : 'west');
      const [person] = theirs(0);
      await buy(product, person as TestSupporter);
      expect((await auditSupporters(other, null)).violations).toEqual([]); // which hears of the move by it
    } finally {
      await product.end();
      for (const place of places) await place.unsafe(`drop owned by ${role}`);
      await api.db.unsafe(`drop role ${role}`);
    }
    await checkEverything();
  });
});
