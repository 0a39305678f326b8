import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { Unavailable } from '#errors.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { answerEarly, quietLateHandlers } from './answer-early.ts';
import { tooSlow } from './errors.ts';
import { isFor } from './match-route.ts';

export interface WatchTimes {
  /** Interval of the checks that the database answers. */
  everyMs: number;
  /** Delay of an answer after which the database is checked. */
  lateMs: number;
  /** An answer later than this, of a database that is there, means that those who come now would wait too long. */
  overloadedMs: number;
  /**
   * No call is answered later than this, whatever it waits for: longer than a bank or payment service may take with
   * its repetitions, shorter than the browser waits.
   */
  longestMs: number;
}

const defaultTimes: WatchTimes = { everyMs: 300, lateMs: 2_000, overloadedMs: 10_000, longestMs: 29_000 };

const needsNoDatabase = /^\/api\/(docs|openapi\.json)/;
const needsDatabase = /^\/(readyz|(api|webhooks|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com)\/)/;

/**
 * Keeps callers from waiting for a database that is gone: calls get 503 with Retry-After, those already waiting
 * included, and as soon as it answers again they are served (docs/decisions/0012).
 *
 * The question goes through the pool that calls use, so it is also late when all connections are busy. A database that
 * answers over a connection of its own is not gone: who waits goes on waiting, and only after a longer time those who
 * come now are refused until the queue is short again.
 */
export function watchDatabase(
  app: FastifyInstance,
  db: Pool,
  changes: Partial<WatchTimes> = {},
  isThere: () => Promise<boolean> = async () => false,
  metrics?: ProductMetrics,
): void {
  const times = { ...defaultTimes, ...changes };
  const waiting = new Set<FastifyReply>(); // the longest waiting first
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
    if (!unavailable) return;
    for (const reply of waiting) {
      if (!reply.sent) answerEarly(reply, new Unavailable());
    }
    waiting.clear();
  };

  const shed = (sheds: boolean): void => {
    if (sheds === isOverloaded || stopped) return;
    isOverloaded = sheds;
    app.log.warn(sheds ? 'all connections to the database are busy' : 'connections to the database are free again');
  };

  const giveUpOnTheLongest = (): void => {
    for (const reply of waiting) {
      if (reply.elapsedTime < times.longestMs) break;
      waiting.delete(reply);
      if (reply.sent) continue;
      if (reply.request.raw.complete === false) answerEarly(reply.header('connection', 'close'), tooSlow());
      else answerEarly(reply, new Unavailable());
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
  app.addHook('onRequest', (request, reply, done) => {
    if (!isFor(needsDatabase, request) || isFor(needsNoDatabase, request)) return done();
    if (isUnavailable || isOverloaded) {
      reply.header('retry-after', '2'); // the identity service answers in Google's words, which have no place for it
      return done(new Unavailable());
    }
    waiting.add(reply);
    done();
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
