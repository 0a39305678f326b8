import type { Db } from '#db/connect.ts';
import type { Batches } from './batches.ts';
import {
  type Audited,
  auditedSupporters,
  changedSources,
  changedSupporters,
  type IdRange,
  type Period,
  recentEntries,
} from './changed-rows.ts';
import { balancesToClose, type ClosingBalance, closeBalances } from './closed-balances.ts';
import { auditedEntries, narrowedTables, schemaOf } from './narrowed-tables.ts';

/**
 * Lists the supporters of a bucket in the product's memory, and sends each check the supporters and rows to read: on
 * nodes of a cluster a session has no tables and views of its own.
 */
export async function batchesOnNodes(tx: Db, period: Period | null, range: IdRange): Promise<Batches> {
  await tx`set local plan_cache_mode = force_custom_plan`; // lists of thousands need their values for a plan
  const left = await listIds(tx, period, range);
  const schema = await schemaOf(tx);
  const reading = { schema, tables: narrowedTables(schema, period) };
  const kept: ClosingBalance[][] = [];
  let batch: Batch = { audited: [], sources: [] };
  const rows = () => rowsOf(tx, period, reading, batch);
  return {
    listed: left.length,
    rows,
    take: async (size) => {
      const ids = left.splice(0, size);
      const sources = period ? await listSources(tx, period, ids) : [];
      const audited = await tx<Audited[]>`
        with ${changed(tx, ids)}, ${touched(tx, sources)} ${auditedSupporters(tx, period)}`;
      batch = { audited, sources };
      return { taken: ids.length, last: ids.at(-1) ?? null };
    },
    collectBalances: async (until) => {
      kept.push(
        await tx<ClosingBalance[]>`with ${rows()} closing as (${balancesToClose(tx, until)}) select * from closing`,
      );
    },
    closeBalances: async (until) => {
      for (const closing of kept) await closeBalances(tx, closingRows(tx, closing), until);
    },
  };
}

/** Values shared by all batches of a bucket. */
interface Reading {
  schema: string;
  /** Names of tables, each with the statement that selects the rows to read. */
  tables: [name: string, rows: string][];
}

/** Audited supporters, with their debits, deposits and repayments that the period touched. */
interface Batch {
  audited: Audited[];
  sources: Source[];
}

interface Source {
  supporter_id: string;
  id: string;
}

async function listIds(tx: Db, period: Period | null, range: IdRange): Promise<string[]> {
  const listed = await tx<Pick<Source, 'supporter_id'>[]>`
    with recent_entries as (${recentEntries(tx, period)}), changed as (${changedSupporters(tx, period, range)})
    select supporter_id from changed order by supporter_id`;
  return listed.map(({ supporter_id }) => supporter_id);
}

const listSources = (tx: Db, period: Period, ids: string[]) => tx<Source[]>`
  with ${changed(tx, ids)}, recent_entries as (${recentEntries(tx, period)} and supporter_id = any(${ids}::uuid[]))
  select supporter_id, id from (${changedSources(tx, period)}) as source`;

const changed = (tx: Db, ids: string[]) => tx`changed_supporters as (select unnest(${ids}::uuid[]) as supporter_id)`;

const touched = (tx: Db, sources: Source[]) => tx`
  changed_sources as (select * from unnest(
    ${sources.map((source) => source.supporter_id)}::uuid[], ${sources.map(({ id }) => id)}::uuid[]) as source (supporter_id, id))`;

const closingRows = (tx: Db, closing: ClosingBalance[]) => tx`
  select * from unnest(
    ${closing.map((balance) => balance.supporter_id)}::uuid[], ${closing.map(({ account }) => account)}::ledger_account[],
    ${closing.map(({ cents }) => cents)}::bigint[]) as kept (supporter_id, account, cents)`;

/** Selects the lists of a batch, and the rows to read of each table of supporters. */
const rowsOf = (tx: Db, period: Period | null, reading: Reading, { audited, sources }: Batch) => tx`
  audited_supporters as (select * from unnest(
    ${audited.map((each) => each.supporter_id)}::uuid[], ${audited.map((each) => each.is_whole)}::boolean[],
    ${audited.map((each) => each.closed_until)}::date[], ${audited.map((each) => each.first_seq)}::bigint[]
  ) as audited (supporter_id, is_whole, closed_until, first_seq)),
  ${touched(tx, sources)},
  recent_entries as (${recentEntries(tx, period)} and supporter_id in (select supporter_id from audited_supporters)),
  audited_entries as materialized (${tx.unsafe(auditedEntries(reading.schema))}),
  ${tx.unsafe(reading.tables.map(([name, rows]) => `${name} as (${rows}),`).join('\n'))}`;
