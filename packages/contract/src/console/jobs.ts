import { z } from 'zod';
import { text } from '../text.ts';
import { webhookTables } from './follows.ts';
import { consoleOperation, exampleId } from './operation.ts';
import { Paged, pageOf, pageOverServers } from './paging.ts';
import type { Role } from './roles.ts';

const instant = z.iso.datetime();
const seers: readonly Role[] = ['owner', 'finance', 'support'];

/** A job that failed too often and is no longer retried automatically. */
export const FailedJob = z.object({
  id: z.uuid(),
  queue: z.string(),
  key: z.string().describe("a supporter's id, or `all`"),
  failedAt: instant,
  attempts: z.int(),
  error: z.string().nullable(),
});
export type FailedJob = z.infer<typeof FailedJob>;

/** Lists failed jobs, the newest first; `total` counts all. */
export const listFailedJobs = consoleOperation({
  name: 'listFailedJobs',
  method: 'GET',
  path: '/jobs/failed',
  allowed: seers,
  readsOnly: true,
  follows: ['job'],
  input: Paged,
  output: pageOf(FailedJob).extend({ total: z.int() }),
});

const jobId = z.uuid();
const reason = text(200).trim().min(1, 'Please say why');

export const retryFailedJobs = consoleOperation({
  name: 'retryFailedJobs',
  method: 'POST',
  path: '/jobs/failed/retry',
  allowed: ['owner'],
  audited: ['jobId'],
  words: 'Retried failed jobs',
  input: z.object({ jobId: jobId.optional().describe('all of them without it, the newest thousand') }),
  example: { jobId: exampleId },
  output: z.object({
    retried: z.int(),
    failures: z.array(z.object({ id: z.uuid(), because: z.string() })),
    left: z.int().describe('failed jobs beyond the thousand'),
  }),
});

export const dropFailedJob = consoleOperation({
  name: 'dropFailedJob',
  method: 'POST',
  path: '/jobs/failed/drop',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['jobId', 'reason'],
  words: 'Dropped a failed job',
  input: z.object({ jobId, reason }),
  example: { jobId: exampleId, reason: 'done by hand' },
  output: z.object({}),
});

export const WorkKind = z.enum(['sync', 'consent_poll']);
export type WorkKind = z.infer<typeof WorkKind>;

/** A supporter whose work has failed for a day; it is retried with each pass only. */
export const ParkedWork = z.object({
  id: z.string(),
  supporterId: z.uuid(),
  kind: WorkKind,
  failingSince: instant,
  error: z.string().nullable(),
});
export type ParkedWork = z.infer<typeof ParkedWork>;

/** Lists supporters' parked work, the longest failing first. */
export const listParkedWork = consoleOperation({
  name: 'listParkedWork',
  method: 'GET',
  path: '/jobs/parked',
  allowed: seers,
  readsOnly: true,
  follows: ['supporter_work'],
  input: Paged,
  output: pageOverServers(ParkedWork),
});

/** Makes parked work due now: that of one supporter, or all of it. */
export const retryParkedWork = consoleOperation({
  name: 'retryParkedWork',
  method: 'POST',
  path: '/jobs/parked/retry',
  allowed: ['owner'],
  audited: ['supporterId', 'kind'],
  words: 'Tried parked work again',
  input: z.object({ supporterId: z.uuid().optional(), kind: WorkKind.optional() }),
  example: { supporterId: exampleId, kind: 'sync' },
  output: z.object({ retried: z.int() }),
});

/** Forgets parked work of one supporter until its next pass, which begins with it afresh. */
export const dropParkedWork = consoleOperation({
  name: 'dropParkedWork',
  method: 'POST',
  path: '/jobs/parked/drop',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['supporterId', 'kind', 'reason'],
  words: 'Dropped parked work',
  input: z.object({ supporterId: z.uuid(), kind: WorkKind, reason }),
  example: { supporterId: exampleId, kind: 'sync', reason: 'the account is closed' },
  output: z.object({}),
});

/** A provider by its own name, which the server knows. */
const Notifier = text(40).min(1);

/** A notification of a provider that could not be handled; it is tried again with each that comes. */
export const FailedNotification = z.object({
  id: z.string().describe("the provider's own"),
  provider: Notifier,
  receivedAt: instant,
  error: z.string(),
});
export type FailedNotification = z.infer<typeof FailedNotification>;

/** Lists notifications that could not be handled, the oldest first. */
export const listFailedNotifications = consoleOperation({
  name: 'listFailedNotifications',
  method: 'GET',
  path: '/jobs/notifications',
  allowed: seers,
  readsOnly: true,
  follows: ['notifications'],
  input: Paged,
  output: pageOf(FailedNotification),
});

/** Handles every open notification of a provider within seconds. */
export const retryNotifications = consoleOperation({
  name: 'retryNotifications',
  method: 'POST',
  path: '/jobs/notifications/retry',
  allowed: ['owner'],
  audited: ['provider'],
  words: 'Processed notifications of a provider again',
  input: z.object({ provider: Notifier }),
  example: { provider: 'zepto' },
  output: z.object({}),
});

export const dropNotification = consoleOperation({
  name: 'dropNotification',
  method: 'POST',
  path: '/jobs/notifications/drop',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['provider', 'id', 'reason'],
  words: 'Dropped a notification of a provider',
  input: z.object({ provider: Notifier, id: text(300).min(1), reason }),
  example: { provider: 'zepto', id: 'one', reason: 'it was polled' },
  output: z.object({}),
});

export const Queue = z.object({
  id: z.string().describe('its name'),
  waiting: z.int(),
  oldestAt: instant.nullable().describe('since then the longest has waited'),
});
export type Queue = z.infer<typeof Queue>;

/** Lists the queues with their waiting jobs, on one page. */
export const listQueues = consoleOperation({
  name: 'listQueues',
  method: 'GET',
  path: '/jobs/queues',
  allowed: seers,
  readsOnly: true,
  follows: ['job', 'mails', 'notifications', 'supporter_work', ...webhookTables],
  input: z.object({}),
  output: pageOverServers(Queue),
});

export const TimetableEntry = z.object({
  id: z.string().describe('the task'),
  state: z.enum(['done', 'due', 'failed', 'missed']).nullable().describe('of its last time; null if it was never due'),
  lastDueAt: instant.nullable(),
  lastDoneAt: instant.nullable(),
  nextDueAt: instant.nullable(),
  mayRunAgain: z.boolean().describe('its last run failed, and it is not retried automatically before the next one'),
});
export type TimetableEntry = z.infer<typeof TimetableEntry>;

/** Lists the timetable's tasks with their last and next time, on one page. */
export const listTimetable = consoleOperation({
  name: 'listTimetable',
  method: 'GET',
  path: '/jobs/timetable',
  allowed: seers,
  readsOnly: true,
  follows: ['timetable_runs'],
  input: z.object({}),
  output: pageOf(TimetableEntry),
});

/** Runs a task of the timetable again within a minute. */
export const runTaskAgain = consoleOperation({
  name: 'runTaskAgain',
  method: 'POST',
  path: '/jobs/timetable/run-again',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['task'],
  words: 'Ran a scheduled task again',
  input: z.object({ task: text(40) }),
  example: { task: 'sync' },
  output: z.object({}),
});
