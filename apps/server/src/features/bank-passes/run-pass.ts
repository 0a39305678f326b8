import type { Pool } from '#db/connect.ts';
import { type AlarmDeps, raiseAlarm } from '#features/alarms/alarms.ts';
import type { Clock } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { PassState } from './pass-repository.ts';
import {
  beforeEverybody,
  beginPass,
  countFailed,
  freshProgress,
  listPasses,
  listToTryAgain,
  type PassProgress,
  type PassTask,
  recordAttempts,
  savePass,
} from './pass-repository.ts';

const maxFailedShare = 0.05;

/** Few enough failures may wait for the next pass; two of a handful of supporters say nothing about the bank link. */
export const hasFailedTooOften = ({ attempted, failed }: Pick<PassState, 'attempted' | 'failed'>): boolean =>
  failed > attempted * maxFailedShare && (failed > 2 || failed === attempted);

const names = { sync: 'fetching transactions', consent_poll: 'looking at consents' };

export const passSentence = ({ task, dueAt, attempted, failed }: PassState): string =>
  `The bank link did not answer for ${failed} of ${attempted} supporters while ${names[task]} (due ${dueAt.toISOString()}). ` +
  'Only these are tried again, every few minutes, until it answers; until 09:00 a debit run waits for it.';

/** A pass that failed for too many supporters, or was stopped: it is not finished and goes on soon. */
export class PassUnfinished extends Error {
  override name = 'PassUnfinished';
  constructor(pass: PassState) {
    super(passSentence(pass));
  }
}

export type OnFailure = (supporterId: string, error: Error) => void;

export interface Pass {
  task: PassTask;
  /** When it is due: its progress is kept. Undefined for an operator's pass, which begins anew and ends with one sweep. */
  dueAt: Date | undefined;
  listAfter: (after: string, limit: number) => Promise<string[]>;
  work: (supporterId: string) => Promise<void>;
  onFailure: OnFailure;
}

interface PassDeps {
  db: Pool;
  clock: Clock;
}

const pageSize = 200;
const concurrency = 4;
/** Consecutive unanswered calls that mean the bank link is down. */
const maxUnanswered = 20;

/**
 * Looks at everybody through the bank link, a few at a time; one failure keeps nobody else waiting. Throws PassUnfinished
 * when the bank link is unavailable or failed for more than 5 % of the supporters: the next call goes on with those who are left
 * (docs/decisions/0046). Answers how many failed.
 */
export async function runPass(deps: PassDeps, pass: Pass): Promise<number> {
  const { db, clock } = deps;
  const { task, dueAt } = pass;
  const sweeper = new Sweeper(deps, pass);
  const progress = dueAt ? await beginPass(db, task, dueAt) : freshProgress();
  while (!progress.isSwept && !(dueAt && sweeper.isUnreachable)) {
    await sweepPage(sweeper, progress);
    if (dueAt) await savePass(db, task, dueAt, progress);
  }
  if (!dueAt) return sweeper.failed;
  while (!sweeper.isUnreachable) {
    const again = await listToTryAgain(db, task, { dueAt, now: clock.now(), limit: pageSize });
    if (again.length === 0) break;
    await sweeper.attempt(again);
  }
  const failed = await countFailed(db, task, dueAt);
  const { attempted } = progress;
  if (!progress.isSwept || hasFailedTooOften({ attempted, failed }))
    throw new PassUnfinished({ task, dueAt, attempted, failed });
  return failed;
}

/** Sweeps one page; wraps round to where the pass began. */
async function sweepPage(sweeper: Sweeper, progress: PassProgress): Promise<void> {
  const listed = await sweeper.pass.listAfter(progress.reached, pageSize);
  const page = progress.hasWrapped ? listed.filter((id) => id <= progress.beganAfter) : listed;
  await sweeper.attempt(page);
  progress.attempted += page.length;
  progress.reached = page.at(-1) ?? progress.reached;
  if (page.length === pageSize) return;
  if (progress.hasWrapped || progress.beganAfter === beforeEverybody) progress.isSwept = true;
  else {
    progress.hasWrapped = true;
    progress.reached = beforeEverybody;
  }
}

class Sweeper {
  readonly pass: Pass;
  failed = 0;
  private readonly deps: PassDeps;
  private unanswered = 0;

  constructor(deps: PassDeps, pass: Pass) {
    this.deps = deps;
    this.pass = pass;
  }

  get isUnreachable(): boolean {
    return this.unanswered >= maxUnanswered;
  }

  /** Works on these supporters; those who are not got to because the bank link is unavailable have failed as well. */
  async attempt(supporterIds: string[]): Promise<void> {
    const answered: string[] = [];
    const failed: string[] = [];
    const queue = supporterIds.values();
    let isOver = false; // a fault in one worker ends the others before it is thrown
    const worker = async () => {
      try {
        for (const id of queue) {
          if (isOver) return;
          ((await this.answers(id)) ? answered : failed).push(id);
        }
      } finally {
        isOver = true;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: concurrency }, worker));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    this.failed += failed.length;
    await recordAttempts(this.deps.db, this.pass.task, this.deps.clock.now(), { answered, failed });
  }

  private async answers(supporterId: string): Promise<boolean> {
    if (this.isUnreachable) return false;
    try {
      await this.pass.work(supporterId);
      this.unanswered = 0;
      return true;
    } catch (error) {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
      this.unanswered += error instanceof ProviderUnavailable ? 1 : 0;
      this.pass.onFailure(supporterId, error);
      return false;
    }
  }
}

/** Age beyond which a pass is no news. */
const newsForMs = 86_400_000;

/** Raises an alarm for a pass that the bank link fails for too many supporters, once for each pass. */
export async function watchPasses(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = deps.clock.now().getTime();
  for (const pass of await listPasses(deps.db)) {
    if (!hasFailedTooOften(pass) || now - pass.dueAt.getTime() > newsForMs) continue;
    const about = `${pass.task} ${pass.dueAt.toISOString()}`;
    await raiseAlarm(deps, { name: 'bank_link_failing', about, sentence: passSentence(pass) });
  }
}
