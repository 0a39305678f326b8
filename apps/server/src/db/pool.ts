import type { Client } from 'pg';
import type { Query } from './compose.ts';
import { followBuckets } from './follow-buckets.ts';
import { Listener, type Listening } from './listener.ts';
import { isStale, mayWrite, runQuery } from './run-query.ts';
import { bucketScopes, controlScope, type Scope, scopeOf } from './scope.ts';
import { forgetSearchPath } from './search-path.ts';
import { BucketUnavailable, type DatabaseServer, OtherServer, type Servers } from './servers.ts';
import type { OpenTransaction, Rows, Session } from './statement.ts';
import { type Db, makeTag } from './tag.ts';
import { transact } from './transaction.ts';
import { type WaitingCaller, waitingCaller } from './waiting-caller.ts';

/** One connection until released: for locks, temporary tables, session settings. */
export interface ReservedDb extends Db {
  release(): void;
  /** Is aborted once the connection is lost. */
  readonly lost: AbortSignal;
}

/** The pool: the only thing that can open a transaction. */
export interface Pool extends Db {
  /** Runs `work` in a transaction; `mode` follows `begin` in SQL. */
  begin<Result>(work: (tx: Db) => Promise<Result>, mode?: string): Promise<Result>;
  reserve(): Promise<ReservedDb>;
  /** Returns the pool of a supporter's bucket, over the connections to its server. */
  of(supporterId: string): Pool;
  /** Returns the pool of every bucket, in their order. */
  inBuckets(): Pool[];
  /** Returns the pool of control tables. */
  inControl(): Pool;
  /** Returns the pool of what a server has outside its buckets. */
  on(server: DatabaseServer): Pool;
  readonly servers: Servers;
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

type Family = Pick<Pool, 'of' | 'inBuckets' | 'inControl' | 'on' | 'servers' | 'listen' | 'end'>;

/** Makes the pool of control tables, from which those of its buckets are taken. */
export function makePool(servers: Servers, whole: Scope): Pool {
  const listener = new Listener(() => servers.control.connections.make());
  const pools = new Map<string | undefined, Pool>();
  const control = controlScope(whole);
  const inScope = (scope: Scope): Pool => {
    const pool = pools.get(scope.path) ?? poolIn(scope, () => servers.holding(scope), family);
    pools.set(scope.path, pool);
    return pool;
  };
  const family: Family = {
    of: (supporterId) => inScope(scopeOf(supporterId, whole)),
    inBuckets: () => bucketScopes(whole).map(inScope),
    inControl: () => inScope(control),
    on: (server) => (server === servers.control ? inScope(control) : poolIn(control, () => server, family)),
    servers,
    listen: listener.listen.bind(listener),
    end: async ({ timeout }: { timeout?: number } = {}) => {
      listener.close();
      await Promise.all(servers.all.map(({ connections }) => connections.close(timeout)));
    },
  };
  return inScope(control);
}

/** Makes a tag whose statements run on any connection. */
function poolIn(scope: Scope, find: () => DatabaseServer, family: Family): Pool {
  /** Refuses tables of another server than that of a session. */
  const keepTo = (server: DatabaseServer): Session['mayReach'] => {
    if (family.servers.all.length === 1) return undefined;
    return (other) => {
      const { name } = family.servers.holding(other);
      if (name !== server.name)
        throw new OtherServer(
          `A transaction on the server ${server.name} cannot turn to tables of the server ${name}.`,
        );
    };
  };

  const hasFollowed = (placed: number, error: unknown) => followBuckets(family.servers, placed, error);

  /** Does work; again whenever it found a bucket moved to another server, when nothing of it was done. */
  async function followed<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const { placed } = family.servers;
      try {
        return await work();
      } catch (error) {
        if (!(await hasFollowed(placed, error))) throw error;
      }
    }
  }

  /** Lends a connection and takes it back, even after errors. */
  async function lend<Result>(
    isAlone: boolean,
    work: (client: Client, server: DatabaseServer) => Promise<Result>,
  ): Promise<Result> {
    const move = family.servers.moveOf(scope);
    if (move) await move;
    const server = find();
    const { connections } = server;
    const client = await connections.take(isAlone, scope.path, waitingCaller()?.refused);
    let failure: unknown;
    try {
      return await work(client, server);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      connections.give(client, failure);
    }
  }

  /** Runs a transaction; rejects once its connection is lost. */
  function transactOver<Result>(
    client: Client,
    server: DatabaseServer,
    mode: string,
    work: (tx: Db) => Promise<Result>,
  ): Promise<Result> {
    const caller = waitingCaller();
    caller?.throwIfRefused(); // perhaps while the connection was waited for
    const { promise: lost, reject } = Promise.withResolvers<never>();
    client.once('error', reject);
    const cut = () => client.connection.stream.destroy(); // the server rolls back what has no commit
    caller?.refused.addEventListener('abort', cut, { once: true });
    const done = transact(client, mode, scope, work, { mayReach: keepTo(server), caller });
    return Promise.race([lost, done]).finally(() => {
      client.off('error', reject);
      caller?.refused.removeEventListener('abort', cut);
    });
  }

  async function reserve(): Promise<ReservedDb> {
    await family.servers.moveOf(scope);
    const server = find();
    const { connections } = server;
    const client = await connections.take(true, scope.path, waitingCaller()?.refused);
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
    const { placed } = family.servers;
    const run = async (query: Query) => {
      if (refusal) throw refusal;
      try {
        return await runQuery(client, query);
      } catch (error) {
        if (!(await hasFollowed(placed, error))) throw error;
        throw new BucketUnavailable('A bucket was moved to another server while a session read it.');
      }
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
    const session = { run, openTransaction: () => openTransaction(run), mayReach: keepTo(server) };
    return Object.assign(makeTag(session, scope), { release, lost: loss.signal });
  }

  const begin = <Result>(work: (tx: Db) => Promise<Result>, mode = '') =>
    followed(() => lend(true, (client, server) => transactOver(client, server, mode, work))).catch((error: unknown) => {
      waitingCaller()?.throwIfRefused(); // and not that its connection was cut
      throw error;
    });

  /** Runs a statement whose caller may be refused before the server comes to it: one that writes is then not committed. */
  async function runForCaller(caller: WaitingCaller, query: Query): Promise<Rows<unknown[]>> {
    caller.throwIfRefused();
    if (!mayWrite(query.text))
      return caller.orRefused(followed(() => lend(false, (client) => runQuery(client, query))));
    const write = () => begin((tx) => tx.session.run(query));
    return write().catch((error: unknown) => {
      if (!isStale(error)) throw error;
      return write(); // runQuery prepares a stale statement again only outside a transaction
    });
  }

  const session: Session = {
    run: (query) => {
      const caller = waitingCaller();
      return caller ? runForCaller(caller, query) : followed(() => lend(false, (client) => runQuery(client, query)));
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
