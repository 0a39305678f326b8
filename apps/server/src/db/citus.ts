import { Conflict, StartProblem } from '#errors.ts';
import type { Db, Pool } from './connect.ts';
import { ifReachable } from './database-answers.ts';
import { countSupporters, type ListedBucket } from './list-buckets.ts';
import { bucketSchema, bucketSchemas } from './scope.ts';
import { awaitSessionLock } from './session-lock.ts';
import { bucketTables, controlTables, referenceTables, sharedTables } from './table-homes.ts';

/**
 * Settings without which Citus refuses triggers, functions that read a bucket, and changes of several tables together.
 */
const settings = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.allow_nested_distributed_execution': 'on',
  'citus.multi_shard_modify_mode': 'sequential',
};

/** Throws StartProblem where a cluster lacks what docs/going-live.md prepares. */
export async function refuseUnprepared(owner: Pool): Promise<void> {
  const [extension] = await owner<{ isThere: boolean }[]>`
    select to_regprocedure('citus_schema_distribute(regnamespace)') is not null as "isThere"`;
  if (!extension?.isThere)
    throw new StartProblem('DATABASE_ENGINE=citus, and the database has no extension citus: create it on every node.');
  const [node] = await owner<{ isCoordinator: boolean; isListed: boolean }[]>`
    select citus_is_coordinator() as "isCoordinator",
      exists (select from pg_dist_node where groupid = 0) or not exists (select from pg_dist_node) as "isListed"`;
  if (!node?.isCoordinator)
    throw new StartProblem('DATABASE_URL leads to a worker node of the Citus cluster: give it the coordinator.');
  if (!node.isListed)
    throw new StartProblem('The Citus cluster does not list its coordinator: call citus_set_coordinator_host first.');
  const names = Object.keys(settings);
  const held = await owner<{ name: string; value: string | null }[]>`
    select name, current_setting(name, true) as value from unnest(${names}::text[]) as asked (name)`;
  const wrong = Object.entries(settings).filter(
    ([name, value]) => held.find((each) => each.name === name)?.value !== value,
  );
  if (wrong.length > 0)
    throw new StartProblem(
      `The database needs ${wrong.map((pair) => pair.join('=')).join(', ')} on every node of the Citus cluster.`,
    );
}

/**
 * Makes reference tables of those that buckets read, distributed schemas of new buckets, and has every node know the
 * functions of supporters. Changes nothing where all of it is done, as a change needs every node. Throws StartProblem
 * where a bucket to distribute has supporters: Citus would leave hidden rows of them on the coordinator.
 */
export const distribute = (owner: Pool): Promise<void> =>
  awaitSessionLock(owner, 'sparechange.distribute', async () => {
    const schemas = await listPlainSchemas(owner);
    for (const schema of schemas) await refuseUsed(owner, schema);
    await dropTriggerOfClubs(owner);
    const references = await listPlainReferences(owner);
    if (references.length > 0) await setKeysAside(owner, schemas);
    for (const table of references) await owner`select create_reference_table(${`public.${table}`}::regclass)`;
    for (const schema of schemas) await distributeSchema(owner, schema);
    if (await hasKeysAside(owner)) await owner`drop table keys_set_aside`;
    for (const routine of await listPlainRoutines(owner))
      await owner`select create_distributed_function(${routine}::oid::regprocedure)`;
  });

/** The trigger would write control's table on each node; the code that changes a club writes it, too. */
async function dropTriggerOfClubs(owner: Pool): Promise<void> {
  const [trigger] = await owner`
    select from pg_trigger where tgrelid = 'public.clubs'::regclass and tgname = 'clubs_keep_former_slug'`;
  if (trigger) await owner.unsafe('drop trigger if exists clubs_keep_former_slug on public.clubs');
}

async function hasKeysAside(db: Db): Promise<boolean> {
  const [kept] = await db<{ table: string | null }[]>`select to_regclass('public.keys_set_aside')::text as table`;
  return kept?.table != null;
}

/**
 * Takes keys to reference tables away from empty buckets until each is distributed: with them, making a reference table
 * changes every table of all buckets in one transaction, for minutes. The next start finds what a broken off one set aside.
 */
const setKeysAside = (owner: Pool, schemas: string[]): Promise<void> =>
  owner.begin(async (tx) => {
    await tx`
      create table if not exists keys_set_aside (
        bucket text, target text, name text, definition text, primary key (target, name))`;
    const keys = await tx<{ target: string; name: string }[]>`
      insert into keys_set_aside
      select nspname, conrelid::regclass, conname, pg_get_constraintdef(key.oid)
      from pg_constraint key join pg_namespace space on space.oid = connamespace
      where contype = 'f' and conparentid = 0 and nspname = any(${schemas})
        and confrelid = any(${referenceTables.map((table) => `public.${table}`)}::regclass[])
      returning target, name`;
    for (const { target, name } of keys) await tx.unsafe(`alter table ${target} drop constraint ${name}`);
  });

/** Distributes a bucket and gives its keys back, in a transaction of its own. */
const distributeSchema = (owner: Pool, schema: string): Promise<void> =>
  owner.begin(async (tx) => {
    await tx`select citus_schema_distribute(${schema}::regnamespace)`;
    if (!(await hasKeysAside(tx))) return;
    const keys = await tx<{ target: string; name: string; definition: string }[]>`
      delete from keys_set_aside where bucket = ${schema} returning target, name, definition`;
    for (const { target, name, definition } of keys)
      await tx.unsafe(`alter table ${target} add constraint ${name} ${definition}`);
  });

async function refuseUsed(owner: Pool, schema: string): Promise<void> {
  const [bucket] = await owner.unsafe<{ isUsed: boolean }[]>(
    `select exists (select from ${schema}.supporters) as "isUsed"`,
  );
  if (bucket?.isUsed)
    throw new StartProblem(
      `DATABASE_ENGINE=citus begins with a new database, and ${schema} of this one has supporters.`,
    );
}

async function listPlainReferences(db: Db): Promise<string[]> {
  const plain = await db<{ name: string }[]>`
    select name from unnest(${referenceTables}::text[]) with ordinality as listed (name, place)
    where not exists (select from pg_dist_partition where logicalrelid = ('public.' || name)::regclass and repmodel = 't')
    order by place`;
  return plain.map(({ name }) => name);
}

async function listPlainSchemas(owner: Pool): Promise<string[]> {
  const plain = await owner<{ name: string }[]>`
    select name from unnest(${bucketSchemas(owner.scope)}::text[]) as listed (name)
    where not exists (select from pg_dist_schema where schemaid = name::regnamespace) order by name`;
  return plain.map(({ name }) => name);
}

/**
 * Lists routines that statements of a bucket may call and nodes do not have: its own, and those of `public` that read no
 * table. Triggers' come with their tables; nothing calls one with a row of a table, whose type differs on a node. Types are
 * asked about in pg_type: Citus checks each row that is read of pg_class, which takes long with many tables.
 */
async function listPlainRoutines(owner: Pool): Promise<string[]> {
  const elsewhere = String.raw`\m(${[...controlTables, ...sharedTables, ...bucketTables].join('|')})\M`;
  const plain = await owner<{ oid: string }[]>`
    select routine.oid::text as oid from pg_proc routine join pg_namespace space on space.oid = pronamespace
    where (nspname = any(${bucketSchemas(owner.scope)}::text[]) or (nspname = 'public' and prosrc !~ ${elsewhere}))
      and prorettype <> 'trigger'::regtype
      and not exists (select from pg_type where pg_type.oid = any(proargtypes) and typtype = 'c')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = routine.oid and deptype = 'e')
      and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = routine.oid)
    order by nspname, routine.oid`;
  return plain.map(({ oid }) => oid);
}

interface Placed {
  schema: string;
  /** The node's name and port. */
  node: string;
  bytes: number;
}

const listPlaced = (db: Pool): Promise<Placed[]> => db.inControl()<Placed[]>`
  select space.nspname::text as schema, nodename || ':' || nodeport as node, coalesce(sum(shard_size), 0)::bigint as bytes
  from citus_shards shard join pg_class class on class.oid = shard.table_name
  join pg_namespace space on space.oid = class.relnamespace
  where citus_table_type = 'schema' group by 1, 2 order by 1`;

/** Lists buckets with their nodes and sizes. */
export async function listOnNodes(db: Pool): Promise<ListedBucket[]> {
  const placed = await listPlaced(db);
  const listed: ListedBucket[] = [];
  for (const [bucket, pool] of db.inBuckets().entries()) {
    const held = placed.find(({ schema }) => schema === bucketSchema(bucket));
    if (!held) throw new Conflict(`No node holds bucket ${bucket}: start the product once.`);
    const line: ListedBucket = { bucket, node: held.node };
    await ifReachable(async () => {
      line.size = { supporters: await countSupporters(pool), bytes: held.bytes };
    });
    listed.push(line);
  }
  return listed;
}

/** Moves a bucket to a node, while it is written to. Broken off, it stays where it is, and may be moved again. */
export async function moveToNode(owner: Pool, bucket: number, to: string): Promise<void> {
  const held = (await listPlaced(owner)).find(({ schema }) => schema === bucketSchema(bucket));
  if (!held) throw new Conflict(`There is no bucket ${bucket} on a node.`);
  const [node] = await owner<{ name: string; port: number }[]>`
    select nodename as name, nodeport as port from pg_dist_node
    where nodename || ':' || nodeport = ${to} and noderole = 'primary' and isactive and shouldhaveshards`;
  if (!node) throw new Conflict(`The cluster has no node ${to} that takes buckets; write it as host:port.`);
  if (held.node === to) throw new Conflict(`Bucket ${bucket} is on the node ${to} already.`);
  await owner`select citus_schema_move(${held.schema}::regnamespace, ${node.name}::text, ${node.port}::integer)`;
}

async function findRebalance(owner: Pool): Promise<string | undefined> {
  const [job] = await owner<{ state: string }[]>`select state::text as state from citus_rebalance_status()`;
  return job?.state;
}

const ended = new Set<string | undefined>([undefined, 'finished', 'failed', 'cancelled']);

/** Moves buckets until nodes hold equal shares; waits for a rebalance that is under way instead of beginning another. */
export async function rebalanceNodes(owner: Pool): Promise<'rebalanced' | 'even already'> {
  if (ended.has(await findRebalance(owner))) {
    const [begun] = await owner<{ job: number | null }[]>`select citus_rebalance_start() as job`;
    if (begun?.job == null) return 'even already';
  }
  await owner`select citus_rebalance_wait()`;
  const state = await findRebalance(owner);
  if (state !== 'finished')
    throw new Conflict(`The rebalance is ${state}; the coordinator's citus_rebalance_status() says why.`);
  return 'rebalanced';
}
