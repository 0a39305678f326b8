import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Soon } from '#app.ts';
import type { ProductMetrics } from '#observe/product-metrics.ts';
import { observeJob, type Traced, withTrace } from './observe-job.ts';

const queues = {
  timetable: 'timetable',
  syncSupporter: 'sync-supporter',
  submitDonations: 'submit-donations',
  notifications: 'handle-notifications',
  mails: 'send-mails',
} as const;

export interface JobHandlers {
  timetable(): Promise<unknown>;
  syncSupporter(supporterId: string): Promise<unknown>;
  submitDonations(): Promise<unknown>;
  handleNotifications(): Promise<unknown>;
  sendMails(): Promise<unknown>;
}

export interface Jobs {
  soon: Soon & { sendMails(): Promise<void> };
  /** Starts doing the work, the timetable's tick each minute included. */
  work(handlers: JobHandlers): Promise<void>;
  stop(): Promise<void>;
}

/** The queues, kept in the same database by pg-boss. A job that fails is tried again with growing pauses. */
export async function openJobs(databaseUrl: string, log: Logger, metrics: ProductMetrics): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 4, schema: 'pgboss' });
  boss.on('error', (error) => log.error({ err: error }, 'a job queue failed'));
  await boss.start();
  const retry = { retryLimit: 10, retryDelay: 5, retryBackoff: true };
  for (const name of Object.values(queues)) await boss.createQueue(name, { policy: 'stately', ...retry });
  const send = async (name: string, data: object, key: string) => {
    await boss.send(name, withTrace(data), { singletonKey: key });
  };
  /** One job at a time unless `batchSize` says otherwise. */
  const work = <Data extends Traced>(
    name: string,
    options: { pollingIntervalSeconds: number; batchSize?: number },
    handle: (data: Data) => Promise<unknown>,
  ) =>
    boss.work<Data>(name, options, async (jobs) => {
      for (const { data } of jobs) await observeJob({ log, metrics }, name, data, () => handle(data));
    });
  return {
    soon: {
      syncSupporter: (supporterId) => send(queues.syncSupporter, { supporterId }, supporterId),
      submitDonations: () => send(queues.submitDonations, {}, 'all'),
      handleNotifications: () => send(queues.notifications, {}, 'all'),
      sendMails: () => send(queues.mails, {}, 'all'),
    },
    work: async (handlers) => {
      const quick = { pollingIntervalSeconds: 0.5 };
      await work(queues.timetable, { pollingIntervalSeconds: 2 }, handlers.timetable);
      await work<Traced & { supporterId: string }>(queues.syncSupporter, { ...quick, batchSize: 5 }, (data) =>
        handlers.syncSupporter(data.supporterId),
      );
      await work(queues.submitDonations, quick, handlers.submitDonations);
      await work(queues.notifications, quick, handlers.handleNotifications);
      await work(queues.mails, { pollingIntervalSeconds: 1 }, handlers.sendMails);
      await boss.schedule(queues.mails, '* * * * *');
      await boss.schedule(queues.timetable, '* * * * *', {}, { tz: 'Australia/Sydney' });
      await boss.send(queues.timetable, {}, { singletonKey: 'all' });
    },
    stop: () => boss.stop({ graceful: true, timeout: 4_000 }), // callers are answered before, and 10 s are all there is
  };
}
