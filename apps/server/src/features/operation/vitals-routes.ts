import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

/** A web performance figure, as the web app sends it: no address, no person. */
const Vital = z.object({
  name: z.enum(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']),
  value: z.number().min(0).max(600_000),
  rating: z.enum(['good', 'needs-improvement', 'poor']),
  path: z.string().regex(/^\/[a-z0-9-]{0,40}$/),
});

/** Our own collector of web performance figures, where no Firebase Analytics is configured (spec section 1). */
export function vitalsRoutes(app: FastifyInstance): void {
  app.post('/vitals', async (request, reply) => {
    const vital = Vital.safeParse(request.body);
    if (vital.success) request.log.info({ vital: vital.data }, 'web vital');
    return reply.status(204).send();
  });
}
