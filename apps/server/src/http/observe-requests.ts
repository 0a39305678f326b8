import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { type Span, startSpan } from '#ports/spans.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { traced } from '#telemetry/trace.ts';

/** The type of server-sent events. */
export const eventStream = 'text/event-stream';

/** Routes of calls by their pattern; everything a browser shows is one: files are many and say little. */
const routeOf = ({ routeOptions: { url = 'unknown' } }: FastifyRequest): string => nameOf(url);

function nameOf(url: string): string {
  return /^\/(assets|tenants|pages)\/|^\/\*$|\.(svg|ico|txt|html)$/.test(url) ? 'web' : url;
}

/** Server errors that routes answer with. */
const failures = ['500', '502', '503'];

/** Counts the failures of a route from 0 on: a series that is born with its first one never shows a growth. */
function countFromZero({ requests, lateFailures }: ProductMetrics, { method, url }: RouteOptions): void {
  if (nameOf(url) !== 'web') lateFailures.inc({ route: url }, 0);
  for (const each of [method].flat().filter((name) => !['HEAD', 'OPTIONS'].includes(name)))
    for (const status of failures) requests.inc({ method: each, route: nameOf(url), status }, 0);
}

/**
 * Logs and counts each answer, and runs each handler as part of its request. Paths and addresses are not logged: they may
 * hold somebody's email or a code.
 */
export function observeRequests(app: FastifyInstance, metrics: ProductMetrics | undefined): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook('onRoute', (route) => metrics && countFromZero(metrics, route));
  app.addHook('onRequest', (request, reply, done) => {
    metrics?.requestsInFlight.inc();
    const route = routeOf(request);
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = startSpan({ name: `${request.method} ${route}`, kind: 'server', attributes });
    if (span) spans.set(request, span);
    let isInFlight = true;
    const end = () => {
      if (!isInFlight) return;
      isInFlight = false;
      metrics?.requestsInFlight.dec();
      span?.attribute('http.response.status_code', reply.statusCode);
      span?.end(reply.statusCode >= 500);
    };
    ends.set(request, end);
    reply.raw.once('close', end); // an answer that is broken off, such as a stream, has no onResponse
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const handle = () => traced(request.id, done);
    const span = spans.get(request);
    if (span) span.run(handle);
    else handle();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const { method } = request;
    const status = String(reply.statusCode);
    ends.get(request)?.();
    metrics?.requests.inc({ method, route, status });
    const isStream = reply.getHeader('content-type') === eventStream; // open for as long as somebody looks
    if (!isStream) metrics?.requestSeconds.observe({ method, route }, reply.elapsedTime / 1_000);
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ requestId: request.id, method, route, status: reply.statusCode, ms }, 'answered');
    done();
  });
}
