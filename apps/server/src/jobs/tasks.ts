import { addDays } from '@sparechange/domain';
import { type AlarmDeps, mailAlarms } from '#features/alarms/alarms.ts';
import { type ConsentRunDeps, runConsents } from '#features/consent/run-consents.ts';
import { runDueDebits } from '#features/debits/run-debits.ts';
import { settleDebits } from '#features/debits/settle-debits.ts';
import { watchRuns } from '#features/debits/watch-runs.ts';
import { submitDonations } from '#features/donations/submit-donations.ts';
import { type MailDeps, sendMails } from '#features/mail/send-mails.ts';
import { queueDebitMails } from '#features/next-debit/queue-debit-mails.ts';
import { handleNotifications } from '#features/operation/handle-notifications.ts';
import { type SendPacksDeps, sendPacks } from '#features/payout-packs/send-packs.ts';
import { remitToClubs } from '#features/remittance/remit-to-clubs.ts';
import { endPauses } from '#features/roundups/end-pauses.ts';
import { syncEverybody, syncPurchases } from '#features/roundups/sync-purchases.ts';
import { depositSavings } from '#features/savings/deposit-savings.ts';
import { runTimetable, type Tasks, type TimetableDeps } from '#features/timetable/run-timetable.ts';
import type { Runtime } from '../compose.ts';
import type { JobHandlers, Jobs } from './queues.ts';

/** The use cases' dependencies out of the runtime: one place where configuration meets them. */
export const dependencies = (runtime: Runtime) => ({
  db: runtime.db,
  clock: runtime.clock,
  bankLink: runtime.bankLink,
  directDebit: runtime.directDebit,
  tenants: runtime.tenants,
  statementName: runtime.config.statementName,
});

export const payoutDependencies = (runtime: Runtime) => ({
  ...dependencies(runtime),
  seal: runtime.seal,
  mailFrom: runtime.config.mailFrom,
});

export const mailDependencies = (runtime: Runtime): MailDeps => ({
  db: runtime.db,
  clock: runtime.clock,
  mailer: runtime.mailer,
  tenants: runtime.tenants,
  sites: runtime.sites,
  graceDays: runtime.config.bankDataGraceDays,
  debitLinks: runtime.debitLinks,
  statementName: runtime.config.statementName,
  renewalToken: runtime.renewalLinks.token,
});

export const packDependencies = (runtime: Runtime): SendPacksDeps => ({
  ...mailDependencies(runtime),
  papers: runtime.papers,
  mainTenant: runtime.config.mainTenant,
});

/** Sends what waits in the outboxes: supporters' mails first. */
export async function sendAllMails(runtime: Runtime): Promise<void> {
  await sendMails(mailDependencies(runtime));
  await sendPacks(packDependencies(runtime));
}

export const consentDependencies = (runtime: Runtime): ConsentRunDeps => ({
  ...dependencies(runtime),
  graceDays: runtime.config.bankDataGraceDays,
});

const alarmDependencies = ({ db, clock, log, mailer, config }: Runtime): AlarmDeps => ({
  db,
  clock,
  log,
  mailer,
  operatorMail: config.operatorMail,
});

/** Each minute: is debiting as it should be, and does the operator know? */
export async function watch(runtime: Runtime): Promise<void> {
  const deps = alarmDependencies(runtime);
  await watchRuns(deps);
  await mailAlarms(deps);
}

export const notedFailure = (runtime: Runtime) => (supporterId: string, error: Error) =>
  runtime.log.warn({ supporterId, err: error }, 'the bank did not answer for a supporter');

function tasksOf(runtime: Runtime): Tasks {
  const deps = dependencies(runtime);
  const onFailure = notedFailure(runtime);
  return {
    // Pauses end before anything is fetched or recorded on their last day.
    'consent-run': async () => ({
      ...(await endPauses(deps)),
      ...(await runConsents(consentDependencies(runtime), onFailure)),
    }),
    sync: () => syncEverybody(deps, onFailure),
    settle: () => settleDebits(deps),
    'debit-run': (day) => runDueDebits(deps, day),
    remit: (day) => remitToClubs(payoutDependencies(runtime), day),
    'savings-run': () => depositSavings(payoutDependencies(runtime)),
    'debit-mails': (day) => queueDebitMails(deps, addDays(day, 1)),
  };
}

export function timetableDeps(runtime: Runtime): TimetableDeps {
  const { db, clock, log } = runtime;
  return {
    db,
    clock,
    tasks: tasksOf(runtime),
    onDone: ({ task, dueAt }, result) => log.info({ task, dueAt, result }, 'timetable'),
    onFailure: ({ task, dueAt }, error) => log.error({ task, dueAt, err: error }, 'a task of the timetable failed'),
  };
}

export function handlersOf(runtime: Runtime, jobs: Jobs): JobHandlers {
  const deps = dependencies(runtime);
  const thenMail = async (work: Promise<unknown>) => {
    await work;
    await jobs.soon.sendMails();
  };
  return {
    timetable: () => thenMail(runTimetable(timetableDeps(runtime))),
    syncSupporter: (supporterId) => thenMail(syncPurchases(deps, supporterId)),
    submitDonations: () => submitDonations(deps),
    handleNotifications: () => thenMail(handleNotifications({ ...deps, syncSoon: jobs.soon.syncSupporter })),
    sendMails: async () => {
      await watch(runtime);
      return sendAllMails(runtime);
    },
  };
}
