import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { crns } from '#bank/statements/customers.ts';
import type { World } from '#world/world.ts';
import { parse } from './access.ts';
import { holds, parseFilter } from './filter.ts';
import { findJob, type Job, listJobs, presentJob } from './jobs.ts';
import { notFound, unavailable } from './problem.ts';
import { getUser } from './users.ts';

const weekMs = 7 * 86_400_000;

export function jobRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;

  const getJob = (id: string): Job => {
    const job = findJob(db, id);
    if (job === undefined) throw notFound('Requested job does not exist.');
    if (job.crn === crns.unavailable) throw unavailable();
    return job;
  };

  app.get<{ Params: { jobId: string } }>('/jobs/:jobId', async ({ params }) =>
    presentJob(origin, getJob(params.jobId)),
  );

  app.post<{ Params: { jobId: string } }>('/jobs/:jobId/mfa', async ({ params, body }, reply) => {
    parse(z.object({ 'mfa-response': z.array(z.string()) }), body);
    const { id } = getJob(params.jobId);
    return reply.status(202).send({ type: 'job', id, links: { self: `${origin}/basiq/jobs/${id}` } });
  });

  app.get<{ Params: { userId: string }; Querystring: { filter?: string } }>(
    '/users/:userId/jobs',
    async ({ params, query }) => {
      getUser(db, params.userId);
      const conditions = parseFilter(query.filter, { 'connection.id': ['eq'] });
      const data = listJobs(db, params.userId, clock.now() - weekMs)
        .filter(({ connectionId }) => conditions.every((condition) => holds(condition, connectionId)))
        .map((job) => ({
          ...presentJob(origin, job),
          institution: {
            type: 'institution',
            id: job.institution,
            links: { self: `${origin}/basiq/institutions/${job.institution}` },
          },
        }));
      return { type: 'list', size: data.length, data, links: { self: `${origin}/basiq/users/${params.userId}/jobs` } };
    },
  );
}
