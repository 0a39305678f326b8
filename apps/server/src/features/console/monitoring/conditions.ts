import { addDays, formatCents } from '@sparechange/domain';
import { calendarEndsSoon, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { counted, countedInWords, maxCounted } from '@sparechange/domain/counted';
import { countOpenLines } from '#features/accounting/bank-statements/statement-line-repository.ts';
import { watchCalendar } from '#features/accounting/banking-calendar/extra-closed-days.ts';
import { listClubReceivables, receivableLines } from '#features/accounting/bookkeeping/club-receivables.ts';
import { watchBookingsByHand } from '#features/accounting/bookkeeping/watch-bookings-by-hand.ts';
import { countUnanswered, listParked, whatIsHeldUp } from '#features/accounting/payments/parked-payments.ts';
import { countWaiting } from '#features/beneficiaries/club-requests/request-repository.ts';
import { countToLodge, sumWaiting } from '#features/collections/bank-files/file-repository.ts';
import { missedRun, watchRuns } from '#features/collections/debits/detect-missed-runs.ts';
import { countHolds, listHolds } from '#features/collections/debits/hold-supporter.ts';
import { causesInWords, listRefusedRuns } from '#features/collections/debits/record-refusal.ts';
import { findSuspension } from '#features/collections/debits/suspended-runs.ts';
import { listSuspendedTenants } from '#features/collections/debits/suspended-tenants.ts';
import { alarmInWords, listAlarms } from '#features/core/alarms/alarms.ts';
import { watchMails } from '#features/core/alarms/watch-mails.ts';
import { listNodeOutages } from '#features/core/alarms/watch-nodes.ts';
import { countOpenApprovals, listApprovals } from '#features/core/approvals/approval-repository.ts';
import { peopleWords } from '#features/core/approvals/people-needed.ts';
import { findMailOutage, findOpenBreaker } from '#features/core/breakers/provider-breakers.ts';
import { listMailStates, type MailState } from '#features/core/outbox/outbox-repository.ts';
import {
  findLateWork,
  listFailingWork,
  listParkedWork,
  supportersInWords,
  watchWork,
} from '#features/core/supporter-work/watch-work.ts';
import { listParked as listParkedEvents } from '#features/disbursements/outgoing-webhooks/delivery-repository.ts';
import { watchDeliveries } from '#features/disbursements/outgoing-webhooks/watch-deliveries.ts';
import {
  listFailedRemittances,
  sumFailedRemittances,
  watchRemittances,
  whatFollows,
} from '#features/disbursements/remittances/failed-remittances.ts';
import { watchRepayments } from '#features/disbursements/repayments/watch-repayments.ts';
import { watchDeposits } from '#features/disbursements/savings/watch-deposits.ts';
import { countOpenReviews } from '#features/supporters/accounts/holder-review.ts';
import { today } from '#ports/clock.ts';
import { brandName } from '#tenants/load-tenants.ts';
import { aCondition, type Surroundings } from './condition.ts';
import {
  countDueWork,
  countOpenDebits,
  countOpenNotifications,
  countOpenPayouts,
  countSupporters,
} from './count-open.ts';

/** Age up to which alarms, undelivered emails and parked events are shown. */
const newsForMs = 7 * 86_400_000;
const maxListed = 20;

const newsSince = ({ clock }: Surroundings) => new Date(clock.now().getTime() - newsForMs);
const mailStates = (seen: Surroundings) => listMailStates(seen.db, newsSince(seen));
const mailOutage = async ({ db }: Surroundings) => (await findMailOutage(db)) ?? null;
const bankLinkBreaker = async ({ db }: Surroundings) => (await findOpenBreaker(db, 'bank_link')) ?? null;
const directDebitBreaker = async ({ db }: Surroundings) => (await findOpenBreaker(db, 'direct_debit')) ?? null;
const lateWorkSince = async ({ db, clock }: Surroundings) => (await findLateWork(db, clock.now())) ?? null;

/** Reports the state of outside services: who listens at their addresses, and since when they have failed. */
async function readProviders(seen: Surroundings) {
  const since: Record<string, Date | undefined> = {
    bankLink: (await bankLinkBreaker(seen))?.openedAt,
    payments: (await directDebitBreaker(seen))?.openedAt,
    mail: (await mailOutage(seen))?.since,
  };
  return Object.entries((await seen.needs?.()) ?? {}).map(([name, state]) => ({
    name,
    isReady: state === 'ready',
    unavailableSince: since[name] ?? null,
  }));
}

async function readQueues(seen: Surroundings) {
  const { db, clock } = seen;
  const mails = await mailStates(seen);
  const sumOf = (part: keyof Pick<MailState, 'waiting' | 'undelivered'>) =>
    mails.reduce((sum, state) => Math.min(sum + state[part], maxCounted), 0);
  const events = await listParkedEvents(db, newsSince(seen));
  return {
    workDue: await countDueWork(db, clock.now()),
    workLateSince: await lateWorkSince(seen),
    mailsWaiting: sumOf('waiting'),
    mailsUndelivered: sumOf('undelivered'),
    notifications: await countOpenNotifications(db),
    webhooksParked: events.reduce((sum, { parked }) => sum + parked, 0),
  };
}

/** Lists files that an operator has to bring to the bank; null if the bank fetches files, or none are used. */
async function readBankFiles({ db, bankFiles }: Surroundings) {
  if (bankFiles?.lodging !== 'by operator') return null;
  const waiting = await sumWaiting(db);
  return { toLodge: await countToLodge(db), ordersToWrite: waiting.reduce((sum, { orders }) => sum + orders, 0) };
}

/** Everything that `ops status` and Today report, or that is alarmed each minute, in the order of the printed lines. */
export const conditions = [
  aCondition({
    read: {
      serversWithoutAnswer: async ({ db, clock, silentServers }) => {
        const outages = await listNodeOutages(db);
        const sinceOf = (name: string) => outages.find(({ server }) => server === name)?.since ?? clock.now();
        return silentServers.map((server) => ({ server, since: sinceOf(server) }));
      },
    },
    lines: ({ serversWithoutAnswer }) =>
      serversWithoutAnswer.map(
        ({ server, since }) =>
          `NO ANSWER     of the node ${server} since ${since.toISOString()}: without its supporters, debits, deposits, refunds and mails below; changes of clubs, closing days and remittances wait for it`,
      ),
    today: { silentServers: async ({ silentServers }) => silentServers },
  }),
  aCondition({
    read: {
      now: async ({ clock }) => clock.now().toISOString(),
      supporters: ({ db }) => countSupporters(db),
      nextDebitDate: async ({ clock }) => upcomingDebitDay(clock.now()),
    },
    lines: ({ now, supporters, nextDebitDate }) => [
      `now           ${now}`,
      `supporters    ${supporters}`,
      `next debits   ${nextDebitDate}`,
    ],
  }),
  aCondition({
    read: { calendarEndsSoon: async ({ clock }) => calendarEndsSoon(today(clock)) },
    lines: ({ calendarEndsSoon }) =>
      calendarEndsSoon
        ? ['CALENDAR      the list of settlement holidays ends within a year; continue settlement-holidays.ts']
        : [],
    watch: watchCalendar,
  }),
  aCondition({
    read: { openDebits: ({ db }) => countOpenDebits(db), openPayouts: ({ db }) => countOpenPayouts(db) },
    lines: ({ openDebits, openPayouts }) => [`open debits   ${openDebits}`, `open payouts  ${openPayouts}`],
  }),
  aCondition({
    read: { suspension: async ({ db }) => (await findSuspension(db)) ?? null },
    lines: ({ suspension }) =>
      suspension ? [`SUSPENDED     since the run of ${suspension.date}: ${suspension.because}`] : [],
    today: { suspension: 'suspension' },
    watch: watchRuns, // also of missed and refused runs, and of balances
  }),
  aCondition({
    read: { missedDebitRun: async ({ db, clock }) => (await missedRun(db, clock)) ?? null },
    lines: ({ missedDebitRun }) =>
      missedDebitRun ? [`MISSED        the debit run of ${missedDebitRun} has not been finished`] : [],
    today: { missedRun: 'missedDebitRun' },
  }),
  aCondition({
    read: { refusedRuns: ({ db, clock }) => listRefusedRuns(db, addDays(today(clock), -7)) },
    lines: ({ refusedRuns }) =>
      refusedRuns.map(
        ({ date, refused, debits, causes }) =>
          `REFUSED       ${refused} of ${debits} debits of ${date}: ${causesInWords(causes)}`,
      ),
  }),
  aCondition({
    read: { holds: ({ db }) => listHolds(db), heldSupporters: ({ db }) => countHolds(db) },
    lines: ({ holds, heldSupporters }) => [
      ...holds.map(({ email, since, because }) => `ON HOLD       ${email} since ${since.toISOString()}: ${because}`),
      ...(heldSupporters > holds.length
        ? [`ON HOLD       ${heldSupporters - holds.length} more: Supporters in the console`]
        : []),
    ],
    today: { holds: 'heldSupporters' },
  }),
  aCondition({
    read: {
      failedRemittances: ({ db }) => listFailedRemittances(db),
      unpaid: ({ db }) => sumFailedRemittances(db),
    },
    lines: ({ failedRemittances, unpaid }) => [
      ...failedRemittances.map(
        (failed) =>
          `FAILED        ${formatCents(failed.cents)} to ${failed.club} on ${failed.failedOn} (${failed.failure}); ${whatFollows(failed)}`,
      ),
      ...(unpaid.payouts > failedRemittances.length
        ? [`FAILED        ${unpaid.payouts - failedRemittances.length} more remittances: Payments in the console`]
        : []),
    ],
    today: { failedPayouts: 'unpaid' },
    watch: watchRemittances,
  }),
  aCondition({ watch: watchDeposits }),
  aCondition({ watch: watchRepayments }),
  aCondition({
    read: { parked: ({ db }) => listParked(db, maxListed), unanswered: ({ db }) => countUnanswered(db) },
    lines: ({ parked, unanswered }) => [
      ...parked.map(
        ({ kind, reference, amount, parkedAt, lastAnswer }) =>
          `PARKED        ${kind} ${reference} of ${formatCents(amount)} since ${parkedAt.toISOString()}: ${lastAnswer ?? 'no answer'}${whatIsHeldUp(kind)}`,
      ),
      ...unanswered.map(
        ({ kind, unknown, parked }) => `unanswered    ${kind}: ${unknown} asked again, ${parked} parked`,
      ),
    ],
    today: { unanswered: 'unanswered' }, // alarmed after the tasks of the timetable, which ask again
  }),
  aCondition({
    read: { failedJobs: ({ db, countFailedJobs }) => countFailedJobs(db) },
    lines: ({ failedJobs }) =>
      failedJobs > 0 ? [`FAILED JOBS   ${failedJobs} of the queues: npm run -s ops -- jobs list`] : [],
    today: { failedJobs: 'failedJobs' }, // alarmed by jobs/watch-dead-letters.ts
  }),
  aCondition({
    read: { mailsAlarms: async ({ operatorMail }) => operatorMail !== undefined },
    lines: ({ mailsAlarms }) =>
      mailsAlarms ? [] : ['ALARM MAILS   go to nobody until OPERATOR_MAIL is set; alarms are in the log and here'],
  }),
  aCondition({
    read: { mailOutage, mails: mailStates },
    lines: ({ mailOutage, mails }) => [
      ...(mailOutage
        ? [`MAIL SERVER   unavailable since ${mailOutage.since.toISOString()}: ${mailOutage.failure}`]
        : []),
      ...mails.map(
        ({ recipient, waiting, undelivered, failure }) =>
          `mails         recipient ${recipient}: ${countedInWords(waiting)} waiting, ${countedInWords(undelivered)} undelivered within 7 days${failure ? `: ${failure} (ops mails list)` : ''}`,
      ),
    ],
    watch: watchMails,
  }),
  aCondition({
    read: { bankLinkUnavailable: bankLinkBreaker, directDebitUnavailable: directDebitBreaker },
    lines: ({ bankLinkUnavailable, directDebitUnavailable }) => [
      ...(bankLinkUnavailable
        ? [`BANK LINK     answers nobody since ${bankLinkUnavailable.openedAt.toISOString()}`]
        : []),
      ...(directDebitUnavailable
        ? [`DIRECT DEBIT  answers no payment since ${directDebitUnavailable.openedAt.toISOString()}`]
        : []),
    ],
    today: { providers: readProviders },
  }),
  aCondition({
    read: {
      lateWorkSince,
      failingWork: ({ db, clock }) => listFailingWork(db, clock.now()),
      parkedWork: ({ db, clock }) => listParkedWork(db, clock.now(), maxListed),
    },
    lines: ({ lateWorkSince, failingWork, parkedWork }) => [
      ...(lateWorkSince
        ? [`LATE          supporters' work is due since ${lateWorkSince.toISOString()} and not begun`]
        : []),
      ...failingWork.map(
        (work) =>
          `failing       ${work.kind}: ${work.failing} of ${supportersInWords(work)} supporters, ${work.parked} of them parked`,
      ),
      ...parkedWork.map(
        ({ supporterId, kind, failingSince, lastError }) =>
          `PARKED        ${kind} of ${supporterId} since ${failingSince.toISOString()}: ${lastError ?? 'no answer'}`,
      ),
    ],
    watch: watchWork,
  }),
  aCondition({
    read: { queues: async ({ db }) => ({ notifications: await countOpenNotifications(db) }) },
    today: { queues: readQueues },
    watch: watchDeliveries,
  }),
  aCondition({
    read: { alarms: (seen) => listAlarms(seen.db, newsSince(seen), maxListed) },
    lines: ({ alarms }) =>
      alarms.map((alarm) => `ALARM         ${alarm.raisedAt.toISOString()} ${alarm.name}: ${alarmInWords(alarm)}`),
    today: { alarms: 'alarms' },
  }),
  aCondition({
    read: {
      approvals: ({ peopleRule }) => peopleRule(),
      openApprovals: async ({ db, clock }) => {
        const open = await listApprovals(db, { now: clock.now(), limit: maxListed, isOpenOnly: true });
        return open.map(({ id, summary, askedAt }) => ({ id, summary, askedAt }));
      },
      approvalsWaiting: ({ db, clock }) => countOpenApprovals(db, clock.now()),
    },
    lines: ({ approvals, openApprovals, approvalsWaiting }) => [
      `approvals     ${peopleWords(approvals)}`,
      ...openApprovals.map(
        ({ id, summary, askedAt }) =>
          `APPROVAL      asked for at ${askedAt.toISOString()}: ${summary} (ops approvals agree ${id})`,
      ),
      ...(approvalsWaiting > openApprovals.length
        ? [`APPROVAL      ${approvalsWaiting - openApprovals.length} more: npm run -s ops -- approvals list`]
        : []),
    ],
    today: {
      approvals: 'approvalsWaiting',
      peopleNeeded: async ({ peopleRule }) => (await peopleRule()).people,
    },
  }),
  aCondition({
    read: { suspendedTenants: ({ db }) => listSuspendedTenants(db) },
    lines: ({ suspendedTenants }) =>
      suspendedTenants.map(
        ({ tenant, since, because }) => `SUSPENDED     ${tenant} since ${since.toISOString()}: ${because}`,
      ),
    today: {
      suspendedTenants: async ({ db, tenants }) =>
        (await listSuspendedTenants(db)).map((each) => ({ ...each, name: brandName(tenants, each.tenant) })),
    },
  }),
  aCondition({
    read: { namesToReview: ({ db }) => countOpenReviews(db) },
    lines: ({ namesToReview }) =>
      namesToReview > 0
        ? [`NAMES         ${counted(namesToReview, 'funding account')} in another name: ops holder-reviews list`]
        : [],
    today: { namesToReview: 'namesToReview' },
  }),
  aCondition({
    read: { clubReceivables: ({ db }) => listClubReceivables(db) },
    lines: ({ clubReceivables }) => receivableLines(clubReceivables),
  }),
  aCondition({ today: { clubRequests: ({ db }) => countWaiting(db) } }),
  aCondition({ today: { statementLines: async ({ db }) => (await countOpenLines(db)).lines } }),
  aCondition({ today: { bankFiles: readBankFiles } }),
  aCondition({ watch: watchBookingsByHand }),
] as const;
