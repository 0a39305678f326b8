import { setTimeout as wait } from 'node:timers/promises';
import { Conflict } from '#errors.ts';
import type { Db, Pool } from './connect.ts';
import { copyBucket, tablesOf } from './copy-bucket.ts';
import { copyReferences } from './copy-references.ts';
import { whileMarked } from './follow-moves.ts';
import { formerSchema, isHandedOver, recordMoved } from './hand-over.ts';
import { bucketMoves } from './migrate.ts';
import { grantProductRole } from './product-role.ts';
import { bucketSchema } from './scope.ts';
import { controlName, type DatabaseServer } from './servers.ts';
import { withSessionLock } from './session-lock.ts';
import { sharedTables } from './table-homes.ts';

export interface MoveDeps {
  db: Pool;
  /** Reaches the same database as its owner. */
  owner: Pool;
}

/** Where a bucket is, where it is going, and where its former copy is. */
interface Held {
  server: string;
  movingTo: string | null;
  formerServer: string | null;
}

async function readHeld(db: Db, bucket: number): Promise<Held> {
  const [held] = await db<Held[]>`
    select server, moving_to as "movingTo", former_server as "formerServer" from bucket_servers where bucket = ${bucket}`;
  if (!held) throw new Conflict(`There is no bucket ${bucket} that could be on another server.`);
  return held;
}

const aloneTries = 25;
const alonePauseMs = 400;

/** Runs work while nobody else moves a bucket or migrates a server; a process that starts does so for seconds. */
async function alone<Result>(db: Pool, work: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    const done = await withSessionLock(db, bucketMoves, async () => ({ result: await work() }));
    if (done) return done.result;
    if (tried === aloneTries)
      throw new Conflict('A bucket is being moved, or a server prepared, by another process. Try again later.');
    await wait(alonePauseMs);
  }
}

/**
 * Moves a bucket to another server (docs/decisions/0132-bucket-moves.md). Broken off anywhere it may be done again, or
 * back to the server that holds the bucket.
 */
export function moveBucket(deps: MoveDeps, bucket: number, to: string): Promise<'moved' | 'went back'> {
  return alone(deps.db, async () => {
    const { db, owner } = deps;
    const { server, movingTo, formerServer } = await readHeld(db, bucket);
    const target = owner.servers.find(to);
    if (!target) throw new Conflict(`BUCKET_SERVERS names no server ${to}.`);
    if (movingTo && to === server) return goBack(deps, bucket, { server, movingTo });
    if (to === server) throw new Conflict(`Bucket ${bucket} is on the server ${to} already.`);
    if (movingTo && movingTo !== to)
      throw new Conflict(`Bucket ${bucket} is on its way to ${movingTo}: move it there, or back to ${server}.`);
    if (formerServer)
      throw new Conflict(`The server ${formerServer} has a former copy of bucket ${bucket}: drop that first.`);
    await copyReferences(db);
    await db`update bucket_servers set moving_to = ${to} where bucket = ${bucket}`;
    const source = owner.servers.named(server);
    if (!(await isHandedOver(owner.on(source), bucket))) await handOver(deps, bucket, source, target);
    await recordMoved(db, bucket);
    db.servers.place(bucket, to);
    return 'moved';
  });
}

/** Keeps every reader and writer off a bucket, copies it, and puts it away in the same transaction. */
async function handOver({ db, owner }: MoveDeps, bucket: number, source: DatabaseServer, target: DatabaseServer) {
  const schema = bucketSchema(bucket);
  const [{ role } = { role: '' }] = await db.on(db.servers.named(target.name))<
    { role: string }[]
  >`select current_user as role`;
  const marked = <Result>(work: () => Promise<Result>) => whileMarked(db, bucket, work);
  await withTablesLocked(owner.on(source), schema, marked, async (tx) => {
    await copyBucket(tx, owner.on(target), target, bucket);
    await grantProductRole(owner.on(target), role);
    await tx.unsafe(`alter schema ${schema} rename to ${formerSchema(bucket)}`);
    if (source.name === controlName) await standIn(tx, schema);
  });
}

const lockMs = 500; // shorter than PostgreSQL takes to look for deadlocks, which would end one of the product's transactions
const lockTries = 120;
const lockPauseMs = 500;
const markSeenMs = 50; // in which other processes read the mark

/** Runs work once it has every table to itself; those who come meanwhile wait. Each try is marked. */
async function withTablesLocked(
  source: Pool,
  schema: string,
  marked: (attempt: () => Promise<void>) => Promise<void>,
  work: (tx: Db) => Promise<void>,
): Promise<void> {
  const names = (await tablesOf(source, schema)).map(({ name }) => name).join(', ');
  for (let tried = 1; ; tried += 1) {
    let isLocked = false;
    try {
      return await marked(async () => {
        await wait(markSeenMs);
        await source.begin(async (tx) => {
          await tx.unsafe(`set local lock_timeout = ${lockMs}; lock table ${names}; set local lock_timeout = 0`);
          isLocked = true;
          await work(tx);
        });
      });
    } catch (error) {
      if (isLocked || (error as { code?: string }).code !== '55P03') throw error;
      if (tried === lockTries)
        throw new Conflict(`Something reads the bucket for long; it was not moved. Try again later.`);
    }
    await wait(lockPauseMs);
  }
}

/** Makes views that fail in place of tables that control has, too: a process that has not heard of a move would use those. */
async function standIn(tx: Db, schema: string): Promise<void> {
  await tx.unsafe(`
    create schema ${schema};
    grant usage on schema ${schema} to public;
    create function ${schema}.has_moved() returns setof int language plpgsql as
      $$ begin raise 'This bucket is on another server.' using errcode = '55000'; end $$;`);
  for (const table of sharedTables)
    await tx.unsafe(`create view ${schema}.${table} as select moved from ${schema}.has_moved() as moved`);
}

/** Gives a bucket back to the server that still holds it; nobody has written to the copy. */
async function goBack(
  { db, owner }: MoveDeps,
  bucket: number,
  { server, movingTo }: { server: string; movingTo: string },
): Promise<'went back'> {
  const schema = bucketSchema(bucket);
  const source = owner.on(owner.servers.named(server));
  if (await isHandedOver(source, bucket))
    await source.begin(async (tx) => {
      await tx.unsafe(`
        drop schema if exists ${schema} cascade; alter schema ${formerSchema(bucket)} rename to ${schema}`);
    });
  await owner.on(owner.servers.named(movingTo)).unsafe(`drop schema if exists ${schema} cascade`);
  await db`update bucket_servers set moving_to = null where bucket = ${bucket}`;
  return 'went back';
}

/** Drops what a move left on the former server; returns its name. */
export function dropFormer({ db, owner }: MoveDeps, bucket: number): Promise<string> {
  return alone(db, async () => {
    const { formerServer } = await readHeld(db, bucket);
    if (!formerServer) throw new Conflict(`There is no former copy of bucket ${bucket}.`);
    await owner.on(owner.servers.named(formerServer)).unsafe(`drop schema if exists ${formerSchema(bucket)} cascade`);
    await db`update bucket_servers set former_server = null where bucket = ${bucket}`;
    return formerServer;
  });
}
