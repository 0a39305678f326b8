import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';

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
type Measure = z.infer<typeof Measure>;

/** The first part of each screen's path; everything else is a club's page or no page, and one route. */
const routes = new Set(
  [
    ['', 'verify', 'register2', 'register', 'clubs', 'launch-consent', 'consented', 'confirmed', 'roundup-accounts'],
    ['funding-accounts', 'finished', 'dashboard', 'linked-accounts', 'history', 'support', 'terms', 'logout'],
    [
      'extend-consent',
      'expired-consent',
      'previous-page',
      'skip-debit',
      'debit-mails',
      'advice-mails',
      'join',
      'confirm-email',
      'hand-off',
      'help',
      'about',
      'privacy',
      'login',
      'signin',
      '__',
    ],
  ].flatMap((names) => names.map((name) => `/${name}`)),
);

const routeOf = (screen: string): string => (routes.has(screen) ? screen : '/:variable');

export interface VitalsDeps {
  metrics?: Pick<ProductMetrics, 'pageViews' | 'webSeconds' | 'webShifts'> | undefined;
  /** Returns the key of a host's tenant, which always exists. */
  tenantOfHost: (host: string) => string;
}

/**
 * Collects the web app's measurements, where no Firebase Analytics is configured: counters and histograms by route, and
 * of page views by tenant, whose label cardinality no caller can raise.
 */
export function vitalsRoutes(app: FastifyInstance, { metrics, tenantOfHost }: VitalsDeps): void {
  app.post('/vitals', async (request, reply) => {
    const measure = Measure.safeParse(request.body);
    if (measure.success && metrics) count(measure.data, metrics, tenantOfHost(request.hostname));
    return reply.status(204).send();
  });
}

function count(measure: Measure, metrics: NonNullable<VitalsDeps['metrics']>, tenant: string): void {
  const route = routeOf(measure.path);
  if (measure.name === 'page_view') metrics.pageViews.inc({ route, tenant });
  else if (measure.name === 'CLS') metrics.webShifts.observe({ route }, measure.value);
  else metrics.webSeconds.observe({ vital: measure.name, route }, measure.value / 1_000);
}
