import type { Client } from 'pg';
import type { Query } from './compose.ts';
import type { Connections } from './connections.ts';
import { Listener, type Listening } from './listener.ts';
import { isStale, mayWrite, runQuery } from './run-query.ts';
import { bucketScopes, controlScope, type Scope, scopeOf } from './scope.ts';
import { forgetSearchPath } from './search-path.ts';
import type { OpenTransaction, Rows, Session } from './statement.ts';
import { type Db, makeTag } from './tag.ts';
import { transact } from './transaction.ts';
import { type WaitingCaller, waitingCaller } from './waiting-caller.ts';

/** One connection until released: for locks, temporary tables, session settings. */
export interface ReservedDb extends Db {
  release(): void;
  /** Aborted once the connection is lost. */
  readonly lost: AbortSignal;
}

/** The known nodes of a cluster. */
export interface Nodes {
  /** The node of each bucket as it was last known; undefined where the server is no coordinator. */
  ofBuckets: readonly (string | undefined)[] | undefined;
}

/** The pool: the only thing that can open a transaction. */
export interface Pool extends Db {
  /** Runs `work` in a transaction; `mode` follows `begin` in SQL. */
  begin<Result>(work: (tx: Db) => Promise<Result>, mode?: string): Promise<Result>;
  reserve(): Promise<ReservedDb>;
  /** Returns the pool of a supporter's bucket. */
  of(supporterId: string): Pool;
  /** Returns the pool of every bucket, in their order. */
  inBuckets(): Pool[];
  /** Returns the pool of control tables. */
  inControl(): Pool;
  readonly connections: Connections;
  /** Shared by all handles of a database. */
  readonly nodes: Nodes;
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

type Family = Pick<Pool, 'of' | 'inBuckets' | 'inControl' | 'connections' | 'nodes' | 'listen' | 'end'>;

/** Makes the pool of control tables, from which those of its buckets are taken. */
export function makePool(connections: Connections, whole: Scope): Pool {
  const listener = new Listener(() => connections.make());
  const pools = new Map<string | undefined, Pool>();
  const control = controlScope(whole);
  const inScope = (scope: Scope): Pool => {
    const pool = pools.get(scope.path) ?? poolIn(scope, family);
    pools.set(scope.path, pool);
    return pool;
  };
  const family: Family = {
    of: (supporterId) => inScope(scopeOf(supporterId, whole)),
    inBuckets: () => bucketScopes(whole).map(inScope),
    inControl: () => inScope(control),
    connections,
    nodes: { ofBuckets: undefined },
    listen: listener.listen.bind(listener),
    end: async ({ timeout }: { timeout?: number } = {}) => {
      listener.close();
      await connections.close(timeout);
    },
  };
  return inScope(control);
}

/** Makes a tag whose statements run on any connection. */
function poolIn(scope: Scope, family: Family): Pool {
  const { connections } = family;

  /** Lends a connection and takes it back, even after errors. */
  async function lend<Result>(isAlone: boolean, work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await connections.take(isAlone, scope.path, waitingCaller());
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
    const caller = waitingCaller();
    caller?.throwIfRefused(); // perhaps while the connection was waited for
    const { promise: lost, reject } = Promise.withResolvers<never>();
    client.once('error', reject);
    const cut = () => client.connection.stream.destroy(); // the server rolls back transactions without a commit
    const uncut = caller?.onRefused(cut);
    const done = transact(client, mode, scope, work, { caller });
    return Promise.race([lost, done]).finally(() => {
      client.off('error', reject);
      uncut?.();
    });
  }

  async function reserve(): Promise<ReservedDb> {
    const client = await connections.take(true, scope.path, waitingCaller());
    let refusal: Error | undefined;
    const refuse = (error: Error) => {
      refusal ??= error;
    };
    const loss = new AbortController();
    const lose = (error: Error) => {
      refuse(error);
      loss.abort(error);
    };
    client.on('error', lose);
    const run = async (query: Query) => {
      if (refusal) throw refusal;
      return runQuery(client, query);
    };
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      refuse(new Error('A statement came after its session had been released.'));
      client.off('error', lose);
      forgetSearchPath(client);
      connections.give(client);
    };
    const session = { run, openTransaction: () => openTransaction(run) };
    return Object.assign(makeTag(session, scope), { release, lost: loss.signal });
  }

  const begin = <Result>(work: (tx: Db) => Promise<Result>, mode = '') =>
    lend(true, (client) => transactOver(client, mode, work)).catch((error: unknown) => {
      waitingCaller()?.throwIfRefused(); // and not that its connection was cut
      throw error;
    });

  /** Runs a statement that writes, unless its caller is refused before the server comes to it. */
  async function writeForCaller(caller: WaitingCaller, query: Query): Promise<Rows<unknown[]>> {
    caller.throwIfRefused();
    const write = () => begin((tx) => tx.session.run(query));
    return write().catch((error: unknown) => {
      if (!isStale(error)) throw error;
      return write(); // runQuery prepares a stale statement again only outside a transaction
    });
  }

  const runOnce = (query: Query) => lend(false, (client) => runQuery(client, query));

  const session: Session = {
    run: (query) => {
      const caller = waitingCaller();
      if (!caller) return runOnce(query);
      return mayWrite(query.text) ? writeForCaller(caller, query) : caller.orRefused(() => runOnce(query));
    },
    openTransaction: async () => {
      const { session, release } = await reserve();
      return openTransaction(session.run, release);
    },
  };
  return Object.assign(makeTag(session, scope), family, {
    begin,
    reserve,
  });
}
