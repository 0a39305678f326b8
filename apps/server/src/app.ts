import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { consoleCallers } from '#features/console/operators/routes.ts';
import { verifyKey } from '#features/disbursements/programs/keys.ts';
import { limitCalls } from '#http/call-limits.ts';
import { clientErrorHandler } from '#http/client-errors.ts';
import { compressAnswers } from '#http/compress-answers.ts';
import { watchDatabase, withoutDatabase } from '#http/database-watch.ts';
import { describeApi } from '#http/describe-api.ts';
import { answerError, answerErrors } from '#http/errors.ts';
import { refuseSecondHost, separateConsole } from '#http/hosts.ts';
import { observeRequests } from '#http/observe-requests.ts';
import { maxHeadBytes, refuseOversized, requestTimes } from '#http/oversized-requests.ts';
import { limitPages } from '#http/page-limits.ts';
import { serveForPrograms } from '#http/program-calls.ts';
import { rateLimits } from '#http/rate-limit.ts';
import { protectAnswers, securityHeaders } from '#http/security-headers.ts';
import { apiKeyCheck, type Serve } from '#http/serve.ts';
import { consoleServer } from '#http/serve-console.ts';
import { answerUnknownPaths } from '#http/unknown-paths.ts';
import { vitalsRoutes } from '#http/vitals-routes.ts';
import { countDeadLetters } from '#jobs/queue-repository.ts';
import { describeReadiness } from '#telemetry/dependency-health.ts';
import type { AppDeps } from './app-deps.ts';
import { domains, type RouteDeps } from './registry.ts';

/** Calls of the web app that every domain serves over one database: control for open ones, a bucket for its supporters'. */
function webRoutes(serve: Serve, deps: RouteDeps): void {
  for (const { routes = [] } of domains) for (const add of routes) add(serve, deps);
}

/** The API alone: reads no environment and does not listen. */
export function buildApp(deps: AppDeps, options: FastifyServerOptions = {}): FastifyInstance {
  const { edge = {} } = deps;
  const headers = securityHeaders({ hsts: edge.hsts ?? false });
  const app = Fastify({
    bodyLimit: 64 * 1024,
    requestTimeout: requestTimes.requestTimeout,
    http: {
      ...requestTimes,
      maxHeaderSize: maxHeadBytes,
      requireHostHeader: false, // Node's own refusal has no headers (http/security-headers.ts)
    },
    logController: new LogController({ disableRequestLogging: true }), // ours has no paths in it
    childLoggerFactory: (logger) => logger, // lines get their request's id when they are written (telemetry/log.ts)
    return503OnClosing: false, // what still comes over an open connection is answered, and ends it (http/drain.ts)
    genReqId: () => randomUUID(), // never one from outside: it goes into our logs
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => answerError(request, reply.headers(headers), error),
    clientErrorHandler: clientErrorHandler(headers),
    ...options,
  });
  app.removeContentTypeParser('text/plain'); // JSON alone: everything else is 415
  answerErrors(app);
  protectAnswers(app, headers);
  refuseOversized(app);
  refuseSecondHost(app);
  separateConsole(app, deps.consoleUrl, deps.productUrl);
  observeRequests(app, deps.metrics);
  app.addHook('preHandler', (_request, _reply, done) => deps.tenants.hold(done));
  compressAnswers(app, (route) => route.startsWith('/api/') || route.startsWith('/console/api/'));
  watchDatabase(app, deps.db, edge.watchTimes, edge.databaseAnswers, deps.metrics);
  const limits = rateLimits(deps.db, edge.rateLimitFactor);
  limitCalls(app, limits);
  limitPages(app, edge.rateLimitFactor);
  answerUnknownPaths(app);
  const serve = apiKeyCheck(app, { ...deps, limits });
  const { db, tenants } = deps;
  const given = { ...deps, log: app.log, sendMails: deps.enqueue.sendMails, countFailedJobs: countDeadLetters };
  webRoutes({ ...serve, supporter: () => {} }, given);
  for (const bucket of db.inBuckets()) webRoutes({ ...serve, open: () => {} }, { ...given, db: bucket });
  const servePrograms = serveForPrograms(app, { verifyKey: (text) => verifyKey(deps, text), limits });
  const serveConsole = consoleServer(app, { ...deps, ...consoleCallers(given), limits, patienceMs: edge.patienceMs });
  for (const { publicRoutes = [], programRoutes = [], consoleRoutes = [] } of domains) {
    for (const add of publicRoutes) add({ app, serve }, given);
    for (const add of programRoutes) add(servePrograms, given);
    for (const add of consoleRoutes) add(serveConsole, given);
  }
  describeApi(app);
  vitalsRoutes(app, {
    metrics: deps.metrics,
    tenantOfHost: (host) => tenants.byKey(deps.tenantOfHost?.(host) ?? '')?.key ?? 'default',
  });
  app.get('/healthz', withoutDatabase, async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const status = deps.whyNotReady?.();
    if (status) return reply.code(503).send({ status });
    await db`select 1`; // where it fails, the answer is 503 like everybody's
    return describeReadiness((await deps.needs?.()) ?? {});
  });
  return app;
}
