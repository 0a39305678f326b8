/** Rejects after `ms`: reading metrics never waits for hanging databases. */
export function within<Value>(ms: number, wanted: PromiseLike<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  return Promise.race([wanted, promise]).finally(() => clearTimeout(timer));
}

/** Caches a reading for `ms`; one that failed is repeated. */
export function cachedFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: { value: Promise<Value>; until: number } | undefined;
  return async () => {
    if (!known || performance.now() > known.until) known = { value: read(), until: performance.now() + ms };
    const { value } = known;
    value.catch(() => (known = undefined));
    return value;
  };
}

/** Limits the wait for a reading, and for a first one: Prometheus gives a scrape up after 10 s. */
const patienceMs = 2_000;
const firstPatienceMs = 4_000;
/** Time for which the last value is shown. */
const overdueMs = 5 * 60_000;
/** A failed reading rests this many times as long as it took. */
const restFactor = 6;

/**
 * Keeps a reading for `ms`. It is read again in the background, never twice concurrently: one that is late or fails is
 * shown as it was, for five minutes more, and then fails.
 */
export function kept<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { value: Value; at: number } | undefined;
  let failed: { error: unknown; restsUntil: number } | undefined;
  let running: Promise<Value> | undefined;
  const readAnew = async (): Promise<Value> => {
    const at = performance.now();
    try {
      const value = await read();
      last = { value, at };
      failed = undefined;
      return value;
    } catch (error) {
      const now = performance.now();
      failed = { error, restsUntil: now + restFactor * (now - at) };
      throw error;
    }
  };
  return async () => {
    const now = performance.now();
    const known = last && now < last.at + ms + overdueMs ? last : undefined;
    if (known && now < known.at + ms) return known.value;
    const isResting = failed && now < failed.restsUntil;
    if (!running && !isResting)
      running = readAnew().finally(() => {
        running = undefined;
      });
    return within(known ? patienceMs : firstPatienceMs, running ?? Promise.reject(failed?.error)).catch(
      (error: unknown) => {
        if (known) return known.value;
        throw error;
      },
    );
  };
}
