import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

const path = z.string().regex(/^\/[a-z0-9_-]{0,40}$/);

/** A web performance figure or a screen that was seen, as the web app sends it: no address, no person. */
const Measure = z.union([
  z.object({
    name: z.enum(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']),
    value: z.number().min(0).max(600_000),
    rating: z.enum(['good', 'needs-improvement', 'poor']),
    path,
  }),
  z.object({ name: z.literal('page_view'), path }),
]);

/** Our own collector of what the web app measures, where no Firebase Analytics is configured (spec section 1). */
export function vitalsRoutes(app: FastifyInstance): void {
  app.post('/vitals', async (request, reply) => {
    const measure = Measure.safeParse(request.body);
    if (measure.success) request.log.info({ measure: measure.data }, 'web measure');
    return reply.status(204).send();
  });
}
