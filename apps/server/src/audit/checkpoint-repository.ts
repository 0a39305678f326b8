import type { Db } from '#db/connect.ts';
import { schemaOf } from '#db/scope.ts';
import type { Checkpoint } from './checkpoint.ts';

type Row = Omit<Checkpoint, 'place' | 'marksSum' | 'mac'> & { marksSum: Uint8Array; mac: Uint8Array };

const fromRow = ({ scope }: Db, row: Row): Checkpoint => ({
  ...row,
  place: schemaOf(scope),
  marksSum: Buffer.from(row.marksSum),
  mac: Buffer.from(row.mac),
});

const columns = (db: Db) => db`
  number, made_at as "madeAt", chains, entries, marks_sum as "marksSum", is_complete as "isComplete",
  accepted_because as "acceptedBecause", mac`;

/** Lists control's or a bucket's last checkpoints, newest first. */
export async function listLastCheckpoints(db: Db, limit: number): Promise<Checkpoint[]> {
  const rows = await db<Row[]>`select ${columns(db)} from audit_checkpoints order by number desc limit ${limit}`;
  return rows.map((row) => fromRow(db, row));
}

export async function findLastCheckpoint(db: Db): Promise<Checkpoint | undefined> {
  return (await listLastCheckpoints(db, 1))[0];
}

/** Returns the last checkpoint whose pass left nothing to the next: it covered all older entries. */
export async function findLastComplete(db: Db): Promise<Checkpoint | undefined> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from audit_checkpoints where is_complete order by number desc limit 1`;
  return row && fromRow(db, row);
}

const pageSize = 5_000;

/** Reads all checkpoints in order, page by page. */
export async function* readCheckpoints(db: Db): AsyncIterable<Checkpoint> {
  for (let after = 0, isLast = false; !isLast; ) {
    const rows: Row[] = await db<Row[]>`
      select ${columns(db)} from audit_checkpoints where number > ${after} order by number limit ${pageSize}`;
    yield* rows.map((row) => fromRow(db, row));
    after = rows.at(-1)?.number ?? after;
    isLast = rows.length < pageSize;
  }
}

/** Adds a checkpoint as the owner, marking chains in the same transaction. */
export async function addCheckpoint(db: Db, checkpoint: Checkpoint): Promise<void> {
  const { number, madeAt, chains, entries, marksSum, isComplete, acceptedBecause, mac } = checkpoint;
  await db`
    select add_audit_checkpoint(${number}, ${madeAt}, ${chains}, ${entries}, ${marksSum}, ${isComplete}, ${acceptedBecause}, ${mac})`;
}

/** A chain as far as checked, with its mark. */
export interface ChainMark {
  supporterId: string;
  seq: number;
  mark: Buffer;
}

export async function markChains(db: Db, marks: ChainMark[]): Promise<void> {
  await db`
    select mark_audit_chains(${marks.map(({ supporterId }) => supporterId)}::uuid[], ${marks.map(({ seq }) => seq)}::bigint[],
      ${marks.map(({ mark }) => mark.toString('hex'))}::text[])`;
}

/** A chain with unmarked links, and the state of those. */
export interface ChangedChain {
  supporterId: string;
  seq: number;
  hash: Uint8Array;
  markedSeq: number;
  mark: Uint8Array;
  /** Hash of the marked link; null if it is gone. */
  markedHash: Uint8Array | null;
  /** True if new links follow one another to the head. */
  isWhole: boolean;
  /** True if each new entry is as it was written. */
  isAsWritten: boolean;
  earliest: Date | null;
  latest: Date | null;
}

/** Reads chains with new links in order, page by page. */
export async function* readChangedChains(
  db: Db,
  size: number,
): AsyncIterable<{ page: ChangedChain[]; isLast: boolean }> {
  let after: string | null = null;
  for (let isLast = false; !isLast; ) {
    const page: ChangedChain[] = await listChangedChains(db, after, size);
    after = page.at(-1)?.supporterId ?? null;
    isLast = page.length < size;
    yield { page, isLast };
  }
}

/** Lists chains with new links after the given one; only new links and their entries are read. */
async function listChangedChains(db: Db, after: string | null, limit: number): Promise<ChangedChain[]> {
  const rows = await db<ChangedChain[]>`
    with chain as materialized (
      select * from audit_heads
      where not is_marked and (${after}::uuid is null or supporter_id > ${after}) order by supporter_id limit ${limit}
    ), link as (
      select link.*, chain.marked_seq, lag(link.hash, 1, '') over following as before,
        log.at, log.id is not null and link.hash is not distinct from
          audit_entry_hash(link.previous, link.seq, log.supporter_id, log.id, log.at, log.actor, log.action, log.details) as is_as_written
      from chain join audit_links link on link.supporter_id = chain.supporter_id
        and link.seq between chain.marked_seq and chain.seq
      left join audit_log log on log.supporter_id = link.supporter_id and log.id = link.id
      window following as (partition by link.supporter_id order by link.seq)
    ), looked_at as (
      select supporter_id, count(*) filter (where seq > marked_seq) as links, (array_agg(hash order by seq desc))[1] as last,
        bool_and(previous = before or seq <= marked_seq) as follows,
        bool_and(is_as_written or seq <= marked_seq) as is_as_written,
        min(at) filter (where seq > marked_seq) as earliest, max(at) filter (where seq > marked_seq) as latest,
        (array_agg(hash) filter (where seq = marked_seq))[1] as marked_hash
      from link group by supporter_id
    )
    select supporter_id as "supporterId", chain.seq, chain.hash, chain.marked_seq as "markedSeq", chain.mark,
      marked_hash as "markedHash", coalesce(follows and last = hash and links = chain.seq - chain.marked_seq, false) as "isWhole",
      coalesce(is_as_written, false) as "isAsWritten", earliest, latest
    from chain left join looked_at using (supporter_id) order by supporter_id`;
  return [...rows];
}

export async function countUnmarked(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) as count from audit_heads where not is_marked`;
  return row?.count ?? 0;
}

/** A chain's mark and the hash of the marked link. */
export interface MarkedChain {
  supporterId: string;
  seq: number;
  markedSeq: number;
  mark: Uint8Array;
  hash: Uint8Array | null;
}

const chainWithMark = (db: Db) => db`
  select head.supporter_id as "supporterId", head.seq, marked_seq as "markedSeq", mark, link.hash
  from audit_heads head
  left join audit_links link on link.supporter_id = head.supporter_id and link.seq = marked_seq
  where marked_seq > 0`;

/** Reads page by page in the order of ids, each page after the last id of the one before. */
async function* pagesAfter<Row extends { supporterId: string }>(
  list: (after: string | null) => PromiseLike<readonly Row[]>,
): AsyncIterable<readonly Row[]> {
  for (let page = await list(null); page.length > 0; page = await list(page.at(-1)?.supporterId ?? null)) yield page;
}

/** Reads the marks of all chains, page by page: a cursor would be one statement, which an API ends after a minute. */
export async function* readMarks(db: Db): AsyncIterable<MarkedChain> {
  const pages = pagesAfter(
    (after) => db<MarkedChain[]>`
      ${chainWithMark(db)} and (${after}::uuid is null or head.supporter_id > ${after})
      order by head.supporter_id limit ${pageSize}`,
  );
  for await (const page of pages) yield* page;
}

/** Reads the marks made by other keys, page by page. */
export const readOutdatedMarks = (db: Db, keyId: Buffer) => pagesAfter((after) => listOutdatedMarks(db, keyId, after));

/** Lists a page of marks after a supporter, in the order of the primary key: no mark is read twice. */
const listOutdatedMarks = (db: Db, keyId: Buffer, after: string | null) => db<MarkedChain[]>`
  ${chainWithMark(db)} and substring(mark from 1 for ${keyId.length}::int) <> ${keyId}
    and (${after}::uuid is null or head.supporter_id > ${after}) order by head.supporter_id limit ${pageSize}`;

/** Reads the heads of all chains, page by page. */
export const readHeads = (db: Db) =>
  pagesAfter(
    (after) => db<{ supporterId: string; seq: number; hash: Uint8Array }[]>`
      select supporter_id as "supporterId", seq, hash from audit_heads
      where seq > 0 and (${after}::uuid is null or supporter_id > ${after}) order by supporter_id limit ${pageSize}`,
  );
