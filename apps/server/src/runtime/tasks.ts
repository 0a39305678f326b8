import { addDays, type IsoDate } from '@sparechange/domain';
import { alarmComposer } from '#features/alarms/alarms.ts';
import { watchMails } from '#features/alarms/watch-mails.ts';
import { failureTally } from '#features/bank-passes/failure-tally.ts';
import type { OnFailure } from '#features/bank-passes/run-pass.ts';
import { PassUnfinished, watchPasses } from '#features/bank-passes/run-pass.ts';
import { loadExtraClosedDays, watchCalendar } from '#features/banking-calendar/extra-closed-days.ts';
import { auditByNight } from '#features/bookkeeping/nightly-audit.ts';
import { reconcileByNight } from '#features/bookkeeping/nightly-reconciliation.ts';
import { watchAuditLog } from '#features/bookkeeping/watch-audit-log.ts';
import { pollMandates } from '#features/debits/check-mandates.ts';
import { watchRuns } from '#features/debits/detect-missed-runs.ts';
import { watchOverdue } from '#features/debits/overdue-debits.ts';
import { runDueDebits } from '#features/debits/run-debits.ts';
import { submitDonations } from '#features/donations/request-donation.ts';
import { emailComposer } from '#features/emails/compose-email.ts';
import { identityChecksFor } from '#features/ledger/checks-of-identity.ts';
import { isNoticeDue, queueDebitNotices } from '#features/next-debit/queue-debit-notices.ts';
import { type ConsentRunDeps, runConsents } from '#features/offboarding/run-consents.ts';
import type { Recipient } from '#features/outbox/outbox-repository.ts';
import { type Composer, sendMails } from '#features/outbox/send-mails.ts';
import { pollOutcomes } from '#features/outcomes/poll-outcomes.ts';
import { resubmitPayments } from '#features/payments/decide-payment.ts';
import { watchParked } from '#features/payments/parked-payments.ts';
import { type AdviceDeps, adviceComposer } from '#features/remittance-advice/compose-advice.ts';
import { watchRemittances } from '#features/remittances/failed-remittances.ts';
import { remitToClubs } from '#features/remittances/remit-to-clubs.ts';
import { watchRepayments } from '#features/repayments/watch-repayments.ts';
import { deleteOutdated } from '#features/retention/delete-outdated.ts';
import { endPauses } from '#features/round-ups/end-pauses.ts';
import { syncEverybody, syncPurchases } from '#features/round-ups/sync-purchases.ts';
import { depositSavings } from '#features/savings/deposit-savings.ts';
import { handleNotifications, type NotificationDeps } from '#features/webhooks/handle-notifications.ts';
import { watchDeadLetters } from '#jobs/dead-letters.ts';
import type { JobHandlers, Jobs } from '#jobs/queues.ts';
import { runTimetable, type Tasks, type TimetableDeps } from '#jobs/timetable/run-timetable.ts';
import type { Runtime } from './compose.ts';

/** The use cases' dependencies, with configuration, from the runtime. */
export const dependencies = (runtime: Runtime) => ({
  db: runtime.db,
  clock: runtime.clock,
  bankLink: runtime.bankLink,
  encryption: runtime.encryption,
  directDebit: runtime.directDebit,
  tenants: runtime.tenants,
  statementName: runtime.config.statementName,
});

export const payoutDependencies = (runtime: Runtime) => ({
  ...dependencies(runtime),
  mailFrom: runtime.config.mailFrom,
});

export const adviceDependencies = ({ db, tenants, sites, printer, config }: Runtime): AdviceDeps => ({
  ...{ db, tenants, sites, printer },
  mainTenant: config.mainTenant,
});

/** Sends what is due in the outbox. */
export async function sendAllMails(runtime: Runtime, signal?: AbortSignal): Promise<void> {
  const { db, clock, log, mailer, tenants, sites, debitLinks, config } = runtime;
  const { bankDataGraceDays: graceDays, statementName, operatorMail } = config;
  const emails = {
    ...{ db, tenants, sites, graceDays, debitLinks, statementName, renewalToken: runtime.renewalLinks.token },
    isNoticeDue: (supporterId: string, run: IsoDate) => isNoticeDue(runtime, supporterId, run),
  };
  const composers: Record<Recipient, Composer> = {
    supporter: emailComposer(emails),
    club: adviceComposer(adviceDependencies(runtime)),
    operator: alarmComposer(operatorMail),
  };
  const compose: Composer = (mail, now) => composers[mail.recipient](mail, now);
  const { sent, waiting, givenUp } = await sendMails({ db, clock, log, mailer, compose }, signal);
  runtime.metrics.mails.inc({ outcome: 'sent' }, sent);
  runtime.metrics.mails.inc({ outcome: 'waiting' }, waiting);
  runtime.metrics.mails.inc({ outcome: 'given_up' }, givenUp);
}

export const consentDependencies = (runtime: Runtime): ConsentRunDeps => ({
  ...dependencies(runtime),
  graceDays: runtime.config.bankDataGraceDays,
});

/** Checks debiting, payouts, jobs, mails and the audit log each minute and alarms the operator. */
export async function watch(runtime: Runtime): Promise<void> {
  const payments = [watchRuns, watchRemittances, watchRepayments];
  for (const look of [...payments, watchPasses, watchCalendar, watchDeadLetters, watchMails, watchAuditLog])
    await look(runtime);
}

/** Runs work over everybody and always logs failures by cause. */
export async function tallied<Result>(
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
const mandatesNotAnswered = 'the payment provider did not answer about mandates';

function tasksOf(runtime: Runtime): Tasks {
  const deps = dependencies(runtime);
  return {
    audit: () => auditByNight({ ...deps, log: runtime.log, alsoWanted: identityChecksFor(runtime.config) }),
    reconcile: () => reconcileByNight({ ...deps, log: runtime.log }),
    retention: () => deleteOutdated({ ...deps, retention: runtime.config.retention }),
    // Pauses end before anything is fetched or recorded on their last day.
    'consent-run': async (_day, dueAt) => ({
      ...(await endPauses(deps)),
      ...(await tallied(runtime, bankNotAnswering, (onFailure) =>
        runConsents(consentDependencies(runtime), onFailure, dueAt),
      )),
    }),
    sync: (_day, dueAt) => tallied(runtime, bankNotAnswering, (onFailure) => syncEverybody(deps, onFailure, dueAt)),
    'mandate-poll': () => tallied(runtime, mandatesNotAnswered, (onFailure) => pollMandates(deps, onFailure)),
    settle: () => pollOutcomes(deps),
    'debit-run': (day) => runDueDebits(deps, day),
    remit: (day) => remitToClubs(payoutDependencies(runtime), day),
    'savings-run': () => depositSavings(payoutDependencies(runtime)),
    'debit-notice': (day) => queueDebitNotices(deps, addDays(day, 1)),
  };
}

/** Resubmits inconclusive payments and alarms parked ones each minute. */
async function followUpPayments(runtime: Runtime): Promise<void> {
  await resubmitPayments(payoutDependencies(runtime));
  await watchParked(runtime);
  await watchOverdue(runtime);
}

export function timetableDeps(runtime: Runtime): TimetableDeps {
  const { db, clock, log } = runtime;
  return {
    db,
    clock,
    tasks: tasksOf(runtime),
    afterTasks: () => followUpPayments(runtime),
    onDone: ({ task, dueAt }, result) => log.info({ task, dueAt, result }, 'timetable'),
    onFailure: ({ task, dueAt }, error) => {
      if (error instanceof PassUnfinished) log.warn({ task, dueAt }, error.message);
      else log.error({ task, dueAt, err: error }, 'a task of the timetable failed');
    },
  };
}

/** Handles what is open. What came after the pass of another program began is tried again, so that none is left. */
async function handleAllNotifications(deps: NotificationDeps): Promise<void> {
  const handled = await handleNotifications(deps);
  if (handled === undefined) throw new Error('Another program is handling the notifications.');
}

export function handlersOf(runtime: Runtime, jobs: Jobs): JobHandlers {
  const deps = dependencies(runtime);
  const thenMail = async (work: Promise<unknown>) => {
    await work;
    await jobs.enqueue.sendMails();
  };
  return {
    timetable: async () => {
      await loadExtraClosedDays(runtime.db, runtime.clock);
      await thenMail(runTimetable(timetableDeps(runtime)));
    },
    syncSupporter: (supporterId) => thenMail(syncPurchases(deps, supporterId)),
    submitDonations: () => submitDonations(deps),
    handleNotifications: () => thenMail(handleAllNotifications({ ...deps, enqueueSync: jobs.enqueue.syncSupporter })),
    watch: () => thenMail(watch(runtime)),
    sendMails: (signal) => sendAllMails(runtime, signal),
  };
}
