import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { getUser } from '#bank/basiq/users.ts';
import { authorise } from '#bank/consent/authorise.ts';
import { startVisit } from '#bank/consent/visits.ts';
import { banks } from '#bank/statements/banks.ts';
import { customerOf, isCrn } from '#bank/statements/customers.ts';
import type { World } from '#world/world.ts';

const Connection = z.object({
  userId: z.string(),
  crn: z.string().refine(isCrn, { error: 'has 8 digits' }),
  institution: z.enum(banks.map(({ id }) => id)).default(banks[0].id),
});

/** A customer who goes through the consent pages in one step and shares every account, for seeds and tests. */
export function connectionRoutes(app: FastifyInstance, world: World): void {
  const { db, clock } = world;
  app.post('/connections', async ({ body }, reply) => {
    const { userId, crn, institution } = Connection.parse(body);
    const user = getUser(db, userId);
    const customer = customerOf(institution, crn);
    const visit = db.atomically(() => {
      const started = startVisit(
        db,
        { userId: user.id, action: 'first', state: null, step: 'accounts', institution },
        clock.now(),
      );
      const positions = customer.accounts.map(({ position }) => position);
      return authorise(world, { ...started, crn }, customer, positions);
    });
    return reply.status(201).send({ jobId: visit.jobIds.at(-1) });
  });
}
