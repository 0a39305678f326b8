import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Soon } from '#app.ts';

const queues = {
  timetable: 'timetable',
  syncSupporter: 'sync-supporter',
  submitDebits: 'submit-debits',
  notifications: 'handle-notifications',
  mails: 'send-mails',
} as const;

export interface JobHandlers {
  timetable(): Promise<unknown>;
  syncSupporter(supporterId: string): Promise<unknown>;
  submitDebits(): Promise<unknown>;
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
export async function openJobs(databaseUrl: string, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 4, schema: 'pgboss' });
  boss.on('error', (error) => log.error({ err: error }, 'a job queue failed'));
  await boss.start();
  const retry = { retryLimit: 10, retryDelay: 5, retryBackoff: true };
  for (const name of Object.values(queues)) await boss.createQueue(name, { policy: 'stately', ...retry });
  const send = async (name: string, data: object, key: string) => {
    await boss.send(name, data, { singletonKey: key });
  };
  return {
    soon: {
      syncSupporter: (supporterId) => send(queues.syncSupporter, { supporterId }, supporterId),
      submitDebits: () => send(queues.submitDebits, {}, 'all'),
      handleNotifications: () => send(queues.notifications, {}, 'all'),
      sendMails: () => send(queues.mails, {}, 'all'),
    },
    work: async (handlers) => {
      const quick = { pollingIntervalSeconds: 0.5 };
      await boss.work(queues.timetable, { pollingIntervalSeconds: 2 }, handlers.timetable);
      await boss.work<{ supporterId: string }>(queues.syncSupporter, { ...quick, batchSize: 5 }, async (jobs) => {
        for (const job of jobs) await handlers.syncSupporter(job.data.supporterId);
      });
      await boss.work(queues.submitDebits, quick, handlers.submitDebits);
      await boss.work(queues.notifications, quick, handlers.handleNotifications);
      await boss.work(queues.mails, { pollingIntervalSeconds: 1 }, handlers.sendMails);
      await boss.schedule(queues.mails, '* * * * *');
      await boss.schedule(queues.timetable, '* * * * *', {}, { tz: 'Australia/Sydney' });
      await boss.send(queues.timetable, {}, { singletonKey: 'all' });
    },
    stop: () => boss.stop({ graceful: true, timeout: 8_000 }),
  };
}
