import { isDatabaseUnavailable } from './database-answers.ts';

interface Batch<Key, Found> {
  keys: Key[];
  found: Promise<(key: Key) => Found | undefined | Promise<Found | undefined>>;
}

/**
 * Makes a reader of single rows that reads what is asked for in one moment with one statement. Contexts of the same name
 * are read together. Where a statement fails each row is read alone, so that one does not block the others.
 */
export function readTogether<Context, Key, Found>(
  nameOf: (context: Context) => string,
  read: (context: Context, keys: Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (context: Context, key: Key) => Promise<Found | undefined> {
  const waiting = new Map<string, Batch<Key, Found>>();
  const readAll = async (context: Context, keys: Key[]) => {
    try {
      const found = await read(context, keys);
      return (key: Key) => found.get(key);
    } catch (error) {
      if (keys.length === 1 || isDatabaseUnavailable(error)) throw error;
      return async (key: Key) => (await read(context, [key])).get(key);
    }
  };
  const begin = (context: Context, name: string): Batch<Key, Found> => {
    const keys: Key[] = [];
    const found = Promise.resolve().then(() => {
      waiting.delete(name);
      return readAll(context, keys);
    });
    const batch = { keys, found };
    waiting.set(name, batch);
    return batch;
  };
  return async (context, key) => {
    const name = nameOf(context);
    const { keys, found } = waiting.get(name) ?? begin(context, name);
    keys.push(key);
    return (await found)(key);
  };
}
