import { randomUUID } from 'node:crypto';
import type { Cents } from '@sparechange/domain';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { AuditKeys } from '#audit/audit-keys.ts';
import type { CheckpointFile } from '#audit/checkpoint-file.ts';
import type { Pool } from '#db/connect.ts';
import type { DocumentPrinter } from '#documents/document-printer.ts';
import { closedDayRoutes } from '#features/accounting/banking-calendar/console-routes.ts';
import { reconciliationRoutes } from '#features/accounting/bookkeeping/console-routes.ts';
import { ledgerRoutes } from '#features/accounting/bookkeeping/ledger-routes.ts';
import { paymentConsoleRoutes } from '#features/accounting/payments/console-routes.ts';
import { bankDetailConsoleRoutes } from '#features/beneficiaries/bank-details/console-routes.ts';
import { bankDetailRoutes } from '#features/beneficiaries/bank-details/link-routes.ts';
import { clubRequestConsoleRoutes } from '#features/beneficiaries/club-requests/console-routes.ts';
import { clubRequestRoutes } from '#features/beneficiaries/club-requests/routes.ts';
import { clubConsoleRoutes } from '#features/beneficiaries/clubs/console-routes.ts';
import { contactRoutes } from '#features/beneficiaries/clubs/contact-routes.ts';
import { posterRoutes } from '#features/beneficiaries/clubs/poster-routes.ts';
import { clubRoutes } from '#features/beneficiaries/clubs/routes.ts';
import { bankFileRoutes } from '#features/collections/bank-files/console-routes.ts';
import { runRoutes } from '#features/collections/debits/console-routes.ts';
import { donationRoutes } from '#features/collections/donations/routes.ts';
import { historyRoutes } from '#features/collections/history/routes.ts';
import { debitLinkRoutes } from '#features/collections/next-debit/link-routes.ts';
import { nextDebitRoutes } from '#features/collections/next-debit/routes.ts';
import { tenantRoutes } from '#features/collections/tenants/console-routes.ts';
import { webhookRoutes } from '#features/collections/webhooks/routes.ts';
import { todayRoutes } from '#features/console/monitoring/today-routes.ts';
import type { ApprovedActs } from '#features/console/operators/acts.ts';
import { approvalRoutes } from '#features/console/operators/approval-routes.ts';
import { auditLogRoutes } from '#features/console/operators/audit-log-routes.ts';
import { consoleCallers, operatorRoutes } from '#features/console/operators/routes.ts';
import { type ActDeps, supportActRoutes } from '#features/console/support/act-routes.ts';
import { mailRoutes } from '#features/console/support/mail-routes.ts';
import { supporterRoutes } from '#features/console/support/supporter-routes.ts';
import type { Composer } from '#features/core/outbox/send-mails.ts';
import { endpointRoutes } from '#features/disbursements/outgoing-webhooks/console-routes.ts';
import { keyRoutes } from '#features/disbursements/programs/console-routes.ts';
import { verifyKey } from '#features/disbursements/programs/keys.ts';
import { programRoutes } from '#features/disbursements/programs/routes.ts';
import { adviceLinkRoutes } from '#features/disbursements/remittance-advice/link-routes.ts';
import { statementRoutes } from '#features/disbursements/remittances/statement-routes.ts';
import { treasurerRoutes } from '#features/disbursements/remittances/treasurer-routes.ts';
import { savingsRoutes } from '#features/disbursements/savings/routes.ts';
import { holderReviewRoutes } from '#features/supporters/accounts/review-routes.ts';
import { accountRoutes } from '#features/supporters/accounts/routes.ts';
import type { RenewalLinks } from '#features/supporters/consents/renewal-links.ts';
import { consentPageRoutes, consentRoutes } from '#features/supporters/consents/routes.ts';
import { handOffRoutes, type MintHandOffToken } from '#features/supporters/handoff/routes.ts';
import { identityRoutes } from '#features/supporters/identity/routes.ts';
import type { Sessions } from '#features/supporters/identity/sessions.ts';
import type { RemoveUser } from '#features/supporters/offboarding/close-supporter.ts';
import { offboardingRoutes } from '#features/supporters/offboarding/routes.ts';
import { onboardingRoutes } from '#features/supporters/onboarding/routes.ts';
import { receiptRoutes } from '#features/supporters/receipts/routes.ts';
import { roundUpRoutes } from '#features/supporters/round-ups/routes.ts';
import { limitCalls } from '#http/call-limits.ts';
import { clientErrorHandler } from '#http/client-errors.ts';
import { compressAnswers } from '#http/compress-answers.ts';
import { type WatchTimes, watchDatabase, withoutDatabase } from '#http/database-watch.ts';
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
import { jobRoutes } from '#jobs/console-routes.ts';
import { countDeadLetters } from '#jobs/queue-repository.ts';
import type { RetriedJobs } from '#jobs/retry-dead-letters.ts';
import type { BankFiles } from '#ports/bank-files.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { BusinessRegister } from '#ports/business-register.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import type { Notifiers } from '#ports/notifier.ts';
import type { SingleSignOn } from '#ports/single-sign-on.ts';
import type { WebhookReceivers } from '#ports/webhook-receiver.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { DebitLinks, IdLink } from '#secrets/signed-links.ts';
import { describeReadiness, type Needs } from '#telemetry/dependency-health.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import type { GivenPictures } from '#tenants/given-pictures.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import type { VerifyIdToken } from './caller.ts';

export interface AppDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  directDebit: DirectDebit;
  notifiers: Notifiers;
  /** Absent where payments do not go by bank files. */
  bankFiles?: BankFiles | undefined;
  encryption: FieldEncryption;
  auditKeys: AuditKeys;
  checkpointFile: CheckpointFile;
  tenants: Tenants;
  /** Where logos and pictures lie. */
  tenantsFolder: string;
  verifyIdToken: VerifyIdToken;
  enqueue: Enqueue;
  productUrl: string;
  /** The name our debits carry on statements. */
  statementName: string;
  debitCostCents: Cents;
  /** The product's own tenant, whose letterhead and name documents carry. */
  mainTenant: string;
  mailFrom: string;
  /** Returns the health of every dependency except the database. */
  needs?: () => Promise<Needs>;
  /** Returns why calls belong to another server: this one lacks its tenants and clubs yet, or is ending. */
  whyNotReady?: () => 'starting' | 'stopping' | undefined;
  sites: Sites;
  printer: DocumentPrinter;
  renewalLinks: RenewalLinks;
  debitLinks: DebitLinks;
  adviceLinks: IdLink;
  bankDetailLinks: IdLink;
  clubRequestLinks: IdLink;
  businessRegister?: BusinessRegister | undefined;
  givenPictures: GivenPictures;
  operatorLinks: IdLink;
  acts: ApprovedActs;
  singleSignOn?: SingleSignOn | undefined;
  /** Queues a failed job again, or all of them. */
  retryFailedJobs(id?: string): Promise<RetriedJobs & { left: number }>;
  webhookReceivers: WebhookReceivers;
  /** The console's address: on its own host, or on the product's where all is on one machine. */
  consoleUrl: URL;
  mintHandOffToken?: MintHandOffToken | undefined;
  removeUser: RemoveUser;
  sessions: Sessions;
  /** Marks an address as verified; absent with a Firebase project. */
  verifyEmail?: ((email: string) => Promise<void>) | undefined;
  mailReset?: ActDeps['mailReset'];
  signIns?: ActDeps['signIns'];
  identityService?: ActDeps['identityService'];
  /** Composes an email as sent, for the console to show. */
  composeMail: Composer;
  metrics?: ProductMetrics;
  /** The tenant key in a host name, known or not. */
  tenantOfHost?: (host: string) => string;
  edge?: EdgeSettings;
}

/** Settings of the edge's protection; the defaults are for development. */
export interface EdgeSettings {
  /** Makes browsers use https only. */
  hsts?: boolean;
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitFactor?: number;
  watchTimes?: Partial<WatchTimes>;
  /** Time for which calls of the console wait for work, which continues in the background after that. */
  patienceMs?: number;
  /** Asks the database over a connection of its own; absent, a late answer means that it is gone. */
  databaseAnswers?: () => Promise<boolean>;
}

/** Serves the features' operations over one database: control for open ones, a bucket for those of its supporters. */
function featureRoutes(serve: Serve, deps: AppDeps): void {
  const { db, clock, tenants } = deps;
  identityRoutes(serve, deps);
  clubRoutes(serve, deps);
  onboardingRoutes(serve, { db, clock, tenants });
  consentRoutes(serve, deps);
  offboardingRoutes(serve, deps);
  accountRoutes(serve, deps);
  roundUpRoutes(serve, deps);
  savingsRoutes(serve, deps);
  donationRoutes(serve, { db, clock, tenants });
  historyRoutes(serve, deps);
  nextDebitRoutes(serve, deps);
  receiptRoutes(serve, deps);
  handOffRoutes(serve, deps);
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
  compressAnswers(app, (route) => /^\/(console\/)?api\//.test(route));
  watchDatabase(app, deps.db, edge.watchTimes, edge.databaseAnswers, deps.metrics);
  const limits = rateLimits(deps.db, edge.rateLimitFactor);
  limitCalls(app, limits);
  limitPages(app, edge.rateLimitFactor);
  answerUnknownPaths(app);
  const serve = apiKeyCheck(app, { ...deps, limits });
  const { db, tenants, enqueue } = deps;
  featureRoutes({ ...serve, supporter: () => {} }, deps);
  for (const bucket of db.inBuckets()) featureRoutes({ ...serve, open: () => {} }, { ...deps, db: bucket });
  consentPageRoutes(app, deps);
  debitLinkRoutes(app, serve, deps);
  adviceLinkRoutes(serve, deps);
  bankDetailRoutes(app, { ...deps, log: app.log });
  clubRequestRoutes(serve, { ...deps, sendMails: enqueue.sendMails });
  const verify = (text: string) => verifyKey(deps, text);
  programRoutes(serveForPrograms(app, { verifyKey: verify, limits }), deps);
  const consoleDeps = { ...deps, sendMails: enqueue.sendMails };
  const serveConsole = consoleServer(app, {
    ...deps,
    ...consoleCallers(consoleDeps),
    limits,
    patienceMs: edge.patienceMs,
  });
  keyRoutes(serveConsole, deps);
  jobRoutes(serveConsole, deps);
  endpointRoutes(serveConsole, deps);
  reconciliationRoutes(serveConsole, deps);
  ledgerRoutes(serveConsole, deps);
  auditLogRoutes(serveConsole, { ...deps, log: app.log });
  bankFileRoutes(serveConsole, { ...deps, log: app.log });
  operatorRoutes(serveConsole, consoleDeps);
  paymentConsoleRoutes(serveConsole, deps);
  supporterRoutes(serveConsole, deps);
  supportActRoutes(serveConsole, deps);
  holderReviewRoutes(serveConsole, deps);
  mailRoutes(serveConsole, deps);
  tenantRoutes(serveConsole, deps);
  clubConsoleRoutes(serveConsole, deps);
  bankDetailConsoleRoutes(serveConsole, consoleDeps);
  approvalRoutes(serveConsole, deps);
  runRoutes(serveConsole, deps);
  closedDayRoutes(serveConsole, deps);
  todayRoutes(serveConsole, { ...deps, countFailedJobs: countDeadLetters, log: app.log });
  treasurerRoutes(serveConsole, deps);
  statementRoutes(serveConsole, deps);
  posterRoutes(serveConsole, deps);
  clubRequestConsoleRoutes(serveConsole, consoleDeps);
  contactRoutes(serveConsole, deps);
  describeApi(app);
  vitalsRoutes(app, {
    metrics: deps.metrics,
    tenantOfHost: (host) => tenants.byKey(deps.tenantOfHost?.(host) ?? '')?.key ?? 'default',
  });
  webhookRoutes(app, { ...deps, enqueueNotifications: enqueue.handleNotifications });
  app.get('/healthz', withoutDatabase, async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const status = deps.whyNotReady?.();
    if (status) return reply.code(503).send({ status });
    await db`select 1`; // where it fails, the answer is 503 like everybody's
    return describeReadiness((await deps.needs?.()) ?? {});
  });
  return app;
}
