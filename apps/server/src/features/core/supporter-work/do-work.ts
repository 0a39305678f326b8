import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '@sparechange/domain/counted';
import { afterFailedTry, retryPlans } from '@sparechange/domain/retry-plan';
import type { Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { type Breaker, bankLinkBreaker } from '#features/core/breakers/bank-link-breaker.ts';
import type { Clock } from '#ports/clock.ts';
import { NoFreeTurn, ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { bucketTurns } from './bucket-turns.ts';
import { causeOf } from './failure-tally.ts';
import { workEnds } from './work-ends.ts';
import {
  beforeEverybody,
  type Claim,
  claimDue,
  claimPage,
  enqueuePage,
  type NextTryOfWork,
  type Pass,
  type WorkKind,
} from './work-repository.ts';

export type OnFailure = (supporterId: string, error: Error) => void;

/** Does one kind of work for a supporter (idempotent), and returns whether the provider was called. */
export type Work = (supporterId: string) => Promise<'asked' | 'not asked'>;

export interface WorkDeps {
  db: Pool;
  clock: Clock;
  /** Supporters worked on at the same time by this process. */
  callsInFlight: number;
}

export interface WorkDone {
  done: number;
  failed: number;
}

const pageSize = 1_000;
/** Faults of ours that are thrown together. */
const maxFaults = 10;
const lookAgainMs = 1_000;
/** Time after which a worker that never runs out of work ends, so that its caller reports. */
const claimForMs = 60_000;

/** Marks everybody in a pass as due and returns how many were not; repeating it for the same moment changes nothing. */
export async function enqueuePass({ db, clock }: Pick<WorkDeps, 'db' | 'clock'>, pass: Pass) {
  const enqueued = await inEachBucket(db, async (bucket) => {
    const counts: number[] = [];
    for await (const page of pagesOfPass(bucket, pass, clock)) counts.push(page.enqueued);
    return sum(counts);
  });
  return { supporters: sum(enqueued) };
}

const sum = (counts: number[]): number => counts.reduce((one, other) => one + other, 0);

/** Enqueues a bucket's supporters page by page. */
async function* pagesOfPass(bucket: Pool, pass: Pass, clock: Clock) {
  for (let after = beforeEverybody; ; ) {
    const page = await enqueuePage(bucket, pass, clock.now(), after, pageSize);
    yield page;
    if (!page.last || page.count < pageSize) return;
    after = page.last;
  }
}

/**
 * Does due work alongside any number of other processes, until none is left. Failed work is retried later; a process
 * that dies costs only its work in hand (docs/decisions/work-and-timetable.md#work-per-supporter). With a signal it
 * keeps looking while calls are in flight, and claims nothing more after a minute. A failing bucket does not deprive
 * others of their turns, and its failure is thrown at the end.
 */
export async function doDueWork(
  deps: WorkDeps,
  works: Record<WorkKind, Work>,
  onFailure: OnFailure,
  signal?: AbortSignal,
  turns = bucketTurns(deps),
): Promise<WorkDone> {
  const { clock } = deps;
  const breaker = bankLinkBreaker(deps);
  const claimUntil = signal ? clock.now().getTime() + claimForMs : Number.POSITIVE_INFINITY;
  const claimNext: ClaimNext = async (free, isIdle, onFault) => {
    if (clock.now().getTime() > claimUntil) return { claims: [], isOver: true };
    const state = await breaker.look();
    const isProbe = state === 'half_open';
    const limit = isProbe && isIdle ? 1 : state === 'closed' ? free : 0;
    const claimIn = (bucket: Pool, most: number) => claimDue(bucket, clock.now(), most, isProbe);
    const claims = await turns.take(limit, claimIn, onFault);
    return { claims, isOver: claims.length === 0 };
  };
  const work = ({ kind, supporterId }: Claim) => works[kind](supporterId);
  const { done, failed } = await workThrough(deps, breaker, claimNext, work, onFailure, signal);
  return { done, failed };
}

/**
 * Does a kind of work for everybody now, in this process, except supporters in another process's hand. If the bank link
 * does not answer, the rest is left to the workers.
 */
export async function workOnEverybody(
  deps: WorkDeps,
  { kind, where }: Omit<Pass, 'dueAt'>,
  work: Work,
  onFailure: OnFailure,
): Promise<WorkDone & { leftToWorkers: number }> {
  const { db, clock } = deps;
  const pass: Pass = { kind, where, dueAt: clock.now() };
  const breaker = bankLinkBreaker(deps);
  await breaker.look();
  const left = db.inBuckets().map((bucket) => ({ bucket, after: beforeEverybody }));
  const claimNext: ClaimNext = async (free, _isIdle, onFault) => {
    const [first] = left;
    if (!first) return { claims: [], isOver: true };
    const page = await claimPage(first.bucket, pass, clock.now(), first.after, free).catch(onFault);
    first.after = page?.last ?? first.after;
    if (!page || page.count < free) left.shift();
    return { claims: page?.claims ?? [], isOver: left.length === 0 };
  };
  const workOn = ({ supporterId }: Claim) => work(supporterId);
  const { done, failed, released, isUnavailable } = await workThrough(deps, breaker, claimNext, workOn, onFailure);
  const leftToWorkers = isUnavailable ? released + (await enqueuePass(deps, pass)).supporters : 0;
  return { done, failed, leftToWorkers };
}

/** Leaves work due as before: no call was made, so no try has failed. */
const stillDue = ({ tries, failingSince, dueAt }: Claim): NextTryOfWork => ({
  tries,
  failingSince,
  parkedAt: null,
  nextTryAt: dueAt,
});

/** Counts a failed try; parked work is left to the next pass. */
function afterFailure(claim: Claim, now: Date): NextTryOfWork {
  const next = afterFailedTry(retryPlans.supporterWork, claim, now);
  return next.parkedAt ? { ...next, nextTryAt: null } : next;
}

/** Runs work in the background, never twice concurrently. */
function inBackground(work: () => Promise<void>, onFault: (error: unknown) => void) {
  const current = new Set<Promise<void>>();
  return {
    start: () => {
      if (current.size > 0) return;
      const started: Promise<void> = work()
        .catch(onFault)
        .finally(() => current.delete(started));
      current.add(started);
    },
    running: () => [...current],
  };
}

/**
 * Claims at most `free` supporters; `isOver` is set if nobody more is due for now. A failing bucket does not deprive
 * others of their turns.
 */
type ClaimNext = (
  free: number,
  isIdle: boolean,
  onFault: (error: unknown) => undefined,
) => Promise<{ claims: Claim[]; isOver: boolean }>;

/** Collects faults of ours to be thrown together: the first ones, and the number of all. */
function tallyFaults() {
  const first: Error[] = [];
  const all = { count: 0 };
  return {
    add: (fault: Error) => {
      all.count += 1;
      if (first.length < maxFaults) first.push(fault);
    },
    throwAny: () => {
      if (all.count > 0) throw new AggregateError(first, `work failed for ${counted(all.count, 'supporter')}`);
    },
  };
}

/** Supporters are claimed and recorded in batches of this share of the calls in flight, to save statements. */
const batchShare = 1 / 8;

/**
 * Keeps the allowed number of calls in flight: further supporters are claimed while others are in progress, and each
 * starts as soon as a call is free, so that calls do not come in waves. Throws faults of ours at the end.
 */
async function workThrough(
  { db, clock, callsInFlight }: WorkDeps,
  breaker: Breaker,
  claimNext: ClaimNext,
  work: (claim: Claim) => ReturnType<Work>,
  onFailure: OnFailure,
  signal?: AbortSignal,
) {
  const report = { done: 0, failed: 0, released: 0, isUnavailable: false };
  const batch = Math.floor(callsInFlight * batchShare);
  /** Claimed and not started. */
  const ready: Claim[] = [];
  const inFlight = new Set<Promise<void>>();
  const faults = tallyFaults();
  const fatalErrors: unknown[] = [];
  const bucketErrors: unknown[] = [];
  const recordFatal = (error: unknown) => void fatalErrors.push(error);
  const ends = workEnds({ db, clock });
  /** True while nobody is left to claim; somebody may fall due again. */
  let isOver = false;

  async function attempt(claim: Claim): Promise<void> {
    try {
      const asked = await work(claim);
      ends.add({ claim });
      report.done += 1;
      if (asked === 'asked') await breaker.answered();
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      const next = cause instanceof NoFreeTurn ? stillDue(claim) : afterFailure(claim, clock.now());
      ends.add({ claim, next: { ...next, lastError: causeOf(cause) } });
      report.failed += 1;
      onFailure(claim.supporterId, cause);
      if (cause instanceof ProviderRefused) await breaker.answered();
      else if (!(cause instanceof ProviderUnavailable)) faults.add(cause);
      else if (await breaker.notAnswered(cause, claim.tries > 0)) report.isUnavailable = true;
    }
  }
  const begin = (claim: Claim) => {
    const begun: Promise<void> = attempt(claim)
      .catch(recordFatal)
      .finally(() => {
        inFlight.delete(begun);
        isOver = false;
        if (ends.count() >= batch || ready.length === 0) recording.start();
      });
    inFlight.add(begun);
  };
  const free = () => callsInFlight + batch - inFlight.size - ready.length;
  const claim = async () => {
    const isIdle = inFlight.size + ready.length === 0;
    const next = await claimNext(free(), isIdle, (error) => void bucketErrors.push(error));
    ready.push(...next.claims);
    isOver = next.isOver;
  };
  const claiming = inBackground(claim, recordFatal);
  const recording = inBackground(ends.record, recordFatal);
  const waiting = inBackground(async () => {
    await sleep(lookAgainMs, undefined, { ref: false });
    isOver = false;
    if (ends.count() > 0) recording.start();
  }, recordFatal);
  const mayGoOn = () => !signal?.aborted && !report.isUnavailable && fatalErrors.length === 0;

  while (mayGoOn()) {
    while (ready.length > 0 && inFlight.size < callsInFlight) begin(ready.shift() as Claim);
    if (inFlight.size > 0) {
      if (free() >= Math.max(batch, 1) && !isOver) claiming.start();
      if (signal) waiting.start();
      await Promise.race([...inFlight, ...claiming.running(), ...recording.running(), ...waiting.running()]);
      continue;
    }
    await Promise.all([...claiming.running(), ...recording.running()]);
    if (ready.length > 0) continue;
    await ends.record(); // ended work may be due again
    claiming.start();
    await Promise.all(claiming.running());
    if (ready.length === 0 && isOver) break;
  }
  await Promise.all(claiming.running());
  const notBegun = ready.splice(0);
  report.released = notBegun.length;
  await ends.release(notBegun).catch(recordFatal); // before the slowest call, for which a stopping process may not wait
  await Promise.all([...inFlight, ...recording.running()]);
  await ends.recordAtLast().catch(recordFatal);
  if (fatalErrors.length > 0) throw fatalErrors[0];
  if (bucketErrors.length > 0) throw bucketErrors[0];
  faults.throwAny();
  return report;
}
