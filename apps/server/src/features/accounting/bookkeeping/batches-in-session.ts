import type { Db } from '#db/connect.ts';
import type { Batches } from './batches.ts';
import {
  auditedSupporters,
  changedSources,
  changedSupporters,
  type IdRange,
  type Period,
  recentEntries,
} from './changed-rows.ts';
import { balancesToClose, closeBalances } from './closed-balances.ts';
import { auditedEntries, narrowedTables, schemaOf } from './narrowed-tables.ts';

/**
 * Lists the supporters of a bucket in temporary tables, and puts views in front of its tables, so that checks see only
 * the audited supporters. `session` is the connection of `tx`: its contents outlive the transaction.
 */
export async function batchesInSession(tx: Db, period: Period | null, range: IdRange): Promise<Batches> {
  await makeTables(tx);
  await listSupporters(tx, period, range);
  const [counted] = await tx<{ count: number }[]>`select count(*) as count from changed_supporters`;
  const schema = await schemaOf(tx);
  let batch = 0;
  return {
    listed: counted?.count ?? 0,
    rows: () => undefined,
    take: async (size) => {
      batch += 1;
      if (batch === 1) await narrow(tx, schema, period);
      const taken = await takeBatch(tx, size);
      if (period) await readEntries(tx, schema);
      return taken;
    },
    collectBalances: async (until) => {
      if (batch === 1) await makeBalancesToClose(tx);
      await tx`insert into balances_to_close select ${batch}::integer, each.* from (${balancesToClose(tx, until)}) as each`;
    },
    closeBalances: async (until) => {
      for (let closed = 1; closed <= batch; closed += 1) {
        const closing = tx`select supporter_id, account, cents from balances_to_close where batch = ${closed}`;
        await closeBalances(tx, closing, until);
      }
    },
  };
}

/** Creates the tables, in this transaction alone, of the supporters and rows to read. */
async function makeTables(tx: Db): Promise<void> {
  await tx.unsafe(`
    create temp table recent_entries (
      supporter_id uuid, source uuid, account ledger_account, cents bigint, booked_on date) on commit drop;
    create temp table changed_sources (supporter_id uuid, id uuid, primary key (supporter_id, id)) on commit drop;
    create temp table changed_supporters (
      place bigint primary key, supporter_id uuid, is_whole boolean, closed_until date, first_seq bigint) on commit drop;
    create temp table audited_supporters (
      supporter_id uuid primary key, is_whole boolean, closed_until date, first_seq bigint) on commit drop;
    create temp table audited_entries (like ledger_entries) on commit drop`);
}

async function listSupporters(tx: Db, period: Period | null, range: IdRange): Promise<void> {
  if (period) {
    await tx`insert into recent_entries ${recentEntries(tx, period)}`;
    await tx.unsafe('create index on recent_entries (supporter_id); analyze recent_entries');
  }
  await tx`
    insert into changed_supporters (place, supporter_id)
    select row_number() over (order by supporter_id), supporter_id from (${changedSupporters(tx, period, range)}) as changed`;
  await tx`analyze changed_supporters`;
}

/** Records how much of each supporter is read, before views hide the rest. */
async function narrow(tx: Db, schema: string, period: Period | null): Promise<void> {
  if (period) await tx`insert into changed_sources ${changedSources(tx, period)}`;
  await tx`analyze changed_sources`;
  await tx`
    update changed_supporters changed
    set is_whole = audited.is_whole, closed_until = audited.closed_until, first_seq = audited.first_seq
    from (${auditedSupporters(tx, period)}) as audited where audited.supporter_id = changed.supporter_id`;
  const tables = narrowedTables(schema, period);
  await tx.unsafe(tables.map(([name, rows]) => `create temp view ${name} as ${rows}`).join(';\n'));
}

/** Reads the entries of the batch's touched debits, deposits and repayments, once for all checks. */
async function readEntries(tx: Db, schema: string): Promise<void> {
  await tx.unsafe(`
    truncate audited_entries;
    insert into audited_entries ${auditedEntries(schema)};
    analyze audited_entries`);
}

/** Creates a table of the session, with balances to close once the transaction is over. */
const makeBalancesToClose = (tx: Db) => tx`
  create temp table balances_to_close (batch integer, supporter_id uuid, account ledger_account, cents bigint)`;

async function takeBatch(tx: Db, size: number): Promise<{ taken: number; last: string | null }> {
  await tx`truncate audited_supporters`;
  const [batch] = await tx<{ taken: number; last: string | null }[]>`
    with batch as (
      delete from changed_supporters where place in (select place from changed_supporters order by place limit ${size})
      returning *
    ), added as (
      insert into audited_supporters select supporter_id, is_whole, closed_until, first_seq from batch
    )
    select count(*) as taken, (array_agg(supporter_id order by place desc))[1] as last from batch`;
  await tx`analyze audited_supporters`;
  return batch ?? { taken: 0, last: null };
}
