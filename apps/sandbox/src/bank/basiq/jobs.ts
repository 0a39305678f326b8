import { randomUUID } from 'node:crypto';
import { crns } from '#bank/statements/customers.ts';
import type { Db } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { type Connection, failConnection, findConnection, noteRefresh, setConnectionStatus } from './connections.ts';
import { emit } from './events.ts';
import { findPlan, type JobPlan, type stepTitles, takePlan, timelines } from './job-plans.ts';

export type StepStatus = 'pending' | 'in-progress' | 'success' | 'failed';

export interface Step {
  title: (typeof stepTitles)[number];
  status: StepStatus;
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

interface Row extends Omit<Job, 'steps'> {
  steps: string;
}

const columns = `id, user_id as userId, connection_id as connectionId, institution, crn, created_at as createdAt,
  updated_at as updatedAt, is_open as isOpen, steps`;

const toJob = (row: Row): Job => ({ ...row, steps: JSON.parse(row.steps) });

export function findJob(db: Db, id: string): Job | undefined {
  const row = db.find<Row>(`select ${columns} from jobs where id = ?`, id);
  return row === undefined ? undefined : toJob(row);
}

export const listJobs = (db: Db, userId: string, since: number): Job[] =>
  db
    .all<Row>(
      `select ${columns} from jobs where user_id = ? and created_at >= ? order by created_at desc, rowid desc`,
      userId,
      since,
    )
    .map(toJob);

export const findOpenJob = (db: Db, connectionId: string): Job | undefined => {
  const row = db.find<Row>(
    `select ${columns} from jobs where connection_id = ? and is_open = 1 order by created_at desc limit 1`,
    connectionId,
  );
  return row === undefined ? undefined : toJob(row);
};

/** Returns milliseconds from a job's start to each step's end. */
function timelineOf(crn: string, isRefresh: boolean, plan: JobPlan | undefined): readonly [number, number, number] {
  if (plan) return timelines[plan.takes];
  if (crn === crns.slow) return timelines.stuck;
  return isRefresh ? [200, 400, 600] : timelines.fast;
}

/** Starts fetching from the bank; the agenda holds the results. */
export function startJob(
  world: World,
  connection: Connection,
  kind: 'connect' | 'refresh' | 'declined',
  at: number,
): Job {
  const { db, agenda } = world;
  const id = randomUUID();
  const steps: Step[] = [
    { title: 'verify-credentials', status: 'in-progress', result: null },
    { title: 'retrieve-accounts', status: 'pending', result: null },
    { title: 'retrieve-transactions', status: 'pending', result: null },
  ];
  db.run(
    `insert into jobs (id, user_id, connection_id, institution, crn, created_at, updated_at, is_open, steps)
     values (?, ?, ?, ?, ?, ?, ?, 1, ?)`,
    id,
    connection.userId,
    connection.id,
    connection.institution,
    connection.crn,
    at,
    at,
    JSON.stringify(steps),
  );
  if (kind === 'connect') takePlan(db, connection.userId, id);
  const [first] = timelineOf(connection.crn, kind === 'refresh', findPlan(db, id));
  if (kind === 'declined') fail(db, id, 0, declined, at);
  else agenda.schedule('job step', at + first, `${id} 0 ${kind}`);
  const job = findJob(db, id);
  if (job === undefined) throw new Error('The job was not stored.');
  return job;
}

const declined = { code: 'authorization-failed', title: 'Authorization failed', detail: 'access_denied' };
const notAccessible = {
  code: 'account-not-accessible-requires-user-action',
  title: 'Account not accessible, user action required.',
  detail: 'The bank needs you to sign in to its own site and finish something there before it can share your accounts.',
};

function save(db: Db, job: Job, at: number): void {
  const isOpen = job.steps.some(({ status }) => status === 'in-progress') ? 1 : 0;
  db.run(
    'update jobs set steps = ?, updated_at = ?, is_open = ? where id = ?',
    JSON.stringify(job.steps),
    at,
    isOpen,
    job.id,
  );
}

function fail(db: Db, id: string, index: number, result: object, at: number): void {
  const job = findJob(db, id);
  const step = job?.steps[index];
  if (job === undefined || step === undefined) return;
  job.steps[index] = { ...step, status: 'failed', result };
  save(db, job, at);
}

export function watchJobs(world: World): void {
  world.agenda.when('job step', (payload, at) => {
    const [id = '', number = '0', kind = ''] = payload.split(' ');
    finishStep(world, id, Number(number), kind === 'refresh', at);
  });
}

function finishStep(world: World, id: string, index: number, isRefresh: boolean, at: number): void {
  const { db, agenda } = world;
  const job = findJob(db, id);
  const connection = job === undefined ? undefined : findConnection(db, job.connectionId);
  // The user or the consent may be gone by now; there is nobody left to fetch for.
  if (job === undefined || connection === undefined) return;
  if (job.crn === crns.fails || (isRefresh && connection.status !== 'active')) {
    if (connection.status === 'pending') failConnection(db, connection.id);
    fail(db, id, 0, notAccessible, at);
    return;
  }
  const step = job.steps[index];
  if (step === undefined) return;
  const plan = findPlan(db, id);
  if (plan?.fails === step.title) {
    if (connection.status === 'pending') failConnection(db, connection.id);
    fail(db, id, index, { code: plan.code, title: 'Step failed.', detail: 'As it was planned.' }, at);
    return;
  }
  const paths = pathsOf(connection);
  job.steps[index] = { ...step, status: 'success', result: { type: 'link', url: paths[step.title] } };
  const next = job.steps[index + 1];
  if (next !== undefined) {
    job.steps[index + 1] = { ...next, status: 'in-progress' };
    const timeline = timelineOf(job.crn, isRefresh, plan);
    agenda.schedule(
      'job step',
      job.createdAt + (timeline[index + 1] ?? 0),
      `${id} ${index + 1} ${isRefresh ? 'refresh' : 'connect'}`,
    );
  }
  save(db, job, at);
  takeEffect(world, connection, step.title, at);
}

const pathsOf = ({ userId, id }: Connection): Record<Step['title'], string> => ({
  'verify-credentials': `/users/${userId}/connections/${id}`,
  'retrieve-accounts': `/users/${userId}/accounts?filter=connection.id.eq('${id}')`,
  'retrieve-transactions': `/users/${userId}/transactions?filter=connection.id.eq('${id}')`,
});

function takeEffect(world: World, connection: Connection, title: Step['title'], at: number): void {
  const { db, agenda } = world;
  const paths = pathsOf(connection);
  const tell = (type: Parameters<typeof emit>[1]) =>
    emit(world, type, { userId: connection.userId, path: paths[title] }, at);
  if (title === 'verify-credentials') {
    if (connection.status === 'active') return;
    setConnectionStatus(db, connection.id, 'active');
    agenda.schedule('connection expires', connection.expiresAt, connection.id);
    tell(connection.status === 'pending' ? 'connection.created' : 'connection.activated');
  }
  if (title === 'retrieve-accounts') tell('account.updated');
  if (title === 'retrieve-transactions') {
    noteRefresh(db, connection.id, at);
    tell('transactions.updated');
  }
}

export function presentJob(origin: string, job: Job) {
  const [verified] = job.steps;
  const source = `${origin}/basiq/users/${job.userId}/connections/${job.connectionId}`;
  return {
    type: 'job',
    id: job.id,
    created: isoInstant(job.createdAt),
    updated: isoInstant(job.updatedAt),
    jobType: 'connection',
    steps: job.steps,
    // Basiq leaves the source out until it knows there is a connection.
    links: { self: `${origin}/basiq/jobs/${job.id}`, ...(verified?.status === 'success' ? { source } : {}) },
  };
}
