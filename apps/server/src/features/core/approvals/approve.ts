import { printableLine, sydneyDateTime } from '@sparechange/domain';
import { type Actor, actorName, appendOperatorsAct, isSamePerson } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { awaitSessionLock, holdsNow, isLocked } from '#db/session-lock.ts';
import { Conflict, InvalidInput, NotAllowed, NotFound, Refusal } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import {
  type Approval,
  findApproval,
  findSameRequest,
  insertApproval,
  listRequestsOf,
  lockOpenOf,
  recordDecision,
  recordDone,
  recordFailure,
} from './approval-repository.ts';

export interface ApprovalDeps {
  db: Pool;
  clock: Clock;
}

/** Days after which a request without agreement lapses. */
export const approvalDays = 7;

const note = (tx: Db, { id, act, summary }: Approval, action: string, by: Actor, at: Date, more = {}) =>
  appendOperatorsAct(tx, { at, by, action, details: { approval: id, act, summary, ...more } });

/**
 * Records one person's request for an act with its exact arguments; asking again while it is open returns the same
 * request.
 */
export function askApproval(
  { db, clock }: ApprovalDeps,
  asked: Pick<Approval, 'act' | 'arguments' | 'summary'>,
  actor: Actor,
): Promise<Approval> {
  const askedAt = clock.now();
  const expiresAt = new Date(askedAt.getTime() + approvalDays * 86_400_000);
  return db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('sparechange.approvals'))`;
    const request = { ...asked, askedBy: actor, askedAt, expiresAt };
    const same = await findSameRequest(tx, request);
    if (same) return same;
    const approval = await insertApproval(tx, request);
    await note(tx, approval, 'approval asked', actor, askedAt, { arguments: JSON.stringify(asked.arguments) });
    return approval;
  });
}

/** Refuses a request that repeats another person's open one; agree to that one instead. */
export class AskedAlready extends Conflict {
  readonly approval: Approval;
  constructor(approval: Approval, askedBy: string) {
    const when = sydneyDateTime(approval.askedAt);
    super(`${printableLine(askedBy)} asked for exactly this on ${when}. You can agree to it under Today.`);
    this.approval = approval;
  }
}

async function openApproval(tx: Db, id: string): Promise<Approval> {
  const approval = await findApproval(tx, id);
  if (!approval) throw new NotFound('The request');
  if (approval.state === 'refused') throw new Conflict(approval.failure ?? 'The request was refused.');
  return approval;
}

/** Throws a refusal for people who may not agree to this request. */
export type RefuseOthers = (tx: Db, approval: Approval) => Promise<void>;

/** Records a second person's agreement. Throws NotAllowed for the requester, and Conflict for a lapsed request. */
function recordAgreement(
  { db, clock }: ApprovalDeps,
  actor: Actor,
  id: string,
  refuseOthers: RefuseOthers,
): Promise<Approval> {
  return db.begin(async (tx) => {
    const approval = await openApproval(tx, id);
    if (approval.state === 'done') return approval;
    if (isSamePerson(approval.askedBy, actor)) throw new NotAllowed('You asked for this; another person has to agree.');
    if (approval.expiresAt <= clock.now()) throw new Conflict('The request has lapsed; it has to be made again.');
    await refuseOthers(tx, approval);
    if (approval.state === 'agreed') return approval;
    const decision = { state: 'agreed' as const, by: actor, at: clock.now() };
    await recordDecision(tx, { id: approval.id, ...decision });
    await note(tx, approval, 'approval agreed', actor, decision.at, { askedBy: actorName(approval.askedBy) });
    return { ...approval, state: 'agreed', decidedBy: actor, decidedAt: decision.at };
  });
}

/** Refuses an act that can no longer be carried out; its request ends with this sentence. */
export class NoLongerPossible extends Conflict {}

/** Returns true for failures that agreeing again only repeats. */
const isForGood = (error: unknown): error is Refusal =>
  error instanceof NoLongerPossible || error instanceof NotFound || error instanceof InvalidInput;

/**
 * Records the end of an act in the transaction that carries it out. Throws Conflict if it was already carried out or
 * refused.
 */
export type RecordEnd = (tx: Db) => Promise<void>;

/**
 * Agrees to an act and carries it out once. If it fails half-way, for instance because a provider does not answer,
 * agreeing again retries it; if it can no longer be carried out, it is refused. An act that is not idempotent records
 * its end itself. Returns undefined if it was carried out before.
 */
export async function agree<Result>(
  deps: ApprovalDeps,
  actor: Actor,
  id: string,
  carryOut: (approval: Approval, recordEnd: RecordEnd) => Promise<Result>,
  refuseOthers: RefuseOthers = async () => {},
): Promise<{ approval: Approval; result: Result } | undefined> {
  const { db, clock } = deps;
  const carryOutOnce = async () => {
    const approval = await recordAgreement(deps, actor, id, refuseOthers);
    if (approval.state === 'done') return undefined;
    let isEnded = false;
    const recordEnd = async (tx: Db) => {
      if (!(await recordDone(tx, approval.id))) {
        await openApproval(tx, approval.id);
        throw new Conflict('The request was carried out already.');
      }
      await note(tx, approval, 'approved act carried out', actor, clock.now());
      isEnded = true;
    };
    try {
      const result = await carryOut(approval, recordEnd);
      if (!isEnded) await db.begin(recordEnd);
      return { approval, result };
    } catch (error) {
      if (isForGood(error)) {
        await endRequest(deps, approval, actor, error.message);
        throw new Conflict(error.message);
      }
      await recordFailure(db, approval.id, error instanceof Refusal ? error.message : 'an error of the product');
      throw error;
    }
  };
  await recordAgreement(deps, actor, id, refuseOthers); // before the wait, so that it survives the process
  return inTurnOf(db, () => awaitSessionLock(db, lockOf(id), carryOutOnce));
}

/** Names the lock held while an act is carried out. */
const lockOf = (id: string): string => `sparechange.approval ${id.toLowerCase()}`;

/** Acts that a process carries out concurrently: each holds a connection for its lock and needs more for its work. */
const maxAtOnce = 2;

/** Free turns and waiting acts of each pool. */
const turnsOf = new WeakMap<Pool, { free: number; waiting: (() => void)[] }>();

/** Runs `work` once fewer than `maxAtOnce` others are running. */
async function inTurnOf<Result>(db: Pool, work: () => Promise<Result>): Promise<Result> {
  const turns = turnsOf.get(db) ?? { free: maxAtOnce, waiting: [] };
  turnsOf.set(db, turns);
  if (turns.free > 0) turns.free -= 1;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = turns.waiting.shift();
    if (next) next();
    else turns.free += 1;
  }
}

/** Returns ids of requests whose acts are being carried out. */
export async function listUnderWay(db: Db, approvals: readonly Approval[]): Promise<Set<string>> {
  const underWay = new Set<string>();
  for (const approval of approvals) if (await isUnderWay(db, approval)) underWay.add(approval.id);
  return underWay;
}

/** Returns whether an act is being carried out. If the request is locked, none starts until the transaction ends. */
async function isUnderWay(tx: Db, { id, state }: Approval): Promise<boolean> {
  if (state !== 'agreed') return false;
  return holdsNow(tx, isLocked(tx, lockOf(id)));
}

/** Refuses a request whose act turned out to be impossible, unless it has already been refused. */
function endRequest({ db, clock }: ApprovalDeps, { id }: Approval, by: Actor, because: string): Promise<void> {
  return db.begin(async (tx) => {
    const approval = await findApproval(tx, id);
    if (approval?.state === 'agreed') await refuse(tx, approval, by, clock.now(), because);
  });
}

export interface WhyRefused {
  by: Actor;
  at: Date;
  /** A sentence for the person who wants to agree. */
  because: string;
  /** Leaves acts being carried out alone, unless they record their end in the transaction of their change. */
  sparesUnderWay?: boolean;
}

/**
 * Refuses the open requests for an act: all, or those with these arguments. Called when the subject of a request
 * changes.
 */
export async function refuseRequestsOf(
  tx: Db,
  act: string,
  { by, at, because, sparesUnderWay = false }: WhyRefused,
  about: object = {},
): Promise<void> {
  for (const approval of await lockOpenOf(tx, act, at, about))
    if (!sparesUnderWay || !(await isUnderWay(tx, approval))) await refuse(tx, approval, by, at, because);
}

/** Runs in the transaction that refuses a request, to end work waiting for it. */
export type StopWhatWaits = (tx: Db, approval: Approval, by: Actor, at: Date) => Promise<void>;

/** Records a refusal, with its reason if nobody made it by hand. */
async function refuse(tx: Db, approval: Approval, by: Actor, at: Date, because?: string): Promise<void> {
  await recordDecision(tx, { id: approval.id, state: 'refused', by, at, because });
  const { askedBy, decidedBy, failure } = approval;
  await note(tx, approval, 'approval refused', by, at, {
    askedBy: actorName(askedBy),
    ...(decidedBy ? { agreedBy: actorName(decidedBy) } : {}),
    ...(failure === null ? {} : { failure }),
    ...(because === undefined ? {} : { because }),
  });
}

/** Refuses a request, also one whose act failed; its requester may do so as well. Repeating it changes nothing. */
export function refuseApproval(
  { db, clock }: ApprovalDeps,
  actor: Actor,
  id: string,
  stopWhatWaits: StopWhatWaits,
): Promise<void> {
  return db.begin(async (tx) => {
    const approval = await findApproval(tx, id);
    if (!approval) throw new NotFound('The request');
    if (approval.state === 'refused') return;
    if (approval.state === 'done') throw new Conflict('The request was carried out already.');
    if (await isUnderWay(tx, approval))
      throw new Conflict('The request was agreed to already, and is being carried out.');
    const at = clock.now();
    await refuse(tx, approval, actor, at);
    await stopWhatWaits(tx, approval, actor, at);
  });
}

interface Withdrawal {
  asker: Actor;
  by: Actor;
  at: Date;
  /** A sentence for the person who wants to agree. */
  because: string;
  /** Returns true if the requester may still ask for it. */
  mayAskFor?: (approval: Approval) => Promise<boolean>;
  stopWhatWaits: StopWhatWaits;
}

/** Refuses a person's requests that they may no longer make. */
export async function withdrawRequests(
  tx: Db,
  { asker, by, at, because, mayAskFor = async () => false, stopWhatWaits }: Withdrawal,
): Promise<void> {
  for (const approval of await listRequestsOf(tx, asker, at)) {
    if (await mayAskFor(approval)) continue;
    await refuse(tx, approval, by, at, because);
    await stopWhatWaits(tx, approval, by, at);
  }
}
