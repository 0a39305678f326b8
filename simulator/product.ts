import { buildApp } from '@sparechange/server/app.ts';
import type { CheckpointFile } from '@sparechange/server/audit/checkpoint-file.ts';
import { parseConfig } from '@sparechange/server/config/config.ts';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { type EngineName, engines } from '@sparechange/server/db/engine.ts';
import type { DocumentPrinter } from '@sparechange/server/documents/document-printer.ts';
import { removeUserInside } from '@sparechange/server/identity/users.ts';
import type { JobHandlers, Jobs } from '@sparechange/server/jobs/queues.ts';
import type { Mailer } from '@sparechange/server/ports/mailer.ts';
import { basiqBankLink } from '@sparechange/server/providers/basiq/index.ts';
import { zeptoDirectDebit } from '@sparechange/server/providers/zepto/index.ts';
import { approvedActs } from '@sparechange/server/runtime/approved-acts.ts';
import type { Runtime } from '@sparechange/server/runtime/compose.ts';
import { composerOf } from '@sparechange/server/runtime/compose-mails.ts';
import { handlersOf } from '@sparechange/server/runtime/job-handlers.ts';
import { makeParts, projectFolder, tenantsFolder } from '@sparechange/server/runtime/make-parts.ts';
import { productMetrics } from '@sparechange/server/telemetry/product-metrics.ts';
import { loadTenants, type Tenants } from '@sparechange/server/tenants/load-tenants.ts';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { externalUrl, keys } from './external-systems.ts';
import type { Chance } from './scheduler/chance.ts';
import { HeldSessions } from './scheduler/held-sessions.ts';
import { scheduledPool } from './scheduler/scheduled-pool.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import type { VirtualClock } from './scheduler/virtual-clock.ts';

/** One process of the product, from a start to its end. Only the database outlives it. */
export interface Product {
  runtime: Runtime;
  app: FastifyInstance;
  handlers: JobHandlers;
  scheduler: Scheduler;
  /** Ends it and takes from its sessions what they hold, so that no lock of its is left. */
  close(): Promise<void>;
}

export interface ProductEnvironment {
  databaseUrl: string;
  engine: EngineName;
  /** The connections of the product, which one process leaves to the next: to plan every statement again takes longer than a day. */
  pool: Pool;
  clock: VirtualClock;
  fetch: typeof fetch;
  mailer: Mailer;
  enqueue: Jobs['enqueue'];
  /** Outlives the process, like the one on an operator's disk. */
  checkpointFile: CheckpointFile;
  chance: Chance;
}

/** No time of the machine's own clock decides anything: where it stands still for seconds, the run has to stay the same. */
const neverMs = 2 ** 31 - 1;
const key = Buffer.alloc(32, 7);
let tenants: Tenants | undefined;

/** Returns a clock that stands still once the process has crashed: when it ends is not the seed's choice, and may move nothing. */
const frozenAfterCrash = (clock: VirtualClock, scheduler: Scheduler): VirtualClock => ({
  ...clock,
  now: () => (scheduler.crash ? clock.peek() : clock.now()),
});

/**
 * A printer whose documents take turns: emails are composed concurrently, and the seed does not decide how long a page
 * takes.
 */
const scheduledPrinter = (printer: DocumentPrinter, scheduler: Scheduler): DocumentPrinter => ({
  ...printer,
  brandOf: (tenant) => scheduler.take('document', 'logo', () => printer.brandOf(tenant)),
  print: (document) => scheduler.take('document', document.title, () => printer.print(document)),
});

/** Starts the product on its database, as a restart would, without anything it had in memory or held in a session. */
export async function startProduct(environment: ProductEnvironment, scheduler: Scheduler): Promise<Product> {
  const { databaseUrl, engine: engineName, pool, checkpointFile, chance } = environment;
  const clock = frozenAfterCrash(environment.clock, scheduler);
  tenants ??= await loadTenants(tenantsFolder);
  const config = parseConfig({
    DATA_DIR: `${projectFolder}.data`,
    LOG_LEVEL: 'silent',
    OPERATOR_MAIL: 'operator@example.com',
  });
  const log = pino({ level: 'silent' });
  const engine = engines[engineName];
  await engine.findNodes(pool);
  const held = new HeldSessions();
  const db = scheduledPool(pool, scheduler, held);
  const made = makeParts({ db, tenants, dataKeys: [key], site: config });
  const outgoing = {
    fetch: environment.fetch,
    now: () => clock.now(),
    sleep: async () => {},
    random: () => (scheduler.crash ? 0 : chance.next()),
    retry: { maxTries: 4, firstMs: 1, factor: 2, longestMs: 1, givenUpAfterMs: 3_600_000, maxRetryAfterMs: 15_000 },
  };
  const runtime: Runtime = {
    ...made,
    config,
    log,
    metrics: productMetrics(db),
    databaseUrl,
    ownerUrl: undefined,
    engine,
    db,
    clock,
    tenants,
    checkpointFile,
    bankLink: basiqBankLink({
      ...outgoing,
      apiUrl: `${externalUrl}/basiq`,
      consentUrl: `${externalUrl}/home`,
      apiKey: keys.basiqApiKey,
      webhookSecret: keys.basiqWebhookSecret,
    }),
    bankLinkAddress: `${externalUrl}/basiq`,
    directDebitAddress: `${externalUrl}/zepto`,
    directDebitProbe: async () => true,
    directDebit: zeptoDirectDebit({
      ...outgoing,
      apiUrl: `${externalUrl}/zepto`,
      token: keys.zeptoToken,
      webhookSecret: keys.zeptoWebhookSecret,
      apiVersion: config.zepto.apiVersion,
    }),
    mailer: environment.mailer,
    webhookReceivers: { problemOf: () => undefined, post: async () => ({ status: null, text: 'no receiver' }) },
    printer: scheduledPrinter(made.printer, scheduler),
    needs: () => Promise.reject(new Error('Nobody asks the simulated product what it needs.')),
    close: async () => {},
  };
  const app = buildApp({
    ...runtime,
    debitCostCents: config.debitCostCents,
    verifyIdToken: async (token) => ({ uid: token, email: `${token}@supporters.test`, authTime: Date.now() / 1000 }),
    removeUser: async (tx, uid) => {
      await removeUserInside(tx, uid);
      return 'removed';
    },
    sessions: { end: async () => {}, endEvery: async () => {} },
    enqueue: environment.enqueue,
    acts: approvedActs(runtime),
    retryFailedJobs: async () => ({ retried: 0, failures: [], left: 0 }),
    composeMail: composerOf(runtime),
    productUrl: config.productUrl,
    statementName: config.statementName,
    mainTenant: config.mainTenant,
    mailFrom: config.mailFrom,
    edge: {
      rateLimitFactor: 0,
      watchTimes: { everyMs: neverMs, lateMs: neverMs, longestMs: neverMs, commitMs: neverMs },
    },
  });
  await app.ready();
  const jobs: Jobs = { enqueue: environment.enqueue, work: async () => {}, stop: async () => {} };
  return {
    runtime,
    app,
    handlers: handlersOf(runtime, jobs),
    scheduler,
    close: async () => {
      scheduler.end('at a stop');
      await app.close();
      await scheduler.idle();
      await held.takeAll();
    },
  };
}
