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
