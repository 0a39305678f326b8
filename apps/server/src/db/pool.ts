import type { Client } from 'pg';
import type { Query } from './compose.ts';
import type { Connections } from './connections.ts';
import { Listener, type Listening } from './listener.ts';
import { runQuery } from './run-query.ts';
import { bucketScopes, controlScope, type Scope, scopeOf } from './scope.ts';
import { forgetSearchPath } from './search-path.ts';
import type { OpenTransaction, Session } from './statement.ts';
import { type Db, makeTag } from './tag.ts';
import { transact } from './transaction.ts';

/** One connection until released: for locks, temporary tables, session settings. */
export interface ReservedDb extends Db {
  release(): void;
}

/** The pool: the only thing that can open a transaction. */
export interface Pool extends Db {
  /** Runs `work` in a transaction; `mode` follows `begin` in SQL. */
  begin<Result>(work: (tx: Db) => Promise<Result>, mode?: string): Promise<Result>;
  reserve(): Promise<ReservedDb>;
  /** Returns the pool of a supporter's bucket, over the same connections. */
  of(supporterId: string): Pool;
  /** Returns the pool of every bucket, in their order. */
  inBuckets(): Pool[];
  /** Calls `onListen` whenever listening begins, also after a lost connection. */
  listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void): Promise<Listening>;
  /** Closes the connections after running work, or after `timeout` seconds. */
  end(options?: { timeout?: number }): Promise<void>;
}

const plain = (text: string): Query => ({ text, values: [], isPrepared: false });

/** Opens a transaction for a cursor; calls `release` after it. */
async function openTransaction(run: Session['run'], release = () => {}): Promise<OpenTransaction> {
  const close = async () => {
    await run(plain('commit')).finally(release);
  };
  try {
    await run(plain('begin'));
  } catch (error) {
    release();
    throw error;
  }
  return { run, close };
}

type Family = Pick<Pool, 'of' | 'inBuckets'>;

/** Makes the pool of control tables, from which those of its buckets are taken. */
export function makePool(connections: Connections, whole: Scope): Pool {
  const listener = new Listener(() => connections.make());
  const pools = new Map<string | undefined, Pool>();
  const inScope = (scope: Scope): Pool => {
    const pool = pools.get(scope.path) ?? poolIn(scope, connections, listener, family);
    pools.set(scope.path, pool);
    return pool;
  };
  const family: Family = {
    of: (supporterId) => inScope(scopeOf(supporterId, whole)),
    inBuckets: () => bucketScopes(whole).map(inScope),
  };
  return inScope(controlScope(whole));
}

/** Makes a tag whose statements run on any connection. */
function poolIn(scope: Scope, connections: Connections, listener: Listener, family: Family): Pool {
  /** Lends a connection and takes it back, even after errors. */
  async function lend<Result>(isAlone: boolean, work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await connections.take(isAlone, scope.path);
    let failure: unknown;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      connections.give(client, failure);
    }
  }

  /** Runs a transaction; rejects once its connection is lost. */
  function transactOver<Result>(client: Client, mode: string, work: (tx: Db) => Promise<Result>): Promise<Result> {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    client.once('error', reject);
    return Promise.race([lost, transact(client, mode, scope, work)]).finally(() => client.off('error', reject));
  }

  async function reserve(): Promise<ReservedDb> {
    const client = await connections.take(true, scope.path);
    let refusal: Error | undefined;
    const refuse = (error: Error) => {
      refusal ??= error;
    };
    client.on('error', refuse);
    const run = async (query: Query) => {
      if (refusal) throw refusal;
      return runQuery(client, query);
    };
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      refuse(new Error('A statement came after its session had been released.'));
      client.off('error', refuse);
      forgetSearchPath(client);
      connections.give(client);
    };
    return Object.assign(makeTag({ run, openTransaction: () => openTransaction(run) }, scope), { release });
  }

  const session: Session = {
    run: (query) => lend(false, (client) => runQuery(client, query)),
    openTransaction: async () => {
      const { session, release } = await reserve();
      return openTransaction(session.run, release);
    },
  };
  return Object.assign(makeTag(session, scope), family, {
    begin: <Result>(work: (tx: Db) => Promise<Result>, mode = '') =>
      lend(true, (client) => transactOver(client, mode, work)),
    reserve,
    listen: listener.listen.bind(listener),
    end: ({ timeout }: { timeout?: number } = {}) => {
      listener.close();
      return connections.close(timeout);
    },
  });
}
