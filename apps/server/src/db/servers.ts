import type { Connections } from './connections.ts';
import type { Scope } from './scope.ts';

/** The name of the server of `DATABASE_URL`, which has the control tables. */
export const controlName = 'control';

export interface DatabaseServer {
  name: string;
  connections: Connections;
}

/** Thrown for a bucket that cannot be used now: its server has not answered, or it is being moved. */
export class BucketUnavailable extends Error {
  override name = 'BucketUnavailable';
  readonly code = 'BUCKET_UNAVAILABLE';
}

/** Thrown by a transaction that turns to another server's tables. */
export class OtherServer extends Error {
  override name = 'OtherServer';
}

interface Move {
  ended: Promise<void>;
  end(): void;
}

function waitForMove(bucket: number, patienceMs: number): Move {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => reject(new BucketUnavailable(`Bucket ${bucket} is being moved to another server.`));
  const timer = setTimeout(giveUp, patienceMs).unref();
  ended.catch(() => {}); // nobody may be waiting
  const end = () => {
    clearTimeout(timer);
    resolve();
  };
  return { ended, end };
}

/** The servers of a database and the buckets that each holds (docs/decisions/0120-buckets-on-servers.md). */
export class Servers {
  readonly control: DatabaseServer;
  readonly all: readonly [DatabaseServer, ...DatabaseServer[]];
  readonly #holders: (DatabaseServer | undefined)[];
  /** Buckets that are being moved. */
  readonly #moves = new Map<number, Move>();
  /** Grows whenever a bucket is placed on another server. */
  placed = 0;
  /** The node of each bucket as it was last known, where the server is the coordinator of a cluster. */
  nodes: readonly (string | undefined)[] | undefined;

  /** Takes control's server first; it holds every bucket where it is the only one. */
  constructor(control: DatabaseServer, others: DatabaseServer[], buckets: number) {
    this.control = control;
    this.all = [control, ...others];
    this.#holders = Array(buckets).fill(others.length === 0 ? control : undefined);
  }

  /** Returns the server of a scope's tables; throws BucketUnavailable while that is not known. */
  holding({ bucket }: Scope): DatabaseServer {
    if (bucket === undefined) return this.control;
    const server = this.#holders[bucket];
    if (!server) throw new BucketUnavailable(`The server of bucket ${bucket} has not answered yet.`);
    return server;
  }

  /** Sets the server on which a bucket is looked for from now on; without a name, none is known. */
  place(bucket: number, name: string | undefined): void {
    const server = name === undefined ? undefined : this.named(name);
    if (server === this.#holders[bucket]) return;
    this.#holders[bucket] = server;
    this.placed += 1;
  }

  /** Places each bucket on its server where that is ready, else nowhere. */
  placeAll(holders: readonly (string | undefined)[], ready: ReadonlySet<string>): void {
    for (const [bucket, name] of holders.entries())
      this.place(bucket, name !== undefined && ready.has(name) ? name : undefined);
  }

  /** Makes statements for these buckets wait for the end of their moves, for `patienceMs` at most; ends the waits for all others. */
  keepWaiting(buckets: ReadonlySet<number>, patienceMs: number): void {
    for (const [bucket, move] of this.#moves) {
      if (buckets.has(bucket)) continue;
      this.#moves.delete(bucket);
      move.end();
    }
    for (const bucket of buckets)
      if (!this.#moves.has(bucket)) this.#moves.set(bucket, waitForMove(bucket, patienceMs));
  }

  /** Returns a promise that ends with the move of a scope's bucket, and rejects with BucketUnavailable where that takes too long. */
  moveOf({ bucket }: Scope): Promise<void> | undefined {
    return bucket === undefined ? undefined : this.#moves.get(bucket)?.ended;
  }

  find(name: string): DatabaseServer | undefined {
    return this.all.find((each) => each.name === name);
  }

  named(name: string): DatabaseServer {
    const server = this.find(name);
    if (!server) throw new Error(`There is no database server ${name}.`);
    return server;
  }

  /** Returns the name of the server of each bucket, in their order. */
  get holders(): (string | undefined)[] {
    return this.#holders.map((server) => server?.name);
  }
}
