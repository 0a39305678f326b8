import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { commitWithinMs, onBehalfOf, WaitingCaller } from '#db/waiting-caller.ts';
import { type Refusal, Unavailable } from '#errors.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { answerEarly, quietLateHandlers } from './answer-early.ts';
import { tooSlow } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Is set where a route answers without the database, or from what was last known; every other route needs it. */
    needsNoDatabase?: boolean;
  }
}

/** Marks a route that answers without the database. */
export const withoutDatabase = { config: { needsNoDatabase: true } } as const;

/** Marks the routes of a scope that answer without the database: all but those that say otherwise. */
export function serveWithoutDatabase(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...withoutDatabase.config, ...route.config };
  });
}

export interface WatchTimes {
  /** Interval of the checks that the database answers. */
  everyMs: number;
  /** Delay of an answer after which the database is checked. */
  lateMs: number;
  /** While the database is unavailable, longest time for an answer that needs none. */
  patienceMs: number;
  /** An answer later than this, from a database that is there, means that new callers would wait too long. */
  overloadedMs: number;
  /**
   * No call is answered later than this, in any case: longer than a bank or payment service may take with its
   * repetitions, shorter than the browser waits.
   */
  longestMs: number;
  /** A commit to which the server comes later than this after it was sent is void. */
  commitMs: number;
}

/** The first two and `isThereMs` make up how long a caller waits for a database that hangs: less than three seconds. */
export const watchTimes: WatchTimes = {
  everyMs: 300,
  lateMs: 1_000,
  patienceMs: 2_500,
  overloadedMs: 10_000,
  longestMs: 29_000,
  commitMs: commitWithinMs,
};

/** A database that does not answer a new connection within this time is not there. */
export const isThereMs = 1_500;

/** An answer already under way is not replaced. */
const isOnItsWay = (reply: FastifyReply): boolean => reply.sent || reply.raw.headersSent;

/** An address that no route takes is refused without the database, but is counted before (http/call-limits.ts). */
const needsNone = ({ request }: FastifyReply): boolean =>
  request.is404 || request.routeOptions.config.needsNoDatabase === true;

/**
 * Keeps callers from waiting for a database that is gone: calls get 503 with Retry-After, those already waiting
 * included, and as soon as it answers again they are served (docs/decisions/database.md#a-silent-database). A route
 * needs the database unless it says that it does not (`needsNoDatabase`); even then no answer waits for long while it
 * is unavailable.
 *
 * The question goes through the pool that calls use, so it is also late when all connections are busy. A database that
 * answers over a connection of its own is not gone: waiting calls keep waiting, and only after a longer time new calls
 * are refused until the queue is short again.
 */
export function watchDatabase(
  app: FastifyInstance,
  db: Pool,
  changes: Partial<WatchTimes> = {},
  isThere: () => Promise<boolean> = async () => false,
  metrics?: ProductMetrics,
): void {
  const times = { ...watchTimes, ...changes };
  const waiting = new Map<FastifyReply, WaitingCaller>(); // the longest waiting first
  let isUnavailable = false;
  let isOverloaded = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;

  const setUnavailable = (unavailable: boolean): void => {
    if (unavailable === isUnavailable || stopped) return;
    isUnavailable = unavailable;
    app.log[unavailable ? 'error' : 'warn'](
      unavailable ? 'the database does not answer' : 'the database answers again',
    );
    if (unavailable) refuseThoseWhoWait();
  };

  /** Answers a caller in place of the handler, whose work is dropped. */
  const refuse = (reply: FastifyReply, refusal: () => Refusal): void => {
    const caller = waiting.get(reply);
    waiting.delete(reply);
    if (isOnItsWay(reply)) return;
    caller?.refuse(() => {
      if (!isOnItsWay(reply)) answerEarly(reply, refusal());
    });
  };

  /** Refuses calls that need the database, and those that have waited for it without saying so. */
  const refuseThoseWhoWait = (): void => {
    for (const reply of waiting.keys())
      if (!needsNone(reply) || reply.elapsedTime >= times.patienceMs) refuse(reply, () => new Unavailable());
  };

  const shed = (sheds: boolean): void => {
    if (sheds === isOverloaded || stopped) return;
    isOverloaded = sheds;
    app.log.warn(sheds ? 'all connections to the database are busy' : 'connections to the database are free again');
  };

  const giveUpOnTheLongest = (): void => {
    if (isUnavailable) refuseThoseWhoWait();
    for (const reply of waiting.keys()) {
      if (reply.elapsedTime < times.longestMs) break;
      refuse(reply, () => {
        if (reply.request.raw.complete !== false) return new Unavailable();
        reply.header('connection', 'close');
        return tooSlow();
      });
    }
  };

  const ask = async (): Promise<void> => {
    let answered = false;
    // The check waits for one more turn of the loop: an answer that came while we were busy ourselves is not late.
    const unlessAnswered = (afterMs: number, work: () => void) =>
      setTimeout(() => setImmediate(() => setImmediate(() => !answered && work())), afterMs).unref();
    const look = async (): Promise<void> => {
      const isBusy = await isThere();
      if (answered) return;
      setUnavailable(!isBusy);
      late = unlessAnswered(times.lateMs, look);
    };
    let late = unlessAnswered(times.lateMs, look);
    const overloaded = unlessAnswered(times.overloadedMs, () => shed(true));
    const answers = await db`select 1`.then(
      () => true,
      () => false,
    );
    answered = true;
    clearTimeout(late);
    clearTimeout(overloaded);
    shed(false);
    setUnavailable(!answers);
    if (!stopped) timer = setTimeout(ask, times.everyMs).unref();
  };

  quietLateHandlers(app, metrics);
  app.addHook('onRequest', (_request, reply, done) => {
    if ((isUnavailable || isOverloaded) && !needsNone(reply)) {
      reply.header('retry-after', '2'); // the identity service answers in Google's words, which have no place for it
      return done(new Unavailable());
    }
    waiting.set(reply, new WaitingCaller(times.longestMs, times.commitMs));
    done();
  });
  app.addHook('preHandler', (_request, reply, done) => {
    const caller = waiting.get(reply);
    if (caller) onBehalfOf(caller, done);
    else done();
  });
  // A stream has been answered once it is open, however long it lasts.
  app.addHook('onSend', (_request, reply, payload, done) => {
    waiting.get(reply)?.answered();
    waiting.delete(reply);
    done(null, payload);
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });
  app.addHook('onReady', async () => {
    timer = setTimeout(ask, times.everyMs).unref();
    patience = setInterval(giveUpOnTheLongest, times.everyMs).unref();
  });
  app.addHook('onClose', async () => {
    stopped = true;
    clearTimeout(timer);
    clearInterval(patience);
  });
}
