import { randomBytes } from 'node:crypto';
import { type Connection, connect, scheduleDailyRefresh } from '#bank/basiq/connections.ts';
import { giveConsent, yearMs } from '#bank/basiq/consents.ts';
import { type Job, startJob } from '#bank/basiq/jobs.ts';
import { type Customer, crns, registerAccounts } from '#bank/statements/customers.ts';
import { type Db, table } from '#world/database.ts';
import type { World } from '#world/world.ts';

/** One person's way through the consent pages. */
export interface Visit {
  id: string;
  userId: string;
  action: 'first' | 'connect' | 'manage' | 'extend' | 'update' | 'reauthorise';
  /** The application's own text, handed back untouched. */
  state: string | null;
  step: 'bank' | 'crn' | 'code' | 'accounts' | 'manage' | 'extend' | 'reauthorise' | 'done';
  institution: string | null;
  crn: string | null;
  code: string | null;
  jobIds: string[];
  createdAt: number;
}

export const visits = table<Visit>('visits', ['jobIds']);

export function startVisit(
  db: Db,
  visit: Pick<Visit, 'userId' | 'action' | 'state' | 'step' | 'institution'>,
  createdAt: number,
): Visit {
  const id = randomBytes(18).toString('base64url');
  return visits.insert(db, { ...visit, id, crn: null, code: null, jobIds: [], createdAt });
}

export function changeVisit(db: Db, visit: Visit, change: Partial<Visit>): Visit {
  visits.update(db, { id: visit.id }, change);
  return { ...visit, ...change };
}

export const finishVisit = (db: Db, visit: Visit, job?: Job): Visit =>
  changeVisit(db, visit, { step: 'done', jobIds: job === undefined ? visit.jobIds : [...visit.jobIds, job.id] });

/** Makes a consent, a connection and the job that fetches. */
export function authorise(world: World, userId: string, customer: Customer, positions: number[]): Job {
  const { db, clock } = world;
  const now = clock.now();
  giveConsent(world, userId, now);
  registerAccounts(db, customer);
  const { institution, crn } = customer;
  const wanted = { userId, institution, crn, expiresAt: now + yearMs };
  const connection: Connection = connect(db, wanted, positions, now);
  if (crn !== crns.fails && crn !== crns.unavailable) scheduleDailyRefresh(world, connection, now);
  return startJob(world, connection, 'connect', now);
}

/** Returns the application's address with the outcome of the visit. */
export function returnAddress(redirectUrl: string, { jobIds, state }: Visit): string {
  const address = new URL(redirectUrl);
  const newest = jobIds.at(-1);
  if (newest !== undefined) {
    address.searchParams.set('jobId', newest);
    address.searchParams.set('jobIds', jobIds.join(','));
  }
  if (state !== null) address.searchParams.set('state', state);
  return address.href;
}
