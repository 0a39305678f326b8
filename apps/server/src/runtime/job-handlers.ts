import { inTurn } from '#db/in-each-bucket.ts';
import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import { loadExtraClosedDays } from '#features/accounting/banking-calendar/extra-closed-days.ts';
import { type AuditLogDeps, watchAuditLog } from '#features/accounting/bookkeeping/watch-audit-log.ts';
import { followUpPayments } from '#features/accounting/payments/follow-up-payments.ts';
import { debitRunAssistant } from '#features/collections/debits/submit-debits.ts';
import { submitDonations } from '#features/collections/donations/request-donation.ts';
import {
  handleNotifications,
  listWaitingProviders,
  type NotificationDeps,
} from '#features/collections/webhooks/handle-notifications.ts';
import { watchers } from '#features/console/monitoring/situation.ts';
import type { AlarmDeps } from '#features/core/alarms/alarms.ts';
import { watchNodes } from '#features/core/alarms/watch-nodes.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { type BucketTurns, bucketTurns } from '#features/core/supporter-work/bucket-turns.ts';
import { doDueWork } from '#features/core/supporter-work/do-work.ts';
import { bankNotAnswering, withFailureLog } from '#features/core/supporter-work/with-failure-log.ts';
import { deliverEvents } from '#features/disbursements/outgoing-webhooks/deliver-events.ts';
import type { JobHandlers, Jobs } from '#jobs/queues.ts';
import { runTimetable, type TimetableDeps } from '#jobs/timetable/run-timetable.ts';
import { watchDeadLetters } from '#jobs/watch-dead-letters.ts';
import type { Provider } from '#ports/notifier.ts';
import { tasks, workOf } from '#registry.ts';
import type { Runtime } from './compose.ts';
import { composerOf } from './compose-mails.ts';
import { dependencies, taskDependencies } from './dependencies.ts';

/** Sends due emails of the outbox. */
export async function sendAllMails(runtime: Runtime, signal?: AbortSignal): Promise<void> {
  const { db, clock, log, mailer } = runtime;
  const compose = composerOf(runtime);
  const { sent, waiting, givenUp } = await sendMails({ db, clock, log, mailer, compose }, signal);
  runtime.metrics.mails.inc({ outcome: 'sent' }, sent);
  runtime.metrics.mails.inc({ outcome: 'waiting' }, waiting);
  runtime.metrics.mails.inc({ outcome: 'given_up' }, givenUp);
}

/**
 * Checks debiting, payouts, jobs, emails and the audit log each minute and alarms the operator. A silent node does not
 * delay alarms about the others' supporters; checkpoints are made for each node or fail.
 */
export async function watch(deps: AlarmDeps & AuditLogDeps): Promise<void> {
  const silent = await findSilentNodes(deps.db);
  const answering = { ...deps, db: withoutNodes(deps.db, silent) };
  const reading = [...watchers, watchDeadLetters].map((look) => () => look(answering));
  await inTurn(
    [() => watchNodes(deps, silent), ...reading, () => watchAuditLog(deps)],
    async (look) => void (await look()),
  );
}

/** Does supporters' due work; a worker keeps the turns of its buckets. */
export function doWork(runtime: Runtime, signal?: AbortSignal, turns?: BucketTurns) {
  return withFailureLog(runtime, bankNotAnswering, (onFailure) =>
    doDueWork(dependencies(runtime), workOf(taskDependencies(runtime)), onFailure, signal, turns),
  );
}

export function timetableDeps(runtime: Runtime, startedAt?: Date): TimetableDeps {
  const { db, clock, log } = runtime;
  const deps = taskDependencies(runtime, startedAt);
  return {
    db,
    clock,
    carryOut: (due, day) => tasks[due.task](deps, due, day),
    afterTasks: () => followUpPayments(deps),
    onDone: ({ task, dueAt }, result) => log.info({ task, dueAt, result }, 'a task of the timetable is done'),
    onFailure: ({ task, dueAt }, error) => log.error({ task, dueAt, err: error }, 'a task of the timetable failed'),
  };
}

/** Throws while another process holds the lock, so that the job is retried and no notification kept since is missed. */
async function handleAllNotifications(deps: NotificationDeps, provider: Provider): Promise<void> {
  const handled = await handleNotifications(deps, provider);
  if (handled === undefined) throw new Error('Another process is handling the notifications.');
}

/** Has a worker send the emails and deliver the events that are queued. */
export async function sendAndDeliver({ enqueue }: Jobs): Promise<void> {
  await enqueue.sendMails();
  await enqueue.deliverEvents();
}

export function handlersOf(runtime: Runtime, jobs: Jobs): JobHandlers {
  const deps = dependencies(runtime);
  const startedAt = runtime.clock.now();
  const turns = bucketTurns(runtime);
  const assist = debitRunAssistant(deps);
  const thenMail = async (work: Promise<unknown>) => {
    await work;
    await sendAndDeliver(jobs);
  };
  return {
    timetable: async (group, signal) => {
      await loadExtraClosedDays(runtime.db, runtime.clock);
      await runTimetable({ ...timetableDeps(runtime, startedAt), signal }, group);
      if (!signal.aborted) await sendAndDeliver(jobs);
    },
    submitDonations: () => submitDonations(deps),
    handleNotifications: (provider) => thenMail(handleAllNotifications(deps, provider)),
    watch: async () => {
      for (const provider of await listWaitingProviders(deps)) await jobs.enqueue.handleNotifications(provider);
      await thenMail(watch(runtime));
    },
    sendMails: (signal) => sendAllMails(runtime, signal),
    deliverEvents: async (signal) => (await deliverEvents(runtime, signal)).isUnfinished,
    assistDebitRun: async (signal) => {
      const assisted = await assist(signal);
      if (assisted && assisted.submitted + assisted.unknown > 0)
        runtime.log.info({ assisted }, 'debits of a run were submitted beside its leader');
    },
    doWork: async (signal) => {
      const { done } = await doWork(runtime, signal, turns);
      // A worker that stops has closed its queues; emails are sent each minute anyhow.
      if (done > 0 && !signal?.aborted) await jobs.enqueue.sendMails();
    },
  };
}
