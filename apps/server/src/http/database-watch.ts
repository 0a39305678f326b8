import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { Unavailable } from '#errors.ts';
import { tooSlow } from './errors.ts';
import { isFor } from './match-route.ts';

export interface WatchTimes {
  /** Interval of the checks that the database answers. */
  everyMs: number;
  /** An answer later than this means that calls would wait for nothing. */
  lateMs: number;
  /**
   * No call is answered later than this, whatever it waits for: longer than a bank or payment service may take with
   * its repetitions, shorter than the browser waits.
   */
  longestMs: number;
}

const defaultTimes: WatchTimes = { everyMs: 300, lateMs: 2_000, longestMs: 29_000 };

const needsNoDatabase = /^\/api\/(docs|openapi\.json)/;
const needsDatabase = /^\/(readyz|(api|webhooks|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com)\/)/;

/**
 * Keeps callers from waiting for a database that is slow or gone: as soon as it does not answer in time, calls get 503
 * with Retry-After, those already waiting included, and as soon as it answers again they are served (docs/decisions/0012).
 *
 * The question goes through the pool that calls use, so it is also late when all connections are busy: then those
 * who come now are sent away until the queue is short again.
 */
export function watchDatabase(app: FastifyInstance, db: Pool, changes: Partial<WatchTimes> = {}): void {
  const times = { ...defaultTimes, ...changes };
  const waiting = new Set<FastifyReply>(); // the longest waiting first
  let isAway = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = (away: boolean): void => {
    if (away === isAway || stopped) return;
    isAway = away;
    app.log[away ? 'error' : 'warn'](away ? 'the database does not answer' : 'the database answers again');
    if (!away) return;
    for (const reply of waiting) {
      if (!reply.sent) reply.send(new Unavailable());
    }
    waiting.clear();
  };

  const giveUpOnTheLongest = (): void => {
    for (const reply of waiting) {
      if (reply.elapsedTime < times.longestMs) break;
      waiting.delete(reply);
      if (reply.sent) continue;
      if (reply.request.raw.complete === false) reply.header('connection', 'close').send(tooSlow());
      else reply.send(new Unavailable());
    }
  };

  const ask = async (): Promise<void> => {
    let answered = false;
    // The check waits for one more turn of the loop: an answer that came while we were busy ourselves is not late.
    const late = setTimeout(
      () => setImmediate(() => setImmediate(() => !answered && tell(true))),
      times.lateMs,
    ).unref();
    const isThere = await db`select 1`.then(
      () => true,
      () => false,
    );
    answered = true;
    clearTimeout(late);
    tell(!isThere);
    giveUpOnTheLongest();
    if (!stopped) timer = setTimeout(ask, times.everyMs).unref();
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (!isFor(needsDatabase, request) || isFor(needsNoDatabase, request)) return done();
    if (isAway) {
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
  });
  app.addHook('onClose', async () => {
    stopped = true;
    clearTimeout(timer);
  });
}
