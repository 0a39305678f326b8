import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { traced } from '#telemetry/trace.ts';

/** Routes of programs by their pattern; everything a browser shows is one: files are many and say little. */
function routeOf({ routeOptions: { url = 'unknown' } }: FastifyRequest): string {
  return /^\/(assets|tenants|pages)\/|^\/\*$|\.(svg|ico|txt|html)$/.test(url) ? 'web' : url;
}

/**
 * Logs and counts each answer, and runs each handler as part of its request. Paths and addresses are not logged: they may
 * hold somebody's email or a code.
 */
export function observeRequests(app: FastifyInstance, metrics: ProductMetrics | undefined): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    metrics?.requestsInFlight.inc();
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => traced(request.id, done));
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const { method } = request;
    const status = String(reply.statusCode);
    metrics?.requestsInFlight.dec();
    metrics?.requests.inc({ method, route, status });
    metrics?.requestSeconds.observe({ method, route }, reply.elapsedTime / 1_000);
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ requestId: request.id, method, route, status: reply.statusCode, ms }, 'answered');
    done();
  });
}
