import type { Actor } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';

export type ApprovalState = 'asked' | 'agreed' | 'done' | 'refused';

/** An act that one person requested, and another person's decision. */
export interface Approval {
  id: string;
  /** Its code. */
  act: string;
  /** Everything needed to carry it out. */
  arguments: object;
  /** For people; no bank data. */
  summary: string;
  state: ApprovalState;
  askedBy: Actor;
  askedAt: Date;
  expiresAt: Date;
  decidedBy: Actor | null;
  decidedAt: Date | null;
  /** Reason why the last attempt to carry it out failed. */
  failure: string | null;
}

export type NewApproval = Pick<Approval, 'act' | 'arguments' | 'summary' | 'askedBy' | 'askedAt' | 'expiresAt'>;

const columns = (db: Db) => db`
  id, act, arguments, summary, state, asked_at as "askedAt", expires_at as "expiresAt", decided_at as "decidedAt", failure,
  jsonb_build_object('kind', asked_by_kind, 'id', asked_by) as "askedBy",
  case when decided_by is not null then jsonb_build_object('kind', decided_by_kind, 'id', decided_by) end as "decidedBy"`;

const isOpen = (db: Db, now: Date) => db`(state in ('asked', 'agreed') and expires_at > ${now})`;

const isOf = (db: Db, acts: readonly string[] | null) => db`(${acts}::text[] is null or act = any(${acts}))`;

interface Listed {
  now: Date;
  limit: number;
  isOpenOnly?: boolean;
  /** Leaves out requests decided earlier. */
  decidedSince?: Date;
  /** Leaves out requests that lapsed earlier. */
  lapsedSince?: Date;
  /** Acts to list; all if absent. */
  acts?: readonly string[] | undefined;
}

const ever = new Date(0);

/** Lists open requests, newest first, followed by the most recent of the others. */
export function listApprovals(db: Db, listed: Listed) {
  const { now, limit, isOpenOnly = false, decidedSince = ever, lapsedSince = ever, acts } = listed;
  const isOver = db`case when state in ('done', 'refused') then decided_at > ${decidedSince} else expires_at > ${lapsedSince} end`;
  return db<Approval[]>`
    select ${columns(db)} from approvals
    where (${isOpen(db, now)} or (not ${isOpenOnly} and ${isOver})) and ${isOf(db, acts ?? null)}
    order by ${isOpen(db, now)} desc, asked_at desc, id desc limit ${limit}`;
}

/** Lists a person's unanswered requests; an agreed request is carried out by agreeing again. */
export const listRequestsOf = (db: Db, { kind, id }: Actor, now: Date) => db<Approval[]>`
  select ${columns(db)} from approvals
  where asked_by_kind = ${kind}::actor_kind and asked_by = ${id} and state = 'asked' and expires_at > ${now} for update`;

/**
 * Selects the arguments of an act whose requests all came to nothing: refused, or lapsed before they were carried out.
 */
export const requestsThatEnded = (db: Db, act: string, now: Date) => db`
  select arguments from approvals where act = ${act} group by arguments
  having not bool_or(state = 'done' or ${isOpen(db, now)})`;

/**
 * Returns when the request for an act lapses unless somebody agrees; undefined if there is no request or it is decided.
 */
export async function findExpiry(
  db: Db,
  { act, arguments: args }: Pick<Approval, 'act' | 'arguments'>,
): Promise<Date | undefined> {
  const [asked] = await db<{ at: Date | null }[]>`
    select max(expires_at) as at from approvals
    where act = ${act} and arguments = ${db.json(args)} and state in ('asked', 'agreed')`;
  return asked?.at ?? undefined;
}

/** Counts these acts' requests awaiting a second person, or all. */
export async function countOpenApprovals(db: Db, now: Date, acts?: readonly string[]): Promise<number> {
  const [open] = await db<{ count: number }[]>`
    select count(*)::int as count from approvals where ${isOpen(db, now)} and ${isOf(db, acts ?? null)}`;
  return open?.count ?? 0;
}

/** Returns the number of waiting requests left out of a list that was cut to the newest. */
export function countLeftOut(open: number, listed: readonly Approval[], now: Date): number {
  const listedOpen = listed.filter(
    ({ state, expiresAt }) => (state === 'asked' || state === 'agreed') && expiresAt > now,
  );
  return Math.max(0, open - listedOpen.length);
}

export async function findApproval(db: Db, id: string): Promise<Approval | undefined> {
  const [approval] = await db<
    Approval[]
  >`select ${columns(db)} from approvals where id::text = lower(${id}) for update`;
  return approval;
}

/** Finds an open request for exactly this act. */
export async function findSameRequest(db: Db, { act, arguments: args, askedAt }: NewApproval) {
  const [approval] = await db<Approval[]>`
    select ${columns(db)} from approvals
    where act = ${act} and arguments = ${db.json(args)} and state = 'asked' and expires_at > ${askedAt}`;
  return approval;
}

/** Locks and lists the waiting requests for an act: all, or those whose arguments include these. */
export const lockOpenOf = (tx: Db, act: string, now: Date, about: object) => tx<Approval[]>`
  select ${columns(tx)} from approvals
  where act = ${act} and arguments @> ${tx.json({ ...about })} and ${isOpen(tx, now)} order by id for update`;

export async function insertApproval(db: Db, asked: NewApproval): Promise<Approval> {
  const [approval] = await db<Approval[]>`
    insert into approvals (act, arguments, summary, asked_by_kind, asked_by, asked_at, expires_at)
    values (${asked.act}, ${db.json(asked.arguments)}, ${asked.summary}, ${asked.askedBy.kind}::actor_kind, ${asked.askedBy.id},
      ${asked.askedAt}, ${asked.expiresAt})
    returning ${columns(db)}`;
  if (!approval) throw new Error('The request was not recorded.');
  return approval;
}

interface Decision {
  id: string;
  state: 'agreed' | 'refused';
  by: Actor;
  at: Date;
  /** Reason for a refusal that nobody made by hand. */
  because?: string | undefined;
}

/** Records a second person's decision, or why an act is no longer carried out. */
export const recordDecision = (db: Db, { id, state, by, at, because }: Decision) => db`
  update approvals set state = ${state}::approval_state, decided_by_kind = ${by.kind}::actor_kind, decided_by = ${by.id},
    decided_at = ${at}, failure = ${because ?? null}
  where id = ${id}`;

/** Records that an act was carried out; returns false if that is recorded already or the request has been refused. */
export async function recordDone(db: Db, id: string): Promise<boolean> {
  const changed = await db`update approvals set state = 'done', failure = null where id = ${id} and state = 'agreed'`;
  return changed.count > 0;
}

/** Returns whether a second person has ever agreed to an act that was carried out. */
export async function hasSecondPerson(db: Db): Promise<boolean> {
  const done = await db`select from approvals where state = 'done' limit 1`;
  return done.length > 0;
}

/** Records why an agreed act failed. */
export const recordFailure = (db: Db, id: string, failure: string) => db`
  update approvals set failure = ${failure} where id = ${id} and state = 'agreed'`;
