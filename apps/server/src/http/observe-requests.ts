import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type Span, type SpanStart, startSpan } from '#ports/spans.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { traced } from '#telemetry/trace.ts';

/** The type of server-sent events. */
export const eventStream = 'text/event-stream';

/** Routes of calls by their pattern; everything a browser shows is one: files are many and say little. */
const routeOf = ({ routeOptions: { url = 'unknown' } }: FastifyRequest): string => nameOf(url);

/** Names of the routes, which are as many as the product has. */
const names = new Map<string, string>();

function nameOf(url: string): string {
  const known = names.get(url);
  if (known !== undefined) return known;
  const name = /^\/(assets|tenants|pages)\/|^\/\*$|\.(svg|ico|txt|html)$/.test(url) ? 'web' : url;
  names.set(url, name);
  return name;
}

/** Server errors that routes answer with. */
const failures = ['500', '502', '503'];

/** Counts the failures of a route from 0 on: a series that is born with its first one never shows a growth. */
function countFromZero({ requests, lateFailures }: ProductMetrics, { method, url }: RouteOptions): void {
  if (nameOf(url) !== 'web') lateFailures.inc({ route: url }, 0);
  for (const each of [method].flat().filter((name) => !['HEAD', 'OPTIONS'].includes(name)))
    for (const status of failures) requests.inc({ method: each, route: nameOf(url), status }, 0);
}

declare module 'fastify' {
  interface FastifyRequest {
    observed: Observed | undefined;
  }
}

/** A request that is being answered. */
class Observed {
  readonly span: Span | undefined;
  readonly #metrics: ProductMetrics | undefined;
  readonly #reply: FastifyReply;
  #isOver = false;

  constructor(metrics: ProductMetrics | undefined, request: FastifyRequest, reply: FastifyReply) {
    this.#metrics = metrics;
    this.#reply = reply;
    metrics?.requestsInFlight.inc();
    this.span = startSpan(() => spanOf(request));
  }

  /** Ends it at the first call. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#metrics?.requestsInFlight.dec();
    this.span?.attribute('http.response.status_code', this.#reply.statusCode);
    this.span?.end(this.#reply.statusCode >= 500);
  }
}

function spanOf(request: FastifyRequest): SpanStart {
  const route = routeOf(request);
  const attributes = { 'http.request.method': request.method, 'http.route': route };
  return { name: `${request.method} ${route}`, kind: 'server', attributes };
}

/**
 * Logs and counts each answer, and runs each handler as part of its request. Paths and addresses are not logged: they may
 * hold somebody's email or a code.
 */
export function observeRequests(app: FastifyInstance, metrics: ProductMetrics | undefined): void {
  app.decorateRequest('observed', undefined);
  app.addHook('onRoute', (route) => metrics && countFromZero(metrics, route));
  app.addHook('onRequest', (request, reply, done) => {
    const observed = new Observed(metrics, request, reply);
    request.observed = observed;
    reply.raw.once('close', () => observed.end()); // an answer that is broken off, such as a stream, has no onResponse
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const handle = () => traced(request.id, done);
    const span = request.observed?.span;
    if (span) span.run(handle);
    else handle();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const { method } = request;
    const status = String(reply.statusCode);
    request.observed?.end();
    metrics?.requests.inc({ method, route, status });
    const isStream = reply.getHeader('content-type') === eventStream; // open for as long as somebody looks
    if (!isStream) metrics?.requestSeconds.observe({ method, route }, reply.elapsedTime / 1_000);
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ requestId: request.id, method, route, status: reply.statusCode, ms }, 'answered');
    done();
  });
}
