import { randomUUID } from 'node:crypto';
import { type Connection, connect } from '#bank/basiq/connections.ts';
import { giveConsent } from '#bank/basiq/consents.ts';
import { scheduleDailyRefresh } from '#bank/basiq/daily-refresh.ts';
import { startJob } from '#bank/basiq/jobs.ts';
import { registerAccounts } from '#bank/statements/bank-accounts.ts';
import { type Customer, crns } from '#bank/statements/customers.ts';
import type { World } from '#world/world.ts';
import { saveVisit, type Visit } from './visits.ts';

const yearMs = 365 * 86_400_000;

/** Makes a consent, a connection and the job that fetches. */
export function authorise(world: World, visit: Visit, customer: Customer, positions: number[]): Visit {
  const { db, clock } = world;
  const now = clock.now();
  const { userId } = visit;
  giveConsent(world, userId, now);
  registerAccounts(db, customer);
  const { institution, crn } = customer;
  const connection = connect(db, { userId, institution, crn, expiresAt: now + yearMs, positions }, now);
  if (crn !== crns.fails && crn !== crns.unavailable) scheduleDailyRefresh(world, connection, now);
  const job = startJob(world, connection, 'connect', now);
  return saveVisit(db, { ...visit, step: 'done', jobIds: [...visit.jobIds, job.id] });
}

/** Leaves nothing but a job that failed with "access_denied". */
export function decline(world: World, visit: Visit): Visit {
  const { db, clock } = world;
  const now = clock.now();
  const nobody: Connection = {
    id: randomUUID(),
    userId: visit.userId,
    institution: visit.institution ?? '',
    crn: visit.crn ?? '',
    status: 'pending',
    createdAt: now,
    expiresAt: now,
    lastUsedAt: now,
    pendingIssue: 0,
    postedIssue: 0,
  };
  const job = startJob(world, nobody, 'declined', now);
  return saveVisit(db, { ...visit, step: 'done', jobIds: [...visit.jobIds, job.id] });
}
