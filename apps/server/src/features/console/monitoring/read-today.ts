import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import { debitRunTime, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { maxCounted } from '@sparechange/domain/counted';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import { countOpenLines } from '#features/accounting/bank-statements/statement-line-repository.ts';
import { countUnanswered } from '#features/accounting/payments/parked-payments.ts';
import { countWaiting } from '#features/beneficiaries/club-requests/request-repository.ts';
import { countToLodge, sumWaiting } from '#features/collections/bank-files/file-repository.ts';
import { missedRun } from '#features/collections/debits/detect-missed-runs.ts';
import { countHolds } from '#features/collections/debits/hold-supporter.ts';
import { listRuns, stateOfRun } from '#features/collections/debits/list-runs.ts';
import {
  listCameBack,
  listRunOutcomes,
  progressOf,
  type RunProgress,
} from '#features/collections/debits/run-progress.ts';
import { findSuspension } from '#features/collections/debits/suspended-runs.ts';
import { listSuspendedTenants } from '#features/collections/debits/suspended-tenants.ts';
import { listAlarms } from '#features/core/alarms/alarms.ts';
import { countOpenApprovals } from '#features/core/approvals/approval-repository.ts';
import type { Decisions } from '#features/core/approvals/approved-acts.ts';
import { findOpenBreaker } from '#features/core/breakers/provider-breakers.ts';
import { findMailOutage } from '#features/core/outbox/mail-outages.ts';
import { listMailStates } from '#features/core/outbox/outbox-repository.ts';
import { findLateWork } from '#features/core/supporter-work/watch-work.ts';
import { listParked } from '#features/disbursements/outgoing-webhooks/delivery-repository.ts';
import { sumFailedRemittances } from '#features/disbursements/remittances/failed-remittances.ts';
import { countOpenReviews } from '#features/supporters/accounts/holder-review.ts';
import type { BankFiles } from '#ports/bank-files.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Needs } from '#telemetry/dependency-health.ts';
import { brandName, type Tenants } from '#tenants/load-tenants.ts';

export interface TodayDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  acts: Pick<Decisions, 'peopleRule'>;
  needs?: (() => Promise<Needs>) | undefined;
  /** Counts failed jobs that are not retried. */
  countFailedJobs: () => Promise<number>;
  /** Absent if payments do not go by bank files. */
  bankFiles?: Pick<BankFiles, 'lodging'> | undefined;
}

/** Age up to which alarms and undelivered emails are shown. */
const newsForMs = 7 * 86_400_000;
const maxAlarms = 20;

/**
 * Counts a run's debits; a result is reused for twenty times as long as it took, so that a large run does not load the
 * server.
 */
function runCounter() {
  let known: { date: IsoDate; progress: RunProgress; until: number } | undefined;
  return async (db: Pool, date: IsoDate): Promise<RunProgress> => {
    const now = performance.now();
    if (known?.date === date && now < known.until) return known.progress;
    const progress = progressOf(await listRunOutcomes(db, date));
    known = { date, progress, until: now + 21 * (performance.now() - now) };
    return progress;
  };
}

async function lastRun(db: Pool, day: IsoDate, count: ReturnType<typeof runCounter>) {
  const [run] = await listRuns(db, addDays(day, 1), 1);
  if (!run) return null;
  const progress = await count(db, run.date);
  return { date: run.date, state: stateOfRun(run, progress), progress };
}

async function countDueWork(pool: Pool, now: Date): Promise<number> {
  const due = (db: Db) => db<{ work: number }[]>`
    select count(*)::int as work from (
      select from supporter_work where next_try_at <= ${now} limit ${maxCounted}
    ) as due`;
  return Math.min(sumsOf(await rowsOf(pool.inBuckets(), due)).work, maxCounted);
}

async function readQueues(db: Pool, now: Date) {
  const since = new Date(now.getTime() - newsForMs);
  const mails = await listMailStates(db, since);
  const webhooks = await listParked(db, since);
  const [control] = await db<{ notifications: number }[]>`
    select count(*)::int as notifications from notifications where handled_at is null`;
  return {
    workDue: await countDueWork(db, now),
    workLateSince: (await findLateWork(db, now)) ?? null,
    mailsWaiting: mails.reduce((sum, { waiting }) => Math.min(sum + waiting, maxCounted), 0),
    mailsUndelivered: mails.reduce((sum, { undelivered }) => Math.min(sum + undelivered, maxCounted), 0),
    notifications: control?.notifications ?? 0,
    webhooksParked: webhooks.reduce((sum, { parked }) => sum + parked, 0),
  };
}

/** Reports the state of outside services: who listens at their addresses, and since when they have failed. */
async function readProviders(db: Pool, needs: TodayDeps['needs']) {
  const since: Record<string, Date | undefined> = {
    bankLink: (await findOpenBreaker(db, 'bank_link'))?.openedAt,
    payments: (await findOpenBreaker(db, 'direct_debit'))?.openedAt,
    mail: (await findMailOutage(db))?.since,
  };
  return Object.entries((await needs?.()) ?? {}).map(([name, state]) => ({
    name,
    isReady: state === 'ready',
    unavailableSince: since[name] ?? null,
  }));
}

/** Lists files that an operator has to bring to the bank; undefined if the bank fetches files, or none are used. */
async function readBankFiles(db: Db, bankFiles: TodayDeps['bankFiles']) {
  if (bankFiles?.lodging !== 'by operator') return null;
  const waiting = await sumWaiting(db);
  return { toLodge: await countToLodge(db), ordersToWrite: waiting.reduce((sum, { orders }) => sum + orders, 0) };
}

/** Returns a function that reads the day at a glance, without persons, and without the supporters of silent nodes. */
export function todayReader(deps: TodayDeps) {
  const count = runCounter();
  return () => readToday(deps, count);
}

async function readToday(
  { db: whole, clock, tenants, acts, needs, countFailedJobs, bankFiles }: TodayDeps,
  count: ReturnType<typeof runCounter>,
) {
  const silentServers = await findSilentNodes(whole);
  const db = withoutNodes(whole, silentServers);
  const now = clock.now();
  const day = today(clock);
  return {
    day,
    nextRunAt: sydneyTime(upcomingDebitDay(now), debitRunTime),
    lastRun: await lastRun(db, day, count),
    cameBack: await listCameBack(db, sydneyTime(day, '00:00')),
    suspension: (await findSuspension(db)) ?? null,
    missedRun: (await missedRun(db, clock)) ?? null,
    suspendedTenants: (await listSuspendedTenants(db)).map((each) => ({
      ...each,
      name: brandName(tenants, each.tenant),
    })),
    unanswered: await countUnanswered(db),
    failedPayouts: await sumFailedRemittances(db),
    holds: await countHolds(db),
    namesToReview: await countOpenReviews(db),
    clubRequests: await countWaiting(db),
    statementLines: (await countOpenLines(db)).lines,
    failedJobs: await countFailedJobs(),
    bankFiles: await readBankFiles(db, bankFiles),
    approvals: await countOpenApprovals(db, now),
    peopleNeeded: (await acts.peopleRule()).people,
    alarms: await listAlarms(db, new Date(now.getTime() - newsForMs), maxAlarms),
    silentServers,
    providers: await readProviders(db, needs),
    queues: await readQueues(db, now),
  };
}
