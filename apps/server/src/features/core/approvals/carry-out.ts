import type { Cents } from '@sparechange/domain';
import type { Actor } from '#audit/audit-log.ts';
import { Conflict } from '#errors.ts';
import { type ApprovalDeps, NoLongerPossible, type RecordEnd, refuseRequestsOf } from './approve.ts';

/** The way an act is carried out: by one person up to a limit, or once a second one agreed. */
export interface HowCarriedOut {
  /** The most that one person may move alone; `carryOut` throws NeedsSecondPerson above it. */
  limit?: Cents;
  /** Records the end of the request, together with a change that is not safe twice; absent if one person is enough. */
  recordEnd?: RecordEnd;
  /** The person who asked, where another one agreed. */
  askedBy?: Actor;
  /** Returns whether somebody still waits for the result. */
  isWaitedFor?: () => boolean;
}

/** Throws NoLongerPossible for a conflict that a second person's agreement meets, as its request would meet it each time. */
export async function unlessOver<Result>(work: Promise<Result>, { recordEnd }: HowCarriedOut): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw recordEnd && error instanceof Conflict ? new NoLongerPossible(error.message) : error;
  }
}

/** Refuses the other requests about what was done, after an act whose changes are in several transactions. */
export const refuseOthers = (
  { db, clock }: ApprovalDeps,
  by: Actor,
  { act, about }: { act: string; about: object },
  because: string,
): Promise<void> =>
  db.begin((tx) => refuseRequestsOf(tx, act, { by, at: clock.now(), because, sparesUnderWay: true }, about));
