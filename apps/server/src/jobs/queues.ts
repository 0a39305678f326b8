import { retryPlans } from '@sparechange/domain/retry-plan';
import { type TaskGroup, taskGroups } from '@sparechange/domain/timetable';
import { type JobResult, type JobWithMetadata, PgBoss, type WorkOptions } from 'pg-boss';
import type { Logger } from 'pino';
import type { Enqueue } from '#ports/enqueue.ts';
import { type Notifiers, notifierOf, type Provider } from '#ports/notifier.ts';
import { limitRepeatedLines } from '#repeated-lines.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { observeJob, type Traced, withTrace } from './observe-job.ts';
import { deadLetterQueue, dropDone, isRetryWaiting } from './queue-repository.ts';
import { queueSettings } from './queue-settings.ts';
import { type Repeated, repeat } from './repeat.ts';

const queues = {
  timetable: 'timetable',
  timetableSettlement: 'timetable-settlement',
  timetableBooks: 'timetable-books',
  submitDonations: 'submit-donations',
  mails: 'mails',
  webhooks: 'webhooks',
  watch: 'watch',
} as const;

/** Seconds of silence after which a job fails and restarts. */
const heartbeatSeconds = 60;
/** Time that a live worker may take. */
const expireInSeconds = 12 * 3_600;
const queueOfGroup: Record<TaskGroup, string> = {
  runs: queues.timetable,
  settlement: queues.timetableSettlement,
  books: queues.timetableBooks,
};
const yearInSeconds = 365 * 86_400;
/** Completes or fails each job of a batch separately. */
const eachJob = { perJobResults: true, includeMetadata: true } as const;

export interface JobHandlers {
  /** Does a group's tasks until the process stops. */
  timetable(group: TaskGroup, signal: AbortSignal): Promise<unknown>;
  submitDonations(): Promise<unknown>;
  handleNotifications(provider: Provider): Promise<unknown>;
  /** Ends early once the process stops. */
  sendMails(signal: AbortSignal): Promise<unknown>;
  /** Delivers events; returns true where more are due. */
  deliverEvents(signal: AbortSignal): Promise<boolean>;
  watch(): Promise<unknown>;
  /** Does supporters' work that is due; called again a second after it ended. */
  doWork(signal?: AbortSignal): Promise<unknown>;
  /** Submits debits beside the worker that leads a run; called again a second after it ended. */
  assistDebitRun(signal: AbortSignal): Promise<unknown>;
}

export interface Jobs {
  enqueue: Enqueue & { deliverEvents(): Promise<void> };
  /** Starts doing the work, the timetable's tick each minute included. */
  work(handlers: JobHandlers): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Seconds between two counts of the jobs by pg-boss. A `stately` queue takes no job of a key that was active at the
 * last count: with the default of a minute, a job that arrived in between waited for up to two.
 */
const countEverySeconds = 5;

/**
 * Queues filled by the clock alone. They are looked at in their own time: told of its jobs at the same moment, the
 * timetable and the minute's donations would meet at the lock of payouts.
 */
const byClock: readonly string[] = [...Object.values(queueOfGroup), queues.submitDonations, queues.watch];

/** Other queues are looked at each few seconds for jobs that wait for their retry; the server tells of every new one. */
const lookEvery = { notifyPollingIntervalSeconds: 5 };

interface JobOptions {
  /** Listens for new jobs, over a connection of its own; a process that only gives jobs need not. */
  isWorker?: boolean;
}

/** The queues, kept in the same database by pg-boss. A job that fails is tried again with growing pauses. */
export async function openJobs(
  databaseUrl: string,
  log: Logger,
  metrics: ProductMetrics,
  notifiers: Notifiers,
  { isWorker = true }: JobOptions = {},
): Promise<Jobs> {
  const names = [...Object.values(queues), ...Object.values(notifiers).map(({ queue }) => queue)];
  for (const queue of names) metrics.jobs.inc({ queue, outcome: 'failed' }, 0);
  const boss = new PgBoss({
    ...queueSettings(databaseUrl),
    max: 4,
    useListenNotify: isWorker,
    superviseIntervalSeconds: countEverySeconds,
    monitorIntervalSeconds: countEverySeconds,
    queueCacheIntervalSeconds: countEverySeconds,
  });
  const loops: Repeated[] = [];
  const limitLines = limitRepeatedLines();
  const stopping = new AbortController();
  boss.on('error', (error) =>
    limitLines((error as { code?: string }).code ?? error.message, (leftOut) =>
      log.error({ err: error, leftOut }, 'a job queue failed'),
    ),
  );
  await boss.start();
  await prepareQueues(boss, names);
  const send = async (name: string, data: object, key: string) => {
    await boss.send(name, withTrace(data), { singletonKey: key });
  };
  /** Takes the jobs of a queue, one at a time. */
  const work = (name: string, options: { pollingIntervalSeconds: number }, handle: () => Promise<unknown>) =>
    boss.work<Traced, unknown, WorkOptions & typeof eachJob>(
      name,
      { ...options, ...lookEvery, ...eachJob },
      async (jobs) => {
        const results: JobResult[] = [];
        for (const job of jobs) {
          const { id, data } = job;
          const ended = observeJob({ log, metrics }, name, data, handle);
          const result = await ended.then(() => ({ id, status: 'completed' as const }), failureOf(id));
          if (result.status === 'failed') await cancelIfRetried(boss, name, job);
          results.push(result);
        }
        await dropWhatWasDone(boss, name, jobs, results).catch((err) =>
          log.error({ queue: name, err }, 'dead letters whose work is done are still listed'),
        );
        return results;
      },
    );
  const enqueue: Jobs['enqueue'] = {
    handleNotifications: async (provider) => send(notifierOf(notifiers, provider).queue, {}, 'all'),
    sendMails: () => send(queues.mails, {}, 'all'),
    deliverEvents: () => send(queues.webhooks, {}, 'all'),
  };
  return {
    enqueue,
    work: async (handlers) => {
      const quick = { pollingIntervalSeconds: 0.5 };
      for (const group of taskGroups)
        await work(queueOfGroup[group], { pollingIntervalSeconds: 2 }, () =>
          handlers.timetable(group, stopping.signal),
        );
      await work(queues.submitDonations, quick, handlers.submitDonations);
      for (const [provider, { queue }] of Object.entries(notifiers))
        await work(queue, quick, () => handlers.handleNotifications(provider));
      await work(queues.mails, { pollingIntervalSeconds: 1 }, () => handlers.sendMails(stopping.signal));
      await work(queues.webhooks, { pollingIntervalSeconds: 2 }, async () => {
        if (await handlers.deliverEvents(stopping.signal)) await enqueue.deliverEvents();
      });
      await work(queues.watch, { pollingIntervalSeconds: 2 }, handlers.watch);
      await boss.schedule(queues.submitDonations, '* * * * *'); // whose time to be undone is over
      await boss.schedule(queues.mails, '* * * * *');
      await boss.schedule(queues.webhooks, '* * * * *');
      await boss.schedule(queues.watch, '* * * * *');
      for (const group of taskGroups) {
        await boss.schedule(queueOfGroup[group], '* * * * *', {}, { tz: 'Australia/Sydney' });
        await boss.send(queueOfGroup[group], {}, { singletonKey: 'all' });
      }
      loops.push(
        repeat(handlers.doWork, (err) => log.error({ err }, 'supporters’ work failed')),
        repeat(handlers.assistDebitRun, (err) => log.error({ err }, 'a debit run was not assisted')),
      );
    },
    stop: async () => {
      stopping.abort();
      // Callers are answered before, and 10 s are all there is.
      await Promise.all([...loops.map((loop) => loop.stop()), boss.stop({ graceful: true, timeout: 4_000 })]);
    },
  };
}

/**
 * Queues of earlier versions that nothing works off any more. `handle-notifications` and `sync-supporter` join them once
 * the version before this one leaves them alone too: its worker would log an error each half second.
 */
const formerQueues = ['send-mails'];

/**
 * Makes the queues or updates those of an earlier version. All processes may send emails concurrently, and one does
 * each other work.
 */
async function prepareQueues(boss: PgBoss, names: string[]): Promise<void> {
  const { job } = retryPlans;
  await boss.createQueue(deadLetterQueue, { retentionSeconds: yearInSeconds });
  for (const name of names) {
    const limits = { expireInSeconds, heartbeatSeconds, deadLetter: deadLetterQueue };
    const retries = { retryLimit: job.maxTries - 1, retryDelay: job.firstMs / 1_000, retryBackoff: true };
    const options = { ...retries, ...limits, notify: !byClock.includes(name) };
    await boss.createQueue(name, {
      policy: name === queues.mails || name === queues.webhooks ? 'short' : 'stately',
      ...options,
    });
    await boss.updateQueue(name, options);
  }
  for (const name of formerQueues) await boss.deleteQueue(name);
}

const maxMessageLength = 500;

const failureOf =
  (id: string) =>
  (error: unknown): JobResult => {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { id, status: 'failed', output: { name, message: message.slice(0, maxMessageLength) } };
  };

/**
 * Cancels a failed job while an earlier one of its key waits for its retry, which does the work. A `stately` queue lets
 * one job of a key wait so: pg-boss would give up the later one immediately, as if its retries had ended.
 */
async function cancelIfRetried(
  boss: PgBoss,
  queue: string,
  { id, singletonKey }: Pick<JobWithMetadata, 'id' | 'singletonKey'>,
): Promise<void> {
  if (await isRetryWaiting(boss.getDb(), queue, singletonKey)) await boss.cancel(queue, id);
}

/** Drops dead letters whose work a later job has done. */
async function dropWhatWasDone(
  boss: PgBoss,
  queue: string,
  jobs: Pick<JobWithMetadata, 'id' | 'singletonKey' | 'startedOn'>[],
  results: JobResult[],
): Promise<void> {
  const completed = new Set(results.filter(({ status }) => status === 'completed').map(({ id }) => id));
  const done = jobs
    .filter(({ id }) => completed.has(id))
    .map(({ singletonKey: key, startedOn }) => ({ key, startedOn }));
  if (done.length > 0) await dropDone(boss.getDb(), queue, done);
}
