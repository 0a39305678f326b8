import type { Pool } from '#db/connect.ts';
import { engines } from '#db/engine.ts';
import { bucketSchemas } from '#db/scope.ts';

/**
 * Gives a plain PostgreSQL functions and tables of the names that Citus has, which record calls and keep places of
 * schemas on two nodes. They show what is sent, not what Citus makes of it.
 */
export async function standInForCitus(db: Pool): Promise<void> {
  await db.unsafe(`
    create table citus_calls (number bigint generated always as identity, call text);
    create table pg_dist_node (groupid int, nodename text, nodeport int, noderole text, isactive bool, shouldhaveshards bool);
    insert into pg_dist_node values (0, 'coordinator', 5432, 'primary', true, false),
      (1, 'east', 5432, 'primary', true, true), (2, 'west', 5433, 'primary', true, true),
      (3, 'old', 5432, 'primary', false, true), (4, 'copy', 5432, 'secondary', true, true);
    create table pg_dist_partition (logicalrelid regclass, repmodel "char");
    create table pg_dist_object (classid oid, objid oid);
    create table pg_dist_schema (schemaid oid, nodename text, nodeport int);
    create table rebalances (state text);
    create view pg_dist_shard as
      select to_regclass(schemaid::regnamespace || '.supporters') as logicalrelid, schemaid::bigint as shardid from pg_dist_schema;
    create view pg_dist_placement as
      select schemaid::bigint as shardid, groupid from pg_dist_schema join pg_dist_node using (nodename, nodeport);
    create view citus_shards as
      select class.oid::regclass as table_name, 'schema' as citus_table_type, nodename, nodeport, 1048576::bigint as shard_size
      from pg_dist_schema join pg_class class on relnamespace = schemaid and relkind = 'r'
      union all select logicalrelid, 'reference', 'east', 5432, 8192 from pg_dist_partition;

    create function noted(call text) returns void language sql as $$ insert into citus_calls (call) values (call) $$;
    create function citus_is_coordinator() returns bool language sql as $$
      select current_setting('stand_in.is_worker', true) is distinct from 'on' $$;
    create function create_reference_table(table_name regclass) returns void language sql as $$
      select noted('create_reference_table ' || table_name);
      insert into pg_dist_partition values (table_name, 't') $$;
    create function citus_schema_distribute(schemaname regnamespace) returns void language plpgsql as $$ begin
      if schemaname::text = current_setting('stand_in.breaks_off_at', true) then raise exception 'broken off'; end if;
      perform noted('citus_schema_distribute ' || schemaname);
      insert into pg_dist_schema
      select schemaname, nodename, nodeport from pg_dist_node
      where groupid = 1 + (select count(*) from pg_dist_schema) % 2;
    end $$;
    create function create_distributed_function(function_name regprocedure) returns void language sql as $$
      select noted('create_distributed_function ' || (select nspname || '.' || proname from pg_proc
        join pg_namespace space on space.oid = pronamespace where pg_proc.oid = function_name));
      insert into pg_dist_object values ('pg_proc'::regclass, function_name) $$;
    create function citus_schema_move(schema_id regnamespace, target_node_name text, target_node_port integer) returns void
    language sql as $$
      select noted(format('citus_schema_move %s %s %s', schema_id, target_node_name, target_node_port));
      update pg_dist_schema set nodename = target_node_name, nodeport = target_node_port where schemaid = schema_id $$;
    create function citus_rebalance_start() returns bigint language sql as $$
      select noted('citus_rebalance_start');
      update rebalances set state = 'running' where state = 'planned';
      select count(*) from rebalances where state = 'running' having count(*) > 0 $$;
    create function citus_rebalance_wait() returns void language sql as $$
      select noted('citus_rebalance_wait');
      update rebalances set state = coalesce(current_setting('stand_in.outcome', true), 'finished') $$;
    create function citus_rebalance_status() returns table (job_id bigint, state text) language sql as $$
      select 1, state from rebalances where state <> 'planned' $$;
    do $$ begin
      execute format('alter database %I set citus.enable_unsafe_triggers = on', current_database());
      execute format('alter database %I set citus.allow_nested_distributed_execution = on', current_database());
      execute format('alter database %I set citus.multi_shard_modify_mode = sequential', current_database());
    end $$;`);
}

export interface TestCluster {
  /** Lets statements of a node's buckets fail, as those of the others do not, until `mend`. */
  cut(node: string): void;
  mend(): void;
}

/** Makes a database a cluster whose nodes `east:5432` and `west:5433` hold its buckets by turns, as seen through a pool. */
export async function aCluster(db: Pool): Promise<TestCluster> {
  await standInForCitus(db);
  await engines.citus.distribute(db);
  await engines.citus.findNodes(db);
  const cut = new Set<string>();
  const schemas = bucketSchemas(db.scope);
  const take = db.connections.take.bind(db.connections);
  db.connections.take = async (isAlone, path, unwanted) => {
    const node = db.nodes.ofBuckets?.[schemas.indexOf(path?.split(',')[0] ?? '')];
    if (node !== undefined && cut.has(node))
      throw Object.assign(new Error(`connection to the remote node ${node} failed`), { code: '08006' });
    return take(isAlone, path, unwanted);
  };
  return { cut: (node) => void cut.add(node), mend: () => cut.clear() };
}

/** Lets a bucket answer as if its node could not be reached, until what is returned is called. */
export async function silence(db: Pool, schema: string, node: string): Promise<() => Promise<void>> {
  await db.unsafe(`
    create function ${schema}.reached() returns boolean language plpgsql stable as $$ begin
      raise exception using errcode = '08006', message = 'connection to the remote node product@${node} failed with the following error: Connection refused';
    end $$;
    alter table ${schema}.supporters rename to supporters_away;
    create view ${schema}.supporters as select * from ${schema}.supporters_away where ${schema}.reached()`);
  return async () => {
    await db.unsafe(`
      drop view ${schema}.supporters;
      alter table ${schema}.supporters_away rename to supporters;
      drop function ${schema}.reached()`);
  };
}

/** Returns what was called since the last time. */
export async function takeCalls(db: Pool): Promise<string[]> {
  const calls = await db<{ call: string }[]>`select call from citus_calls order by number`;
  await db`delete from citus_calls`;
  return calls.map(({ call }) => call);
}
