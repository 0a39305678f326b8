import type { IsoDate } from '@sparechange/domain';
import { circuitBreaker } from '@sparechange/domain/circuit-breaker';
import { counted } from '@sparechange/domain/counted';
import { type DueTask, notYet } from '@sparechange/domain/timetable';
import type { Logger } from 'pino';
import type { Pool } from '#db/connect.ts';
import { inEachBucket, sumsOf } from '#db/in-each-bucket.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { enqueuePass, type OnFailure } from '#features/core/supporter-work/do-work.ts';
import { bankNotAnswering, withFailureLog } from '#features/core/supporter-work/with-failure-log.ts';
import { hasUntriedPolls } from '#features/core/supporter-work/work-repository.ts';
import type { RemoveUser } from './close-supporter.ts';
import { removeUsersOfClosed } from './remove-users.ts';
import { type ConsentRunDeps, consentPass, followUpConsents } from './run-consents.ts';

interface FollowUpDeps extends ConsentRunDeps {
  log: Logger;
  removeUser: RemoveUser;
  /** The start of this process, whose polls follow it. */
  startedAt: Date;
}

/** Follow-up waits until every consent was polled, at most 45 minutes. */
const pollsTakeMs = 45 * 60_000;

/** Raises an alarm for supporters whose consents could not be followed up, and not because of a provider. */
const alarmFaults = (deps: AlarmDeps, day: IsoDate, supporters: number) =>
  raiseAlarm(deps, {
    name: 'consents_not_followed_up',
    about: day,
    sentence: `The consents of ${counted(supporters, 'supporter')} could not be followed up on ${day}: a reminder, an end, a cancelled mandate or a deletion of bank data is missing. The worker's log has the causes; it is retried daily.`,
  });

async function followUpPolled(deps: FollowUpDeps, { dueAt }: DueTask, day: IsoDate) {
  const polls = { now: deps.clock.now(), dueBy: dueAt, startedAt: deps.startedAt, withinMs: pollsTakeMs };
  const breaker = circuitBreaker(); // of all buckets
  const followUp = async (db: Pool, onFailure: OnFailure) =>
    (await hasUntriedPolls(db, polls)) ? notYet : followUpConsents({ ...deps, db }, onFailure, breaker);
  const runs = await withFailureLog(deps, bankNotAnswering, (onFailure) =>
    inEachBucket(deps.db, (db) => followUp(db, onFailure)),
  );
  const done = runs.filter((run) => run !== notYet);
  if (done.length < runs.length) return notYet;
  // A user who cannot be removed does not hold up the debit run: they are tried again tomorrow.
  await inEachBucket(deps.db, (db) => removeUsersOfClosed(db, deps.clock, deps.removeUser)).catch((err) =>
    deps.log.error({ err }, 'users of closed accounts were not removed'),
  );
  const sums = sumsOf(done);
  if (sums.faults > 0) await alarmFaults(deps, day, sums.faults);
  return sums;
}

export const consentTasks = {
  'consent-poll': (deps: ConsentRunDeps, { dueAt }: DueTask) => enqueuePass(deps, { ...consentPass(deps), dueAt }),
  'consent-run': followUpPolled,
};
