import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { crns } from '#bank/statements/customers.ts';
import { type Db, table } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { listOf, notFound, unavailable } from './answers.ts';
import { type Connection, completeRefresh, connections, emitOf, failConnection, pathsOf } from './connections.ts';
import { applyFilter } from './filter.ts';
import { getUser } from './users.ts';

const stepTitles = ['verify-credentials', 'retrieve-accounts', 'retrieve-transactions'] as const;

interface Step {
  title: (typeof stepTitles)[number];
  status: 'pending' | 'in-progress' | 'success' | 'failed';
  result: object | null;
}

export interface Job {
  id: string;
  userId: string;
  connectionId: string;
  institution: string;
  crn: string;
  createdAt: number;
  updatedAt: number;
  isOpen: number;
  steps: Step[];
}

const jobs = table<Job>('jobs', ['steps']);

export const findOpenJob = (db: Db, connectionId: string): Job | undefined =>
  jobs.find(db, { connectionId, isOpen: 1 }, 'order by created_at desc');

/** A job's planned ending, if not fast and successful. */
export const JobPlan = z.object({
  takes: z
    .enum(['instant', 'fast', 'slow', 'stuck'])
    .default('fast')
    .describe('no time, under 5 s, some 15 s, or more than 25 s'),
  fails: z.enum(stepTitles).optional().describe('the step that fails; later ones stay pending'),
  code: z.string().default('unknown-error').describe("Basiq's word for it"),
});
export type JobPlan = z.infer<typeof JobPlan>;

const plans = table<{ userId: string; jobId: string | null; plan: JobPlan }>('job_plans', ['plan']);

export const planNextJob = (db: Db, userId: string, plan: JobPlan): void =>
  void plans.insert(db, { userId, jobId: null, plan });

const takePlan = (db: Db, userId: string, jobId: string): number =>
  db.run(
    `update job_plans set job_id = ?1
     where rowid = (select min(rowid) from job_plans where user_id = ?2 and job_id is null)`,
    jobId,
    userId,
  );

/** Milliseconds from a job's start to each step's end. */
const timelines = {
  instant: [0, 0, 0],
  refresh: [200, 400, 600],
  fast: [500, 1_000, 1_500],
  slow: [4_000, 15_000, 18_000],
  stuck: [12_000, 30_000, 45_000],
};

type Kind = 'connect' | 'refresh';

/** Schedules the end of a job's step. */
function scheduleStep({ db, scheduler }: World, { id, crn, createdAt }: Job, index: number, kind: Kind): void {
  const planned = plans.find(db, { jobId: id })?.plan.takes;
  const takes = planned ?? (crn === crns.slow ? 'stuck' : kind === 'refresh' ? 'refresh' : 'fast');
  scheduler.schedule('job step', createdAt + (timelines[takes][index] ?? 0), `${id} ${index} ${kind}`);
}

type Source = Pick<Connection, 'id' | 'userId' | 'institution' | 'crn'>;

function addJob(db: Db, { id: connectionId, userId, institution, crn }: Source, at: number): Job {
  const steps = stepTitles.map((title, index) => ({
    title,
    status: index === 0 ? ('in-progress' as const) : ('pending' as const),
    result: null,
  }));
  const times = { createdAt: at, updatedAt: at };
  return jobs.insert(db, { id: randomUUID(), userId, connectionId, institution, crn, ...times, isOpen: 1, steps });
}

/** Starts fetching from the bank; its steps end by schedule. */
export function startJob(world: World, connection: Connection, kind: Kind, at: number): Job {
  const job = addJob(world.db, connection, at);
  if (kind === 'connect') takePlan(world.db, connection.userId, job.id);
  scheduleStep(world, job, 0, kind);
  return job;
}

/** Adds a job that failed because the person declined. */
export function addDeclinedJob({ db }: World, source: Source, at: number): Job {
  const job = addJob(db, source, at);
  fail(db, job, 0, { code: 'authorization-failed', title: 'Authorization failed', detail: 'access_denied' }, at);
  return job;
}

function save(db: Db, { id, steps }: Job, at: number): void {
  const isOpen = steps.some(({ status }) => status === 'in-progress') ? 1 : 0;
  jobs.update(db, { id }, { steps, updatedAt: at, isOpen });
}

function fail(db: Db, job: Job, index: number, result: object, at: number): void {
  const steps = job.steps.map((step, each) => (each === index ? { ...step, status: 'failed' as const, result } : step));
  save(db, { ...job, steps }, at);
}

const notAccessible = {
  code: 'account-not-accessible-requires-user-action',
  title: 'Account not accessible, user action required.',
  detail: 'The bank needs you to sign in to its own site and finish something there before it can share your accounts.',
};

export function watchJobs(world: World): void {
  world.scheduler.on('job step', (payload, at) => {
    const [id = '', index = '0', kind] = payload.split(' ');
    finishStep(world, id, Number(index), kind === 'refresh' ? 'refresh' : 'connect', at);
  });
}

function finishStep(world: World, id: string, index: number, kind: Kind, at: number): void {
  const { db } = world;
  const job = jobs.find(db, { id });
  const step = job?.steps[index];
  const connection = job && connections.find(db, { id: job.connectionId });
  // The user or the consent may have been removed in the meantime.
  if (job === undefined || step === undefined || connection === undefined) return;
  const plan = plans.find(db, { jobId: id })?.plan;
  const isRefused = job.crn === crns.fails || (kind === 'refresh' && connection.status !== 'active');
  if (isRefused || plan?.fails === step.title) {
    if (connection.status === 'pending') failConnection(db, connection.id);
    if (isRefused) fail(db, job, index, notAccessible, at);
    else fail(db, job, index, { code: plan?.code, title: 'Step failed.', detail: 'As it was planned.' }, at);
    return;
  }
  const { connection: self, accounts, transactions } = pathsOf(connection);
  const urls = { 'verify-credentials': self, 'retrieve-accounts': accounts, 'retrieve-transactions': transactions };
  job.steps[index] = { ...step, status: 'success', result: { type: 'link', url: urls[step.title] } };
  const next = job.steps[index + 1];
  if (next !== undefined) {
    job.steps[index + 1] = { ...next, status: 'in-progress' };
    scheduleStep(world, job, index + 1, kind);
  }
  save(db, job, at);
  takeEffect(world, connection, step.title, at);
}

function takeEffect(world: World, connection: Connection, title: Step['title'], at: number): void {
  if (title === 'verify-credentials' && connection.status !== 'active') {
    connections.update(world.db, { id: connection.id }, { status: 'active' });
    world.scheduler.schedule('connection expires', connection.expiresAt, connection.id);
    emitOf(world, connection.status === 'pending' ? 'connection.created' : 'connection.activated', connection, at);
  }
  if (title === 'retrieve-accounts') emitOf(world, 'account.updated', connection, at);
  if (title === 'retrieve-transactions') completeRefresh(world, connection, at);
}

const weekMs = 7 * 86_400_000;

export function jobRoutes(app: FastifyInstance, { db, clock, origin }: World): void {
  const api = `${origin}/basiq`;

  const present = (job: Job) => {
    const self = `${api}/jobs/${job.id}`;
    const source = `${api}${pathsOf({ userId: job.userId, id: job.connectionId }).connection}`;
    return {
      type: 'job',
      id: job.id,
      created: isoInstant(job.createdAt),
      updated: isoInstant(job.updatedAt),
      jobType: 'connection',
      steps: job.steps,
      // Basiq leaves the source out until it knows there is a connection.
      links: { self, ...(job.steps[0]?.status === 'success' ? { source } : {}) },
    };
  };

  const getJob = (id: string): Job => {
    const job = jobs.find(db, { id });
    if (job === undefined) throw notFound('job');
    if (job.crn === crns.unavailable) throw unavailable();
    return job;
  };

  app.get<{ Params: { jobId: string } }>('/jobs/:jobId', async ({ params }) => present(getJob(params.jobId)));

  app.get<{ Params: { userId: string }; Querystring: { filter?: string } }>(
    '/users/:userId/jobs',
    async ({ params: { userId }, query }) => {
      getUser(db, userId);
      const order = 'order by created_at desc, rowid desc';
      const recent = jobs.select(db, `where user_id = ? and created_at >= ? ${order}`, userId, clock.now() - weekMs);
      const found = applyFilter(recent, query.filter, ['eq'], { 'connection.id': ({ connectionId }) => connectionId });
      const data = found.map((job) => {
        const links = { self: `${api}/institutions/${job.institution}` };
        return { ...present(job), institution: { type: 'institution', id: job.institution, links } };
      });
      return listOf(`${api}/users/${userId}/jobs`, data, 'size');
    },
  );
}
