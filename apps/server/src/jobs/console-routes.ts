import * as contract from '@sparechange/contract/console';
import { appendOperatorsAct } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { listFromAnswering } from '#db/silent-nodes.ts';
import { InvalidInput, NotFound, unknownPage } from '#errors.ts';
import {
  dropFailedNotification,
  listFailedNotifications,
} from '#features/collections/webhooks/failed-notifications.ts';
import {
  dropParkedWork,
  listParkedWork,
  type ParkedWork,
  retryParkedWork,
} from '#features/core/supporter-work/watch-work.ts';
import { pageOf } from '#http/page-of.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import type { Clock } from '#ports/clock.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import type { Notifiers, Provider } from '#ports/notifier.ts';
import { isUuid } from '#uuid.ts';
import { listQueues } from './list-queues.ts';
import { countDeadLetters, dropDeadLetter, listDeadLetters } from './queue-repository.ts';
import type { RetriedJobs } from './retry-dead-letters.ts';
import { listTimetable, runTaskAgain } from './timetable/list-timetable.ts';

interface JobRouteDeps {
  db: Pool;
  clock: Clock;
  /** Queues a failed job again, or all of them. */
  retryFailedJobs(id?: string): Promise<RetriedJobs & { left: number }>;
  enqueue: Enqueue;
  notifiers: Notifiers;
}

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

const cursorOf = ({ failingSince, supporterId, kind }: ParkedWork): string =>
  `${failingSince.toISOString()} ${supporterId} ${kind}`;

function parsedCursor(after: string) {
  const [, since = '', supporterId = '', kind = ''] =
    /^(\S{24}) ([0-9a-f-]{36}) (sync|consent_poll)$/.exec(after) ?? [];
  const failingSince = new Date(since);
  if (Number.isNaN(failingSince.getTime()) || !isUuid(supporterId)) throw unknownPage();
  return { failingSince, supporterId, kind };
}

function parsedJobCursor(after: string) {
  const [at = '', id = ''] = after.split(' ');
  const failedAt = new Date(at);
  if (Number.isNaN(failedAt.getTime()) || !isUuid(id)) throw unknownPage();
  return { failedAt, id };
}

function parsedNotificationCursor(after: string) {
  const receivedAt = new Date(after.slice(0, 24));
  if (Number.isNaN(receivedAt.getTime())) throw unknownPage();
  return { receivedAt, id: after.slice(25) };
}

/** Serves failed jobs, supporters' parked work, failed notifications, queues and the timetable. */
export function jobRoutes(serve: ServeConsole, deps: JobRouteDeps): void {
  const { db, clock, retryFailedJobs } = deps;
  notificationRoutes(serve, deps);

  serve.person(contract.listFailedJobs, async ({ limit, after }) => {
    const position = after === undefined ? undefined : parsedJobCursor(after);
    const jobs = await listDeadLetters(db, limit + 1, position);
    const rows = jobs.map((job) => ({ ...job, failedAt: job.failedAt.toISOString() }));
    return { ...pageOf(rows, limit, ({ failedAt, id }) => `${failedAt} ${id}`), total: await countDeadLetters(db) };
  });

  serve.person(contract.retryFailedJobs, ({ jobId }) => retryFailedJobs(jobId));

  serve.person(contract.dropFailedJob, async ({ jobId, reason }, caller) => {
    if (!(await dropDeadLetter(db, jobId))) throw new NotFound('The failed job');
    const details = { job: jobId, reason };
    await appendOperatorsAct(db, { at: clock.now(), by: consoleActor(caller), action: 'failed job dropped', details });
    return {};
  });

  serve.person(contract.listParkedWork, async ({ limit, after }) => {
    const position = after === undefined ? undefined : parsedCursor(after);
    const present = ({ lastError, ...work }: ParkedWork) => ({
      ...work,
      id: `${work.supporterId} ${work.kind}`,
      failingSince: work.failingSince.toISOString(),
      error: lastError,
    });
    return listFromAnswering(db, async (answering) => {
      const page = await listParkedWork(answering, clock.now(), limit + 1, position);
      const { rows, next } = pageOf(page, limit, cursorOf);
      return { rows: rows.map(present), next };
    });
  });

  serve.person(contract.retryParkedWork, async ({ supporterId, kind }) => ({
    retried: await retryParkedWork(db, clock.now(), { supporterId, kind }),
  }));

  serve.person(contract.dropParkedWork, async ({ supporterId, kind, reason }, caller) => {
    const at = clock.now();
    if (!(await dropParkedWork(db, at, supporterId, kind))) throw new NotFound('The parked work');
    const details = { supporter: supporterId, kind, reason };
    await appendOperatorsAct(db, { at, by: consoleActor(caller), action: 'parked work dropped', details });
    return {};
  });

  serve.person(contract.listQueues, () =>
    listFromAnswering(db, async (answering) => {
      const queues = await listQueues(answering, clock.now());
      const rows = queues.map(({ name, waiting, oldestAt }) => ({ id: name, waiting, oldestAt: instant(oldestAt) }));
      return { rows, next: null };
    }),
  );

  serve.person(contract.listTimetable, async () => {
    const entries = await listTimetable(db, clock.now());
    const rows = entries.map(({ task, state, lastDueAt, lastDoneAt, nextDueAt, mayRunAgain }) => ({
      id: task,
      state,
      lastDueAt: instant(lastDueAt),
      lastDoneAt: instant(lastDoneAt),
      nextDueAt: instant(nextDueAt),
      mayRunAgain,
    }));
    return { rows, next: null };
  });

  serve.person(contract.runTaskAgain, async ({ task }, caller) => {
    const at = clock.now();
    await runTaskAgain(db, at, task);
    const details = { task };
    await appendOperatorsAct(db, { at, by: consoleActor(caller), action: 'task of the timetable asked for', details });
    return {};
  });
}

function notificationRoutes(serve: ServeConsole, { db, clock, enqueue, notifiers }: JobRouteDeps): void {
  const refuseUnknown = (provider: Provider) => {
    if (!Object.hasOwn(notifiers, provider)) throw new InvalidInput('No provider of that name sends notifications.');
  };

  serve.person(contract.listFailedNotifications, async ({ limit, after }) => {
    const position = after === undefined ? undefined : parsedNotificationCursor(after);
    const page = await listFailedNotifications(db, limit + 1, position);
    const rows = page.map(({ receivedAt, failure, ...notification }) => ({
      ...notification,
      receivedAt: receivedAt.toISOString(),
      error: failure,
    }));
    return pageOf(rows, limit, ({ receivedAt, id }) => `${receivedAt} ${id}`);
  });

  serve.person(contract.retryNotifications, async ({ provider }) => {
    refuseUnknown(provider);
    await enqueue.handleNotifications(provider);
    return {};
  });

  serve.person(contract.dropNotification, async ({ provider, id, reason }, caller) => {
    refuseUnknown(provider);
    const at = clock.now();
    if (!(await dropFailedNotification(db, at, provider, id))) throw new NotFound('The notification');
    const details = { provider, notification: id, reason };
    await appendOperatorsAct(db, { at, by: consoleActor(caller), action: 'notification dropped', details });
    return {};
  });
}
