import pg from 'pg';
import { searchPathOf } from './search-path.ts';
import type { WaitingCaller } from './waiting-caller.ts';

/** The connections were closed before or while a statement waited. */
export class ConnectionsClosed extends Error {
  override name = 'ConnectionsClosed';
  readonly code = 'CONNECTIONS_CLOSED';
}

/** The server refused a connection, or could not be reached; its `code` is that of the cause. */
export class NotConnected extends Error {
  override name = 'NotConnected';
  readonly isExpected = true;
  readonly code: string | undefined;

  constructor(cause: Error & { code?: string }) {
    super(`The database server cannot be used: ${cause.message || cause.code}.`, { cause });
    this.code = cause.code;
  }
}

const closedNow = () => new ConnectionsClosed('The connections to the database are closed.');

const isFatal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC');

interface Waiter {
  /** True for a transaction or session, which shares no connection. */
  isAlone: boolean;
  /** Taken in preference: a connection that has this search path. */
  path: string | undefined;
  resolve(client: pg.Client): void;
  reject(error: unknown): void;
}

const maxConcurrent = 100; // statements on one connection
/**
 * A shared connection with another search path is taken when it has this many statements fewer: each change of path
 * costs.
 */
const costOfOtherPath = 3;

/** Time after which an unused connection is closed: its process at the server holds some 5 MB of plans and catalogue. */
export const unusedMs = 30_000;

/**
 * At most `max` connections to a database, opened when they are needed and served in the order of asking. Unlike those
 * of `pg.Pool`, connections are shared by single statements while all are busy: these travel together.
 */
export class Connections {
  readonly #config: pg.ClientConfig;
  readonly #max: number;
  readonly #keepsUnused: boolean;
  readonly #open = new Set<pg.Client>();
  readonly #idle: pg.Client[] = []; // in the order of their last use
  readonly #lastUsed = new WeakMap<pg.Client, number>();
  #closingUnused: NodeJS.Timeout | undefined;
  readonly #shared = new Map<pg.Client, number>(); // how many statements are on it
  readonly #pooled = new Set<pg.Client>();
  #waiting: Waiter[] = [];
  #connecting = 0;
  #closed: Promise<void> | undefined;

  constructor(config: pg.ClientConfig, max: number, { keepsUnused = false } = {}) {
    this.#config = config;
    this.#max = max;
    this.#keepsUnused = keepsUnused;
  }

  /** Makes a further connection, for listening, closed with the others. */
  make(): pg.Client {
    const client = new pg.Client(this.#config);
    this.#open.add(client);
    client.on('error', () => this.#drop(client)); // what runs on a lost connection is rejected
    client.once('end', () => {
      this.#open.delete(client);
      this.#drop(client);
    });
    return client;
  }

  /** Opens a further connection; throws NotConnected. */
  async open(): Promise<pg.Client> {
    const client = this.make();
    await client.connect().catch((error: Error) => {
      throw new NotConnected(error);
    });
    return client;
  }

  /** The time limits, in milliseconds, that each session asks for. */
  get limits(): Record<string, number> {
    const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout } = this.#config;
    const asked = Object.entries({ statement_timeout, lock_timeout, idle_in_transaction_session_timeout });
    return Object.fromEntries(asked.flatMap(([name, ms]) => (typeof ms === 'number' ? [[name, ms]] : [])));
  }

  /** Waits for a connection; rejects once its caller is refused. */
  take(isAlone: boolean, path?: string, caller?: WaitingCaller): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(closedNow());
    const { promise, resolve, reject } = Promise.withResolvers<pg.Client>();
    const waiter = { isAlone, path, resolve, reject };
    this.#waiting.push(waiter);
    this.#serve();
    if (caller && this.#waiting.includes(waiter)) this.#leaveOnceRefused(waiter, promise, caller);
    return promise;
  }

  /** Takes back a connection; drops it if lost or mid-transaction. */
  give(client: pg.Client, failure?: unknown): void {
    if (isFatal(failure)) this.#drop(client);
    const others = (this.#shared.get(client) ?? 1) - 1;
    if (others > 0) {
      this.#shared.set(client, others);
    } else {
      this.#shared.delete(client);
      if (this.#closed || client.getTransactionStatus() !== 'I') this.#drop(client);
      if (this.#pooled.has(client)) this.#rest(client);
      else void client.end();
    }
    this.#serve();
  }

  /** Closes every connection immediately: its statements fail as on a lost one. */
  cut(): void {
    for (const client of this.#open) client.connection.stream.destroy();
  }

  /** Closes every connection once its work is done; after `withinSeconds`, where given, at the latest. */
  close(withinSeconds?: number): Promise<void> {
    this.#closed ??= this.#close(withinSeconds);
    return this.#closed;
  }

  #leaveOnceRefused(waiter: Waiter, taken: Promise<pg.Client>, caller: WaitingCaller): void {
    const forget = caller.onRefused(() => {
      const at = this.#waiting.indexOf(waiter);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      waiter.reject(closedNow());
    });
    taken.then(forget, forget);
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const client = this.#takeIdle(first.path) ?? (first.isAlone ? undefined : this.#leastShared(first.path));
      if (client === undefined) break;
      if (!first.isAlone) this.#shared.set(client, (this.#shared.get(client) ?? 0) + 1);
      this.#waiting.shift();
      first.resolve(client);
    }
    while (this.#waiting.length > this.#connecting && this.#pooled.size < this.#max) void this.#connect();
  }

  /** Takes the last used of those that have the path, else the last used: a plan is soon kept on few connections. */
  #takeIdle(path: string | undefined): pg.Client | undefined {
    const at = this.#idle.findLastIndex((client) => searchPathOf(client) === path);
    return this.#idle.splice(at, 1)[0];
  }

  /** Finds the least-used shared connection once the pool is full; one with another path counts as busier. */
  #leastShared(path: string | undefined): pg.Client | undefined {
    if (this.#pooled.size < this.#max) return undefined;
    let [best, least]: [pg.Client | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const [client, running] of this.#shared) {
      const load = running + (searchPathOf(client) === path ? 0 : costOfOtherPath);
      if (running < maxConcurrent && load < least && this.#pooled.has(client)) [best, least] = [client, load];
    }
    return best;
  }

  async #connect(): Promise<void> {
    const client = this.make();
    this.#pooled.add(client);
    this.#connecting += 1;
    let failure: unknown;
    await client.connect().catch((error: Error) => {
      failure = new NotConnected(error);
      this.#pooled.delete(client);
    });
    this.#connecting -= 1;
    if (failure) this.#waiting.shift()?.reject(failure);
    else if (this.#closed) void client.end();
    else this.#rest(client);
    this.#serve();
  }

  #rest(client: pg.Client): void {
    this.#lastUsed.set(client, Date.now());
    this.#idle.push(client);
    if (this.#keepsUnused) return;
    this.#closingUnused ??= setTimeout(() => this.#closeUnused(), unusedMs).unref();
  }

  #closeUnused(): void {
    const restingSince = (client: pg.Client) => this.#lastUsed.get(client) ?? 0;
    const limit = Date.now() - unusedMs;
    for (const client of this.#idle.filter((each) => restingSince(each) <= limit)) {
      this.#drop(client);
      void client.end();
    }
    const [next] = this.#idle;
    this.#closingUnused = next ? setTimeout(() => this.#closeUnused(), restingSince(next) - limit).unref() : undefined;
  }

  #drop(client: pg.Client): void {
    if (!this.#pooled.delete(client)) return;
    const at = this.#idle.indexOf(client);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#serve();
  }

  async #close(withinSeconds: number | undefined): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(closedNow());
    for (const client of this.#idle.splice(0)) void client.end();
    clearTimeout(this.#closingUnused);
    const overdue = withinSeconds === undefined ? undefined : setTimeout(() => this.cut(), withinSeconds * 1_000);
    await Promise.all([...this.#open].map((client) => new Promise<void>((ended) => client.once('end', ended))));
    clearTimeout(overdue);
  }
}
