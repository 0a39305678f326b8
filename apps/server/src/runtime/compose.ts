import type { Logger } from 'pino';
import { type CheckpointFile, checkpointFile } from '#audit/checkpoint-file.ts';
import type { Config } from '#config/config.ts';
import { connect, type Pool } from '#db/connect.ts';
import { type EmbeddedDatabase, startEmbedded, withoutFsync } from '#db/embedded.ts';
import { type Engine, engines } from '#db/engine.ts';
import { lockInstance } from '#db/instance-lock.ts';
import { limitsOfProcess } from '#db/limits.ts';
import { prepareSchema } from '#db/prepare-schema.ts';
import { movedByMs, type ProductClock, productClock } from '#db/product-clock.ts';
import { problemOfRole } from '#db/product-role.ts';
import { StartProblem } from '#errors.ts';
import { followExtraClosedDays } from '#features/accounting/banking-calendar/extra-closed-days.ts';
import type { BusinessRegister } from '#ports/business-register.ts';
import type { Mailer } from '#ports/mailer.ts';
import type { WebhookReceivers } from '#ports/webhook-receiver.ts';
import { abnLookup } from '#providers/abn-lookup/index.ts';
import { type ConnectedBankLink, connectBankLink } from '#providers/registry.ts';
import { smtpMailer } from '#providers/smtp/index.ts';
import { webhookReceivers } from '#providers/webhook-receivers/index.ts';
import { loadKeys } from '#secrets/data-key.ts';
import { listensAt, type Needs, watchNeeds } from '#telemetry/dependency-health.ts';
import { makeLog } from '#telemetry/log.ts';
import { observedFetch } from '#telemetry/observed-fetch.ts';
import { type ProductMetrics, productMetrics } from '#telemetry/product-metrics.ts';
import { followTenants } from '#tenants/follow-tenants.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { takeUpFiles } from '#tenants/take-up-files.ts';
import { callBudget } from './call-budget.ts';
import { openPayments, type Payments } from './direct-debit-provider.ts';
import { makeParts, type Parts, projectFolder, tenantsFolder } from './make-parts.ts';

export const webFolder = `${projectFolder}apps/web/dist`;
export const consoleFolder = `${projectFolder}apps/console/dist`;

/** Parts of every server process: api, worker and operator commands. */
export interface Runtime extends ConnectedBankLink, Payments, Parts {
  config: Config;
  log: Logger;
  metrics: ProductMetrics;
  databaseUrl: string;
  /** The address of the database's owner, where it has one, for commands that change its tables. */
  ownerUrl: string | undefined;
  engine: Engine;
  db: Pool;
  clock: ProductClock;
  tenants: Tenants;
  checkpointFile: CheckpointFile;
  mailer: Mailer;
  webhookReceivers: WebhookReceivers;
  businessRegister?: BusinessRegister | undefined;
  needs: () => Promise<Needs>;
  close(): Promise<void>;
}

/** Throws StartProblem where `ops advance` has moved the clock of this database, as in a copy of a test's. */
async function refuseMovedClock(db: Pool): Promise<void> {
  const offsetMs = await movedByMs(db);
  if (offsetMs === 0) return;
  const hours = Math.round(offsetMs / 3_600_000);
  throw new StartProblem(
    `The product's clock in this database is moved by ${hours} hours; debits would be taken on wrong days. It is no database for production.`,
  );
}

/** Throws StartProblem where the product's role may do too much. */
async function refuseMightyRole(db: Pool): Promise<void> {
  const problem = await problemOfRole(db);
  if (problem) throw new StartProblem(problem);
}

/**
 * Connects to the database, starting the embedded one if need be, and brings its schema up to date. A second server on one
 * data folder is refused before it could change anything.
 */
async function openDatabase(
  config: Config,
  name: string,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<Pick<Runtime, 'databaseUrl' | 'ownerUrl' | 'engine' | 'db'>> {
  const embedded: EmbeddedDatabase | undefined = config.databaseUrl
    ? undefined
    : await startEmbedded(config.dataDir, config.embeddedFsync ? {} : withoutFsync);
  if (embedded) opened.defer(embedded.release);
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  const limits = limitsOfProcess(name, config.databaseStatementSeconds);
  const db = connect(databaseUrl, {
    max: config.databasePoolSize,
    name: `sparechange ${name}`,
    limits,
    buckets: config.buckets,
  });
  opened.defer(() => db.end({ timeout: 2 }));
  if (embedded && name !== 'ops') {
    const lock = await lockInstance(embedded, log);
    if (!lock)
      throw new StartProblem(
        `Another Sparechange is running on ${config.dataDir}; this one stops and has changed nothing.`,
      );
    opened.defer(lock.release);
  }
  const ownerUrl = config.databaseOwnerUrl ?? embedded?.ownerUrl;
  const engine = engines[config.databaseEngine];
  await prepareSchema(db, ownerUrl, engine);
  if (config.isProduction) await refuseMightyRole(db);
  if (config.isProduction) await refuseMovedClock(db);
  return { databaseUrl, ownerUrl, engine, db };
}

/** Takes changed files of tenants into the database, which a command leaves to the servers, and follows what it holds. */
async function openTenants(
  db: Pool,
  clock: ProductClock,
  log: Logger,
  isOnlySeed: boolean,
  opened: AsyncDisposableStack,
): Promise<Tenants> {
  const onProblem = (sentence: string) => log.warn({ problem: sentence }, 'settings of tenants are not used');
  const refused = await takeUpFiles({ db, clock, folder: tenantsFolder }, { isOnlySeed });
  refused.forEach(onProblem);
  const following = await followTenants(db, { onProblem });
  opened.defer(following.close);
  return following.tenants;
}

/**
 * Opens the database (the embedded one unless DATABASE_URL names another), migrates it and connects the providers.
 * Throws StartProblem where it may not be used, and then leaves nothing open.
 */
export async function openRuntime(config: Config, name: string): Promise<Runtime> {
  await using opened = new AsyncDisposableStack();
  // A command prints its answer on stdout, which scripts read; its log goes beside it.
  const log = name === 'ops' ? makeLog(config.logLevel, name, process.stderr) : makeLog(config.logLevel, name);
  if (config.tracing && name !== 'ops') {
    const { exportSpans } = await import('#telemetry/export-spans.ts'); // nobody else pays for loading it
    opened.defer(exportSpans({ ...config.tracing, program: name }).close);
  }
  const { databaseUrl, ownerUrl, engine, db } = await openDatabase(config, name, log, opened);
  const clock = await productClock(db);
  opened.defer(clock.close);
  const closedDays = await followExtraClosedDays(db, clock);
  opened.defer(closedDays.close);
  const metrics = productMetrics(db);
  const tenants = await openTenants(db, clock, log, name === 'ops', opened);
  const dataKeys = await loadKeys(config.dataDir, 'data', config.dataKey);
  const made = makeParts({ db, tenants, dataKeys, site: config, log });
  const now = () => clock.now();
  const outgoing = (service: string, callsPerSecond: number | undefined) => ({
    now,
    log,
    fetch: observedFetch(service, log, metrics),
    ...callBudget(db, service, callsPerSecond),
  });
  const bankLink = connectBankLink(config, outgoing);
  const payments = openPayments({ config, db, encryption: made.encryption, now, log, outgoing });
  const parts = {
    ...made,
    config,
    log,
    metrics,
    databaseUrl,
    ownerUrl,
    engine,
    db,
    clock,
    tenants,
    checkpointFile: checkpointFile(config.auditCheckpointFile),
    ...bankLink,
    ...payments,
    mailer: smtpMailer({
      url: config.smtpUrl,
      from: config.mailFrom,
      bouncesTo: config.mailBouncesTo,
      name: config.productDomain,
      tls: config.smtpTls,
      dkim: config.dkim,
    }),
    businessRegister:
      config.abnLookup && abnLookup({ ...config.abnLookup, fetch: observedFetch('abn-lookup', log, metrics) }),
    webhookReceivers: webhookReceivers({ isLocalAllowed: !config.isProduction }),
    needs: watchNeeds({
      bankLink: listensAt(bankLink.bankLinkAddress),
      payments: payments.directDebitProbe,
      mail: listensAt(config.smtpUrl),
    }),
  };
  const open = opened.move();
  return { ...parts, close: () => open.disposeAsync() };
}
