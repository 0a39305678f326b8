import { addDays, type IsoDate } from '@sparechange/domain';
import { circuitBreaker } from '@sparechange/domain/circuit-breaker';
import { counted } from '@sparechange/domain/counted';
import { comesAgain } from '@sparechange/domain/timetable';
import type { Pool } from '#db/connect.ts';
import { inEachBucket, inTurn, sumsOf } from '#db/in-each-bucket.ts';
import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import { loadExtraClosedDays } from '#features/accounting/banking-calendar/extra-closed-days.ts';
import { auditByNight } from '#features/accounting/bookkeeping/nightly-audit.ts';
import { reconcileByNight } from '#features/accounting/bookkeeping/nightly-reconciliation.ts';
import { type AuditLogDeps, watchAuditLog } from '#features/accounting/bookkeeping/watch-audit-log.ts';
import { resubmitPayments } from '#features/accounting/payments/decide-payment.ts';
import { watchParked } from '#features/accounting/payments/parked-payments.ts';
import { pollMandates } from '#features/collections/debits/check-mandates.ts';
import { runDueDebits } from '#features/collections/debits/run-debits.ts';
import { debitRunAssistant } from '#features/collections/debits/submit-debits.ts';
import { submitDonations } from '#features/collections/donations/request-donation.ts';
import { queueDebitNotices } from '#features/collections/next-debit/queue-debit-notices.ts';
import { watchOverdue } from '#features/collections/outcomes/overdue-payments.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import {
  handleNotifications,
  listWaitingProviders,
  type NotificationDeps,
} from '#features/collections/webhooks/handle-notifications.ts';
import { watchers } from '#features/console/monitoring/situation.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { watchNodes } from '#features/core/alarms/watch-nodes.ts';
import { identityChecksFor } from '#features/core/ledger/checks-of-identity.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { type BucketTurns, bucketTurns } from '#features/core/supporter-work/bucket-turns.ts';
import { doDueWork, enqueuePass, type OnFailure, type Work } from '#features/core/supporter-work/do-work.ts';
import { failureTally } from '#features/core/supporter-work/failure-tally.ts';
import { hasUntriedPolls, markDue, type WorkKind } from '#features/core/supporter-work/work-repository.ts';
import { deliverEvents } from '#features/disbursements/outgoing-webhooks/deliver-events.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { pollConnections } from '#features/supporters/consents/poll-connections.ts';
import { pollConsentOf } from '#features/supporters/consents/refresh-consent.ts';
import { removeUsersOfClosed } from '#features/supporters/offboarding/remove-users.ts';
import { consentPass, followUpConsents } from '#features/supporters/offboarding/run-consents.ts';
import { remindUnfinished } from '#features/supporters/onboarding/remind-unfinished.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { runRetention } from '#features/supporters/retention/delete-outdated.ts';
import { endPauses } from '#features/supporters/round-ups/end-pauses.ts';
import { syncPass, syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import type { JobHandlers, Jobs } from '#jobs/queues.ts';
import { notYet, runTimetable, type Tasks, type TimetableDeps } from '#jobs/timetable/run-timetable.ts';
import { watchDeadLetters } from '#jobs/watch-dead-letters.ts';
import type { Provider } from '#ports/notifier.ts';
import type { Runtime } from './compose.ts';
import { composerOf } from './compose-mails.ts';
import { consentDependencies, dependencies, payoutDependencies } from './dependencies.ts';
import { removeUserOf } from './remove-user.ts';

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

/** Runs work over everybody and always logs failures by cause. */
export async function withFailureLog<Result>(
  { log }: Runtime,
  about: string,
  work: (onFailure: OnFailure) => Promise<Result>,
): Promise<Result> {
  const tally = failureTally(log, about);
  try {
    return await work(tally.onFailure);
  } finally {
    tally.write();
  }
}

export const bankNotAnswering = 'the bank link did not answer for supporters';
const pausesNotEnded = 'the pauses of supporters could not be ended';
const mandatesNotAnswered = 'the payment provider did not answer about mandates';

/** Raises an alarm for supporters whose consents could not be followed up, and not because of a provider. */
const alarmFaults = (runtime: Runtime, day: IsoDate, supporters: number) =>
  raiseAlarm(runtime, {
    name: 'consents_not_followed_up',
    about: day,
    sentence: `The consents of ${counted(supporters, 'supporter')} could not be followed up on ${day}: a reminder, an end, a cancelled mandate or a deletion of bank data is missing. The worker's log has the causes; it is retried daily.`,
  });

/** Follow-up waits for every consent's poll, at most 45 minutes. */
const pollsTakeMs = 45 * 60_000;

function tasksOf(runtime: Runtime, startedAt: Date): Tasks {
  const deps = dependencies(runtime);
  return {
    audit: () => auditByNight({ ...deps, log: runtime.log, alsoWanted: identityChecksFor(!runtime.config.firebase) }),
    reconcile: () => reconcileByNight({ ...deps, log: runtime.log }),
    retention: () => runRetention({ ...deps, retention: runtime.config.retention }),
    'consent-poll': (_day, dueAt) => enqueuePass(runtime, { ...consentPass(consentDependencies(runtime)), dueAt }),
    'end-pauses': async () =>
      sumsOf(
        await withFailureLog(runtime, pausesNotEnded, (onFailure) =>
          inEachBucket(runtime.db, (db) => endPauses({ ...deps, db }, onFailure)),
        ),
      ),
    'consent-run': async (day, dueAt) => {
      const polls = { now: runtime.clock.now(), dueBy: dueAt, startedAt, withinMs: pollsTakeMs };
      const breaker = circuitBreaker(); // of all buckets
      const followUp = async (db: Pool, onFailure: OnFailure) =>
        (await hasUntriedPolls(db, polls))
          ? notYet
          : followUpConsents({ ...consentDependencies(runtime), db }, onFailure, breaker);
      const runs = await withFailureLog(runtime, bankNotAnswering, (onFailure) =>
        inEachBucket(runtime.db, (db) => followUp(db, onFailure)),
      );
      const done = runs.filter((run) => run !== notYet);
      if (done.length < runs.length) return notYet;
      // A user who cannot be removed does not hold up the debit run: they are tried again tomorrow.
      await inEachBucket(runtime.db, (db) => removeUsersOfClosed(db, runtime.clock, removeUserOf(runtime))).catch(
        (err) => runtime.log.error({ err }, 'users of closed accounts were not removed'),
      );
      const sums = sumsOf(done);
      if (sums.faults > 0) await alarmFaults(runtime, day, sums.faults);
      return sums;
    },
    sync: (_day, dueAt) => enqueuePass(runtime, { ...syncPass, dueAt }),
    'mandate-poll': () => withFailureLog(runtime, mandatesNotAnswered, (onFailure) => pollMandates(deps, onFailure)),
    settle: (_day, dueAt) => pollOutcomes(deps, { isShort: comesAgain({ task: 'settle', dueAt }) }),
    'debit-run': async (day) => {
      const run = await runDueDebits(deps, day);
      return run.awaitsBalances > 0 ? notYet : run;
    },
    remit: (day) => remitToClubs(payoutDependencies(runtime), day),
    'savings-run': () => depositSavings(payoutDependencies(runtime)),
    'debit-notice': (day) => queueDebitNotices(deps, addDays(day, 1)),
    'onboarding-reminder': () => remindUnfinished(deps),
  };
}

function workByKind(runtime: Runtime): Record<WorkKind, Work> {
  const deps = dependencies(runtime);
  const { clock, bankLink } = deps;
  return {
    sync: async (supporterId) => {
      const { isAsked } = await syncPurchases({ ...deps, db: deps.db.of(supporterId) }, supporterId);
      return isAsked ? 'asked' : 'not asked';
    },
    consent_poll: async (supporterId) => {
      const db = deps.db.of(supporterId);
      const supporter = await getSupporter(db, supporterId);
      const { isActive } = await pollConsentOf(db, clock, bankLink, supporter);
      if (isActive) await pollConnections(db, clock, bankLink, supporter);
      return supporter.bankCustomerId ? 'asked' : 'not asked';
    },
  };
}

/** Does supporters' due work; a worker keeps the turns of its buckets. */
export function doWork(runtime: Runtime, signal?: AbortSignal, turns?: BucketTurns) {
  return withFailureLog(runtime, bankNotAnswering, (onFailure) =>
    doDueWork(dependencies(runtime), workByKind(runtime), onFailure, signal, turns),
  );
}

/** Resubmits inconclusive payments and alarms parked ones each minute, those of silent nodes left out. */
async function followUpPayments(runtime: Runtime): Promise<void> {
  const alarm = async () => {
    const answering = { ...runtime, db: withoutNodes(runtime.db, await findSilentNodes(runtime.db)) };
    await inTurn([watchParked, watchOverdue], (look) => look(answering));
  };
  await inTurn(
    [() => resubmitPayments(payoutDependencies(runtime)), alarm],
    async (followUp) => void (await followUp()),
  );
}

export function timetableDeps(runtime: Runtime, startedAt = new Date(0)): TimetableDeps {
  const { db, clock, log } = runtime;
  return {
    db,
    clock,
    tasks: tasksOf(runtime, startedAt),
    afterTasks: () => followUpPayments(runtime),
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
    markSyncDue: (supporterId) => markDue(runtime.db.of(supporterId), 'sync', supporterId, runtime.clock.now()),
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
