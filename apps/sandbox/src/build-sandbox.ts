import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance } from 'fastify';
import { watchConnections } from '#bank/basiq/connections.ts';
import { watchConsents } from '#bank/basiq/consents.ts';
import { watchJobs } from '#bank/basiq/jobs.ts';
import { basiqRoutes } from '#bank/basiq/routes.ts';
import { consentPages } from '#bank/consent/routes.ts';
import { makeFaults } from '#control/faults.ts';
import { injectFaults } from '#control/inject-faults.ts';
import { controlRoutes } from '#control/routes.ts';
import { watchDebits } from '#debits/debit-lifecycle.ts';
import { watchPayouts } from '#debits/payouts.ts';
import { zeptoRoutes } from '#debits/routes.ts';
import { mailboxRoutes } from '#mailbox/routes.ts';
import { closeMailServer, listenForMail, makeMailServer } from '#mailbox/smtp.ts';
import { abnLookupPage } from '#pages/abn-lookup.ts';
import { overviewPage } from '#pages/overview.ts';
import { type Provider, subscriptions } from '#webhooks/messages.ts';
import { makeOutbox } from '#webhooks/outbox.ts';
import { makeClock } from '#world/clock.ts';
import { openDatabase } from '#world/database.ts';
import { makeScheduler } from '#world/scheduler.ts';
import { moveClock, type World } from '#world/world.ts';

export interface SandboxOptions {
  /** A path, or `:memory:`. */
  databaseFile: string;
  /** `false` where the file need not survive the machine. */
  waitsForDisk?: boolean;
  /** The application's one address to return to after consent. */
  redirectUrl: string;
  basiqApiKey: string;
  zeptoToken: string;
  /** Subscriptions to every event, as if approved beforehand. */
  webhooks?: Partial<Record<Provider, { url: string; secret: string }>>;
  /** The clock before any offset; a test's or simulator's own. */
  now?: () => Date;
  /** Listens for mail when given. */
  smtpPort?: number;
  smtpHost?: string;
  /** The address of the sandbox, with which its links begin. */
  origin?: string;
  /** True where due events happen automatically, unlike in simulators. */
  runsByItself?: boolean;
}

export interface Sandbox {
  app: FastifyInstance;
  clock: {
    now(): Date;
    offsetMs(): number;
    /** Moves the clock; resolves once every due event has happened. */
    set(to: { now: Date } | { offsetMs: number }): Promise<void>;
  };
  /** Sends due notifications immediately and waits for them. */
  deliverWebhooks(): Promise<void>;
  close(): Promise<void>;
}

const runDueEveryMs = 100;
const everyEvent = { name: 'Everything', description: 'Approved beforehand', eventTypes: [] };

/** Builds the outside world, to listen with or inject into. */
export async function buildSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { redirectUrl, now = () => new Date(), origin = 'http://localhost:4001', runsByItself = true } = options;
  const db = openDatabase(options.databaseFile, { waitsForDisk: options.waitsForDisk ?? true });
  const clock = makeClock(db, () => now().getTime());
  const scheduler = makeScheduler(db, clock);
  const faults = makeFaults(db);
  const outbox = makeOutbox(db, clock, (provider) => faults.takeForWebhook(provider));
  const world: World = { db, clock, scheduler, outbox, origin, redirectUrl };
  for (const watch of [watchConsents, watchConnections, watchJobs, watchDebits, watchPayouts]) watch(world);

  const subscribe = () => {
    for (const [index, provider] of (['basiq', 'zepto'] as const).entries()) {
      const hook = options.webhooks?.[provider];
      const id = `00000000-0000-4000-8000-00000000000${index + 1}`;
      if (hook !== undefined)
        subscriptions.replace(db, { id, provider, ...everyEvent, ...hook, createdAt: clock.now() });
    }
    outbox.reloadSubscriptions();
  };
  subscribe();

  const app = Fastify({
    logger: false,
    forceCloseConnections: 'idle',
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 500 },
  });
  // Providers take POSTs without a body even when they are announced as JSON.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch (cause) {
      done(Object.assign(new Error('The body is not JSON.', { cause }), { statusCode: 400 }));
    }
  });
  await app.register(formbody);
  injectFaults(app, faults);
  app.addHook('onRequest', () => scheduler.runDue());

  app.get('/healthz', async () => ({ status: 'ok' }));
  overviewPage(app, world);
  abnLookupPage(app);
  mailboxRoutes(app, world);
  consentPages(app, world);
  await app.register((scope) => basiqRoutes(scope, world, options.basiqApiKey), { prefix: '/basiq' });
  await app.register((scope) => zeptoRoutes(scope, world, options.zeptoToken), { prefix: '/zepto' });
  await app.register((scope) => controlRoutes(scope, { world, faults, subscribe }), { prefix: '/control' });

  const mailServer = options.smtpPort === undefined ? undefined : makeMailServer(db, clock, faults.takeForMail);
  if (mailServer !== undefined) {
    await listenForMail(mailServer, options.smtpPort ?? 0, options.smtpHost ?? '127.0.0.1').catch((cause: unknown) => {
      db.close(); // else the next attempt would find its own data directory in use
      throw cause;
    });
  }
  const timer = runsByItself ? setInterval(() => void scheduler.runDue(), runDueEveryMs).unref() : undefined;
  if (runsByItself) outbox.start();

  return {
    app,
    clock: { now: () => new Date(clock.now()), offsetMs: clock.offsetMs, set: (to) => moveClock(world, to) },
    deliverWebhooks: () => outbox.deliverDue(),
    async close() {
      clearInterval(timer);
      await app.close();
      await Promise.all([outbox.stop(), mailServer === undefined ? undefined : closeMailServer(mailServer)]);
      await scheduler.runDue();
      db.close();
    },
  };
}
