import type { IsoDate } from '@sparechange/domain';
import type { DueTask, TimetableTask } from '@sparechange/domain/timetable';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Pool } from '#db/connect.ts';
import { accounting } from '#features/accounting/accounting.ts';
import { beneficiaries } from '#features/beneficiaries/beneficiaries.ts';
import { collections } from '#features/collections/collections.ts';
import { operation } from '#features/console/console.ts';
import { core } from '#features/core/core.ts';
import type { Checks } from '#features/core/ledger/check.ts';
import type { Work } from '#features/core/supporter-work/do-work.ts';
import type { WorkKind } from '#features/core/supporter-work/work-repository.ts';
import { disbursements } from '#features/disbursements/disbursements.ts';
import type { RetentionDeps } from '#features/supporters/retention/delete-outdated.ts';
import { supporters } from '#features/supporters/supporters.ts';
import type { ServeForPrograms } from '#http/program-calls.ts';
import type { Serve } from '#http/serve.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { jobs } from '#jobs/jobs.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import type { Gauges } from '#telemetry/gauges.ts';
import type { AppDeps } from './app-deps.ts';

/** Parts that routes are given; each asks for those that it needs. */
export interface RouteDeps extends AppDeps {
  log: FastifyBaseLogger;
  sendMails: Enqueue['sendMails'];
  countFailedJobs: (db: Pool) => Promise<number>;
}

type Routes<Served> = readonly ((served: Served, deps: RouteDeps) => void)[];

/** Lists what a domain's features add to the application. */
interface Domain {
  /** Calls of the web app: open ones over control, those of supporters over each of their buckets. */
  routes?: Routes<Serve>;
  /** Links of emails, pages and notifications of providers, over the whole database. */
  publicRoutes?: Routes<{ app: FastifyInstance; serve: Serve }>;
  programRoutes?: Routes<ServeForPrograms>;
  consoleRoutes?: Routes<ServeConsole>;
  /** Gauges that are read from the database. */
  metrics?: readonly ((gauges: Gauges) => void)[];
}

/** Every domain that adds something, in the order of a cent's way, and the jobs. */
export const domains: readonly Domain[] = [
  core,
  beneficiaries,
  supporters,
  disbursements,
  collections,
  accounting,
  operation,
  jobs,
];

/** Parts that tasks of the timetable and supporters' work are given. */
export interface TaskDeps extends Pick<AppDeps, TaskParts> {
  log: Logger;
  callsInFlight: number;
  /** Days to renew an expired consent before bank data are deleted. */
  graceDays: number;
  retention: RetentionDeps['retention'];
  /** Invariants that are audited besides those of every installation. */
  alsoWanted: Checks;
  /** The start of this process. */
  startedAt: Date;
}

type TaskParts =
  | 'db'
  | 'clock'
  | 'bankLink'
  | 'directDebit'
  | 'encryption'
  | 'tenants'
  | 'statementName'
  | 'mailFrom'
  | 'removeUser';

type Task = (deps: TaskDeps, due: DueTask, day: IsoDate) => Promise<unknown>;

/** The work of each task of the timetable. */
export const tasks: Record<TimetableTask, Task> = {
  ...supporters.tasks,
  ...disbursements.tasks,
  ...collections.tasks,
  ...accounting.tasks,
};

/** Returns what is done for a supporter, by the kind of work. */
export const workOf = (deps: TaskDeps): Record<WorkKind, Work> => supporters.work(deps);
