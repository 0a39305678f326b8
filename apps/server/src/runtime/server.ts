import { pathToFileURL } from 'node:url';
import type { BrowserConfig } from '@sparechange/contract';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#app.ts';
import type { Config } from '#config/config.ts';
import type { Role } from '#config/roles.ts';
import { followCommands } from '#db/command-endings.ts';
import { databaseAnswers } from '#db/database-answers.ts';
import { StartProblem } from '#errors.ts';
import { landingSource } from '#features/beneficiaries/clubs/landings.ts';
import { serveConsolePages } from '#http/console-pages.ts';
import { isThereMs } from '#http/database-watch.ts';
import { drain } from '#http/drain.ts';
import { rateLimits } from '#http/rate-limit.ts';
import { cacheSessions } from '#http/session-cache.ts';
import { type RenderPage, serveWeb } from '#http/web.ts';
import { type Jobs, openJobs } from '#jobs/queues.ts';
import { retryFailedJobs } from '#jobs/retry-dead-letters.ts';
import { openIdSignOn } from '#providers/openid/index.ts';
import { serveMetrics } from '#telemetry/metrics-server.ts';
import { findDraft } from '#tenants/draft-repository.ts';
import { tenantKeyOf } from '#tenants/tenant-site.ts';
import { approvedActs } from './approved-acts.ts';
import { addBusinessMetrics } from './business-metrics.ts';
import { consoleFolder, openRuntime, type Runtime, webFolder } from './compose.ts';
import { composerOf } from './compose-mails.ts';
import { isOurOrigin, openIdentity } from './embedded-identity.ts';
import { handlersOf, sendAndDeliver } from './job-handlers.ts';
import { tenantsFolder } from './make-parts.ts';
import { startSandbox } from './sandbox-process.ts';
import { type DemoConsole, type DemoSignIn, seed, seedConsole } from './seed.ts';

export interface Server {
  /** Ends every part; then throws the first failure, if any. */
  stop(): Promise<void>;
  /** Returns the part being ended, for an operator who waits. */
  ending(): string;
}

interface Part {
  name: string;
  end(): Promise<unknown>;
}

/** Starts the roles asked for; throws StartProblem, harming nothing. */
export async function startServer(config: Config, roles: Set<Role>): Promise<Server> {
  const parts: Part[] = [];
  let ending = '';
  const stop = async () => {
    const failures: unknown[] = [];
    for (const { name, end } of parts.reverse()) {
      ending = name;
      await end().catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    await start(config, roles, parts);
  } catch (error) {
    await stop().catch(() => {}); // the reason why it did not start matters more
    throw error;
  }
  return { stop, ending: () => ending };
}

async function start(config: Config, roles: Set<Role>, parts: Part[]): Promise<void> {
  if (roles.size === 1 && roles.has('sandbox') && !config.sandbox) {
    throw new StartProblem('The sandbox is off (SANDBOX=off) or refused (APP_ENV=production).');
  }
  // Comes up beside the rest. First in the list, so stopped last: requests still draining may call it.
  const sandbox = roles.has('sandbox') && config.sandbox ? startSandbox(config) : undefined;
  if (sandbox) parts.push({ name: 'the sandbox', end: async () => (await sandbox.catch(() => undefined))?.stop() });
  const serves = roles.has('api') || roles.has('worker');
  const runtime = serves ? await openRuntime(config, [...roles].join(' ')) : undefined;
  if (runtime) parts.push({ name: 'the database', end: runtime.close });
  if (runtime) addBusinessMetrics(runtime.metrics, runtime.db, runtime.clock);
  const stopMetrics = runtime && (await openMetrics(runtime));
  if (stopMetrics) parts.push({ name: 'the metrics', end: stopMetrics });
  const isWorker = roles.has('worker');
  const jobs =
    runtime && (await openJobs(runtime.databaseUrl, runtime.log, runtime.metrics, runtime.notifiers, { isWorker }));
  if (jobs) parts.push({ name: 'the jobs', end: jobs.stop });
  const readiness: Readiness = { whyNot: 'starting' };
  const app = jobs && roles.has('api') ? await buildWholeApp(runtime, jobs, parts, readiness) : undefined;
  if (app) await listen(app, config);
  await sandbox;
  let demo: DemoSignIn | undefined;
  let demoConsole: DemoConsole | undefined;
  if (runtime && !config.isProduction) {
    demo = await seed(runtime);
    if (config.sandbox) demoConsole = await seedConsole(runtime);
  }
  readiness.whyNot = undefined;
  if (jobs && isWorker) {
    await jobs.work(handlersOf(runtime, jobs));
    const waits = (err: unknown) => runtime.log.warn({ err }, 'what a command queued waits for the next minute');
    const following = await followCommands(runtime.db, () => void sendAndDeliver(jobs).catch(waits));
    parts.push({ name: 'listening for commands', end: following.unlisten });
  }
  announce(config, roles, demo, demoConsole);
}

interface MetricsParts {
  config: Pick<Config, 'metricsHost' | 'metricsPort' | 'isMetricsPortChosen'>;
  metrics: Pick<Runtime['metrics'], 'text'>;
  log: Runtime['log'];
}

/**
 * Opens /metrics and returns what stops it; throws StartProblem where that fails. Only the usual port may be taken, by
 * another process of ours (api and worker apart on one machine): then none are served, and the log says so.
 */
export async function openMetrics({ config, metrics, log }: MetricsParts): Promise<(() => Promise<void>) | undefined> {
  const { metricsHost: host, metricsPort: port, isMetricsPortChosen } = config;
  if (port === 0) return undefined;
  try {
    return (await serveMetrics(metrics, { host, port })).stop;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE')
      throw new StartProblem(`Metrics cannot be served (${message}); set METRICS_HOST, or METRICS_PORT=0 for none.`);
    if (isMetricsPortChosen)
      throw new StartProblem(`Port ${port} is taken; set METRICS_PORT to a free one, or to 0 for none.`);
    log.warn({ port }, 'metrics are not served: the port is taken');
    return undefined;
  }
}

interface Readiness {
  whyNot: 'starting' | 'stopping' | undefined;
}

async function buildWholeApp(
  runtime: Runtime,
  jobs: Jobs,
  parts: Part[],
  readiness: Readiness,
): Promise<FastifyInstance> {
  const { config } = runtime;
  const identity = await openIdentity(runtime);
  const app = buildApp(
    {
      ...runtime,
      verifyIdToken: cacheSessions(identity.verifyIdToken),
      mintHandOffToken: identity.mintHandOffToken,
      removeUser: identity.removeUser,
      sessions: identity.sessions,
      verifyEmail: identity.verifyEmail,
      mailReset: identity.mailReset,
      signIns: identity.signIns,
      identityService: config.firebase && 'Firebase',
      composeMail: composerOf(runtime),
      enqueue: jobs.enqueue,
      acts: approvedActs(runtime),
      singleSignOn: config.singleSignOn && openIdSignOn(config.singleSignOn),
      retryFailedJobs: (id) => retryFailedJobs(runtime.db, runtime.databaseUrl, id),
      tenantOfHost: (host) => tenantKeyOf(host, config.tenantRule, config.productDomain),
      whyNotReady: () => readiness.whyNot,
      productUrl: config.productUrl,
      statementName: config.statementName,
      debitCostCents: config.debitCostCents,
      mainTenant: config.mainTenant,
      mailFrom: config.mailFrom,
      edge: {
        hsts: config.isProduction,
        rateLimitFactor: config.rateLimitFactor,
        databaseAnswers: () => databaseAnswers(runtime.databaseUrl, isThereMs),
      },
    },
    { loggerInstance: runtime.log, trustProxy: config.trustedProxy ?? false },
  );
  await identity.register(app);
  const browserConfig: BrowserConfig = {
    productDomain: config.productDomain,
    tenantRule: config.tenantRule,
    mainTenant: config.mainTenant,
    api: '/api',
    identity: { ...config.identity, selfHostedUrl: null },
  };
  const analytics = config.identity.measurementId !== '';
  const firebaseHosts = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'];
  const allowedHosts = {
    connect: [...(config.firebase ? firebaseHosts : []), ...(analytics ? analyticsHosts : [])],
    script: analytics ? ['https://www.googletagmanager.com'] : [],
  };
  const landings = landingSource({ ...runtime, mainTenant: config.mainTenant });
  await serveWeb(app, {
    webFolder,
    tenantsFolder,
    files: runtime.files,
    tenants: runtime.tenants,
    browserConfig,
    allowedHosts: () => ({ ...allowedHosts, frame: embeddedPages(runtime) }),
    embedsIdentity: !config.firebase,
    isOurs: (origin) => isOurOrigin(origin, runtime),
    landingsAt: landings.at,
    movedTo: landings.movedTo,
    addressesOf: landings.addressesOf,
    choiceOf: landings.choiceOf,
    siteOf: runtime.sites.siteOf,
    draftOf: (id) => findDraft(runtime.db, id),
    givenPictures: runtime.givenPictures,
    dossierKeys: runtime.dossierKeys.published,
    limits: rateLimits(runtime.db, config.rateLimitFactor),
    renderPage: await loadRenderer(),
  });
  await serveConsolePages(app, consoleFolder);
  const end = () => {
    readiness.whyNot = 'stopping';
    return drain(app, { graceMs: config.drainSeconds * 1_000 });
  };
  parts.push({ name: 'the HTTP server', end });
  return app;
}

/** Loads the web app's own screens, built for the server. */
async function loadRenderer(): Promise<RenderPage> {
  const { renderPage } = await import(pathToFileURL(`${webFolder}/server/page.js`).href);
  return renderPage;
}

/** Where Firebase Analytics reads its settings and reports to. */
const analyticsHosts = [
  'https://firebase.googleapis.com',
  'https://firebaseinstallations.googleapis.com',
  'https://*.google-analytics.com',
  'https://www.googletagmanager.com',
];

/** The hosts of tenants' own support and terms pages. */
function embeddedPages({ tenants }: Runtime): string[] {
  const addresses = tenants
    .list()
    .flatMap((tenant) => [tenant.supportURL, tenant.termsURL, tenant.directDebitTermsURL]);
  const hosts = addresses.flatMap((address) =>
    address?.startsWith('https://') && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return [...new Set(hosts)];
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new StartProblem(`Port ${config.port} is taken; set PORT to a free one.`);
    if (code === 'EACCES') throw new StartProblem(`Port ${config.port} may not be used by this user.`);
    throw error;
  }
}

function announce(config: Config, roles: Set<Role>, demo: DemoSignIn | undefined, demoConsole?: DemoConsole): void {
  const running = [...roles].filter((role) => role !== 'sandbox' || config.sandbox);
  const lines = ['', `Sparechange is ready (${running.join(', ')}).`, ''];
  if (roles.has('api')) lines.push(`  the product    ${config.productUrl}`);
  if (roles.has('sandbox') && config.sandbox) {
    lines.push(`  the sandbox    ${config.sandbox.url}`, `  its mailbox    ${config.sandbox.url}/mail`);
  }
  if (demo) lines.push('', `  sign in as     ${demo.email}`, `  password       ${demo.password}`);
  if (demoConsole) lines.push('', ...consoleLines(config, demoConsole));
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/**
 * Returns how people sign in to the console: the owner by a link that opens once, then as they chose; the treasurer by
 * email.
 */
function consoleLines({ consoleUrl, sandbox }: Config, { owner, ownerLink, treasurer }: DemoConsole): string[] {
  return [
    `  the console    ${consoleUrl}`,
    `  its owner      ${ownerLink ? ownerLink.href : `${owner}, as you chose; ops console recover ${owner} starts over`}`,
    `  a treasurer    ${treasurer}, by a link mailed to ${sandbox?.url}/mail`,
  ];
}
