import type { Logger } from 'pino';
import { type CheckpointFile, checkpointFile } from '#audit/checkpoint-file.ts';
import type { Config } from '#config/config.ts';
import type { Pool } from '#db/connect.ts';
import { type ProductClock, productClock } from '#db/product-clock.ts';
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
import { type OpenedDatabase, openDatabase } from './open-database.ts';

export const webFolder = `${projectFolder}apps/web/dist`;
export const consoleFolder = `${projectFolder}apps/console/dist`;

/** Parts of every server process: api, worker and operator commands. */
export interface Runtime extends OpenedDatabase, ConnectedBankLink, Payments, Parts {
  config: Config;
  log: Logger;
  metrics: ProductMetrics;
  clock: ProductClock;
  tenants: Tenants;
  checkpointFile: CheckpointFile;
  mailer: Mailer;
  webhookReceivers: WebhookReceivers;
  businessRegister?: BusinessRegister | undefined;
  needs: () => Promise<Needs>;
  close(): Promise<void>;
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
  const database = await openDatabase(config, name, log, opened);
  const { db } = database;
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
  const mailer = smtpMailer({
    url: config.smtpUrl,
    from: config.mailFrom,
    bouncesTo: config.mailBouncesTo,
    name: config.productDomain,
    tls: config.smtpTls,
    dkim: config.dkim,
  });
  opened.defer(mailer.close);
  const parts = {
    ...made,
    config,
    log,
    metrics,
    ...database,
    clock,
    tenants,
    checkpointFile: checkpointFile(config.auditCheckpointFile),
    ...bankLink,
    ...payments,
    mailer,
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
