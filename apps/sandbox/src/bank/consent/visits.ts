import { randomBytes, randomInt } from 'node:crypto';
import type { Db } from '#world/database.ts';

export const actions = ['connect', 'manage', 'extend', 'update', 'reauthorise'] as const;
export type Action = (typeof actions)[number] | 'first';

export type VisitStep = 'bank' | 'crn' | 'code' | 'accounts' | 'manage' | 'extend' | 'reauthorise' | 'done';

/** One person's way through the consent pages. */
export interface Visit {
  id: string;
  userId: string;
  action: Action;
  /** The application's own text, handed back untouched. */
  state: string | null;
  step: VisitStep;
  institution: string | null;
  crn: string | null;
  code: string | null;
  jobIds: string[];
}

interface Row extends Omit<Visit, 'jobIds'> {
  jobIds: string;
}

export function findVisit(db: Db, id: string): Visit | undefined {
  const row = db.find<Row>(
    `select id, user_id as userId, action, state, step, institution, crn, code, job_ids as jobIds from visits where id = ?`,
    id,
  );
  return row === undefined ? undefined : { ...row, jobIds: JSON.parse(row.jobIds) };
}

export function startVisit(db: Db, visit: Omit<Visit, 'id' | 'crn' | 'code' | 'jobIds'>, at: number): Visit {
  const made: Visit = { ...visit, id: randomBytes(18).toString('base64url'), crn: null, code: null, jobIds: [] };
  db.run(
    `insert into visits (id, user_id, action, state, step, institution, crn, code, job_ids, created_at)
     values (?, ?, ?, ?, ?, ?, null, null, '[]', ?)`,
    made.id,
    made.userId,
    made.action,
    made.state,
    made.step,
    made.institution,
    at,
  );
  return made;
}

export function saveVisit(db: Db, visit: Visit): Visit {
  db.run(
    'update visits set step = ?, institution = ?, crn = ?, code = ?, job_ids = ? where id = ?',
    visit.step,
    visit.institution,
    visit.crn,
    visit.code,
    JSON.stringify(visit.jobIds),
    visit.id,
  );
  return visit;
}

export const newCode = (): string => String(randomInt(100_000, 1_000_000));

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
