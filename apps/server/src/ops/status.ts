import { addDays, formatCents } from '@sparechange/domain';
import { calendarEndsSoon, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { counted, countedInWords } from '@sparechange/domain/counted';
import type { Pool } from '#db/connect.ts';
import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import { listClubReceivables } from '#features/accounting/bookkeeping/club-receivables.ts';
import { countUnanswered, listParked, whatIsHeldUp } from '#features/accounting/payments/parked-payments.ts';
import { missedRun } from '#features/collections/debits/detect-missed-runs.ts';
import { countHolds, listHolds } from '#features/collections/debits/hold-supporter.ts';
import { causesInWords, listRefusedRuns } from '#features/collections/debits/record-refusal.ts';
import { findSuspension } from '#features/collections/debits/suspended-runs.ts';
import { listSuspendedTenants } from '#features/collections/debits/suspended-tenants.ts';
import { alarmInWords, listAlarms } from '#features/core/alarms/alarms.ts';
import { listNodeOutages } from '#features/core/alarms/watch-nodes.ts';
import { countOpenApprovals, listApprovals } from '#features/core/approvals/approval-repository.ts';
import { peopleRule } from '#features/core/approvals/people-needed.ts';
import { findOpenBreaker } from '#features/core/breakers/provider-breakers.ts';
import { findMailOutage } from '#features/core/outbox/mail-outages.ts';
import { listMailStates } from '#features/core/outbox/outbox-repository.ts';
import {
  findLateWork,
  listFailingWork,
  listParkedWork,
  supportersInWords,
} from '#features/core/supporter-work/watch-work.ts';
import {
  listFailedRemittances,
  sumFailedRemittances,
  whatFollows,
} from '#features/disbursements/remittances/failed-remittances.ts';
import { countOpenReviews } from '#features/supporters/accounts/holder-review.ts';
import { countDeadLetters } from '#jobs/queue-repository.ts';
import { today } from '#ports/clock.ts';
import { peopleWords } from './approvals.ts';
import { receivableLines } from './ledger.ts';
import type { OpsCommand } from './operate.ts';

/** Age up to which alarms are shown. */
const alarmsForMs = 7 * 86_400_000;
const maxListed = 20;

interface OpenCounts {
  supporters: number;
  debits: number;
  deposits: number;
  repayments: number;
}

/** Counts supporters and open work of every bucket and of control. */
async function countOpen(db: Pool) {
  const ofBuckets = db.inBuckets().map(
    (bucket) => bucket<OpenCounts[]>`
    select (select count(*) from supporters) as supporters,
      (select count(*) from debits where state in ('planned', 'submitting', 'submitted')) as debits,
      (select count(*) from deposits where state in ('planned', 'submitting', 'submitted')) as deposits,
      (select count(*) from repayments where state in ('planned', 'submitting', 'submitted')) as repayments`,
  );
  const [control] = await db<{ notifications: number; remittances: number }[]>`
    select (select count(*) from notifications where handled_at is null) as notifications,
      (select count(*) from remittances where state in ('planned', 'submitting', 'submitted')) as remittances`;
  const counts = (await Promise.all(ofBuckets)).flat();
  const sumOf = (part: keyof OpenCounts) => counts.reduce((sum, count) => sum + count[part], 0);
  return {
    supporters: sumOf('supporters'),
    debits: sumOf('debits'),
    payouts: sumOf('deposits') + sumOf('repayments') + (control?.remittances ?? 0),
    notifications: control?.notifications ?? 0,
  };
}

export function statusCommand(program: OpsCommand): void {
  program
    .command('status')
    .description('what is configured, how many supporters, the next debit day')
    .carryOut(async ({ config, db: whole, clock, directDebitAddress }) => {
      const silent = await findSilentNodes(whole);
      const db = withoutNodes(whole, silent);
      const outages = await listNodeOutages(db);
      const counts = await countOpen(db);
      const json = {
        environment: config.isProduction ? 'production' : 'development',
        database: config.databaseUrl ? 'external' : `embedded in ${config.dataDir}`,
        serversWithoutAnswer: silent.map((server) => ({
          server,
          since: outages.find((outage) => outage.server === server)?.since ?? clock.now(),
        })),
        now: clock.now().toISOString(),
        supporters: counts.supporters,
        nextDebitDate: upcomingDebitDay(clock.now()),
        calendarEndsSoon: calendarEndsSoon(today(clock)),
        openDebits: counts.debits,
        openPayouts: counts.payouts,
        suspension: (await findSuspension(db)) ?? null,
        missedDebitRun: (await missedRun(db, clock)) ?? null,
        refusedRuns: await listRefusedRuns(db, addDays(today(clock), -7)),
        namesToReview: await countOpenReviews(db),
        clubReceivables: await listClubReceivables(db),
        holds: await listHolds(db),
        heldSupporters: await countHolds(db),
        failedRemittances: await listFailedRemittances(db),
        unpaid: await sumFailedRemittances(db),
        suspendedTenants: await listSuspendedTenants(db),
        approvals: await peopleRule(db, config.isProduction),
        openApprovals: (await listApprovals(db, { now: clock.now(), limit: maxListed, isOpenOnly: true })).map(
          ({ id, summary, askedAt }) => ({ id, summary, askedAt }),
        ),
        approvalsWaiting: await countOpenApprovals(db, clock.now()),
        parked: await listParked(db, maxListed),
        unanswered: await countUnanswered(db),
        alarms: await listAlarms(db, new Date(clock.now().getTime() - alarmsForMs), maxListed),
        failedJobs: await countDeadLetters(db),
        mailsAlarms: config.operatorMail !== undefined,
        mailOutage: (await findMailOutage(db)) ?? null,
        mails: await listMailStates(db, new Date(clock.now().getTime() - alarmsForMs)),
        failingWork: await listFailingWork(db, clock.now()),
        parkedWork: await listParkedWork(db, clock.now(), maxListed),
        lateWorkSince: (await findLateWork(db, clock.now())) ?? null,
        bankLinkUnavailable: (await findOpenBreaker(db, 'bank_link')) ?? null,
        directDebitUnavailable: (await findOpenBreaker(db, 'direct_debit')) ?? null,
        queues: { notifications: counts.notifications },
        providers: {
          bankLink: config.basiq.apiUrl,
          directDebit: directDebitAddress,
          identity: config.firebase ? `firebase ${config.firebase.projectId}` : 'embedded',
        },
      };
      const text = [
        `environment   ${json.environment}`,
        `database      ${json.database}`,
        ...json.serversWithoutAnswer.map(
          ({ server, since }) =>
            `NO ANSWER     of the node ${server} since ${since.toISOString()}: without its supporters, debits, deposits, refunds and mails below; changes of clubs, closing days and remittances wait for it`,
        ),
        `now           ${json.now}`,
        `supporters    ${json.supporters}`,
        `next debits   ${json.nextDebitDate}`,
        ...(json.calendarEndsSoon
          ? ['CALENDAR      the list of settlement holidays ends within a year; continue settlement-holidays.ts']
          : []),
        `open debits   ${json.openDebits}`,
        `open payouts  ${json.openPayouts}`,
        ...(json.suspension
          ? [`SUSPENDED     since the run of ${json.suspension.date}: ${json.suspension.because}`]
          : []),
        ...(json.missedDebitRun ? [`MISSED        the debit run of ${json.missedDebitRun} has not been finished`] : []),
        ...json.refusedRuns.map(
          ({ date, refused, debits, causes }) =>
            `REFUSED       ${refused} of ${debits} debits of ${date}: ${causesInWords(causes)}`,
        ),
        ...json.holds.map(
          ({ email, since, because }) => `ON HOLD       ${email} since ${since.toISOString()}: ${because}`,
        ),
        ...(json.heldSupporters > json.holds.length
          ? [`ON HOLD       ${json.heldSupporters - json.holds.length} more: Supporters in the console`]
          : []),
        ...json.failedRemittances.map(
          (failed) =>
            `FAILED        ${formatCents(failed.cents)} to ${failed.club} on ${failed.failedOn} (${failed.failure}); ${whatFollows(failed)}`,
        ),
        ...(json.unpaid.payouts > json.failedRemittances.length
          ? [
              `FAILED        ${json.unpaid.payouts - json.failedRemittances.length} more remittances: Payments in the console`,
            ]
          : []),
        ...json.parked.map(
          ({ kind, reference, amount, parkedAt, lastAnswer }) =>
            `PARKED        ${kind} ${reference} of ${formatCents(amount)} since ${parkedAt.toISOString()}: ${lastAnswer ?? 'no answer'}${whatIsHeldUp(kind)}`,
        ),
        ...json.unanswered.map(
          ({ kind, unknown, parked }) => `unanswered    ${kind}: ${unknown} asked again, ${parked} parked`,
        ),
        ...(json.failedJobs > 0 ? [`FAILED JOBS   ${json.failedJobs} of the queues: npm run -s ops -- jobs list`] : []),
        ...(json.mailsAlarms
          ? []
          : ['ALARM MAILS   go to nobody until OPERATOR_MAIL is set; alarms are in the log and here']),
        ...(json.mailOutage
          ? [`MAIL SERVER   unavailable since ${json.mailOutage.since.toISOString()}: ${json.mailOutage.failure}`]
          : []),
        ...json.mails.map(
          ({ recipient, waiting, undelivered, failure }) =>
            `mails         recipient ${recipient}: ${countedInWords(waiting)} waiting, ${countedInWords(undelivered)} undelivered within 7 days${failure ? `: ${failure} (ops mails list)` : ''}`,
        ),
        ...(json.bankLinkUnavailable
          ? [`BANK LINK     answers nobody since ${json.bankLinkUnavailable.openedAt.toISOString()}`]
          : []),
        ...(json.directDebitUnavailable
          ? [`DIRECT DEBIT  answers no payment since ${json.directDebitUnavailable.openedAt.toISOString()}`]
          : []),
        ...(json.lateWorkSince
          ? [`LATE          supporters' work is due since ${json.lateWorkSince.toISOString()} and not begun`]
          : []),
        ...json.failingWork.map(
          (work) =>
            `failing       ${work.kind}: ${work.failing} of ${supportersInWords(work)} supporters, ${work.parked} of them parked`,
        ),
        ...json.parkedWork.map(
          ({ supporterId, kind, failingSince, lastError }) =>
            `PARKED        ${kind} of ${supporterId} since ${failingSince.toISOString()}: ${lastError ?? 'no answer'}`,
        ),
        ...json.alarms.map(
          (alarm) => `ALARM         ${alarm.raisedAt.toISOString()} ${alarm.name}: ${alarmInWords(alarm)}`,
        ),
        `approvals     ${peopleWords(json.approvals)}`,
        ...json.openApprovals.map(
          ({ id, summary, askedAt }) =>
            `APPROVAL      asked for at ${askedAt.toISOString()}: ${summary} (ops approvals agree ${id})`,
        ),
        ...(json.approvalsWaiting > json.openApprovals.length
          ? [
              `APPROVAL      ${json.approvalsWaiting - json.openApprovals.length} more: npm run -s ops -- approvals list`,
            ]
          : []),
        ...json.suspendedTenants.map(
          ({ tenant, since, because }) => `SUSPENDED     ${tenant} since ${since.toISOString()}: ${because}`,
        ),
        ...(json.namesToReview > 0
          ? [`NAMES         ${counted(json.namesToReview, 'funding account')} in another name: ops holder-reviews list`]
          : []),
        ...receivableLines(json.clubReceivables),
        `bank link     ${json.providers.bankLink}`,
        `direct debit  ${json.providers.directDebit}`,
        `identity      ${json.providers.identity}`,
      ].join('\n');
      return { json, text };
    });
}
