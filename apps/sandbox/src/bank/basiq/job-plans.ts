import { z } from 'zod';
import type { Db } from '#world/database.ts';

export const stepTitles = ['verify-credentials', 'retrieve-accounts', 'retrieve-transactions'] as const;

const failureCodes = [
  'authorization-failed',
  'invalid-credentials',
  'account-not-accessible-requires-user-action',
  'user-action-required',
  'service-unavailable',
  'system-unavailable',
  'maintenance',
  'connector-error',
  'institution-not-available',
  'institution-disabled',
  'invalid-connection',
  'unknown-error',
  'job-timed-out',
] as const;

/** A job's planned ending, if not fast and successful. */
export const JobPlan = z.object({
  takes: z.enum(['fast', 'slow', 'stuck']).default('fast').describe('under 5 s, some 15 s, or more than 25 s'),
  fails: z.enum(stepTitles).optional().describe('the step that fails; later ones stay pending'),
  code: z.enum(failureCodes).default('unknown-error').describe("Basiq's word for it"),
});
export type JobPlan = z.infer<typeof JobPlan>;

/** Milliseconds from a job's start to each step's end. */
export const timelines: Record<JobPlan['takes'], readonly [number, number, number]> = {
  fast: [500, 1_000, 1_500],
  slow: [4_000, 15_000, 18_000],
  stuck: [12_000, 30_000, 45_000],
};

/** For the next job of a user. */
export const planNextJob = (db: Db, userId: string, plan: JobPlan): number =>
  db.run('insert into job_plans (user_id, plan) values (?, ?)', userId, JSON.stringify(plan));

export const takePlan = (db: Db, userId: string, jobId: string): number =>
  db.run(
    `update job_plans set job_id = ?1
     where rowid = (select min(rowid) from job_plans where user_id = ?2 and job_id is null)`,
    jobId,
    userId,
  );

export function findPlan(db: Db, jobId: string): JobPlan | undefined {
  const row = db.find<{ plan: string }>('select plan from job_plans where job_id = ?', jobId);
  return row === undefined ? undefined : JobPlan.parse(JSON.parse(row.plan));
}
