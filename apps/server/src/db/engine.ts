import { Conflict } from '#errors.ts';
import { distribute, listOnNodes, moveToNode, rebalanceNodes, refuseUnprepared } from './citus.ts';
import { listNodesOfBuckets } from './citus-nodes.ts';
import type { Pool } from './connect.ts';
import { type ListedBucket, listBuckets } from './list-buckets.ts';
import { dropFormer, type MoveDeps, moveBucket } from './move-bucket.ts';

export interface MovedBucket {
  became: 'moved' | 'went back';
  /** True where a former copy waits to be dropped. */
  leavesCopy: boolean;
}

/** All that depends on what a database runs on: nobody else asks which engine it is. */
export interface Engine {
  /** Throws StartProblem where the database lacks what the engine needs. */
  check(owner: Pool): Promise<void>;
  /** Puts migrated tables where the engine wants them; again, it changes nothing. */
  distribute(owner: Pool): Promise<void>;
  /** Learns which nodes hold the buckets. */
  findNodes(db: Pool): Promise<void>;
  listBuckets(db: Pool): Promise<ListedBucket[]>;
  moveBucket(deps: MoveDeps, bucket: number, to: string): Promise<MovedBucket>;
  rebalance(deps: MoveDeps): Promise<'rebalanced' | 'even already'>;
  /** Returns the server whose former copy is gone. */
  dropFormer(deps: MoveDeps, bucket: number): Promise<string>;
}

export type EngineName = 'postgres' | 'citus';

/** PostgreSQL by itself, with buckets on the servers of BUCKET_SERVERS or on one; or Citus (docs/decisions/0144-citus.md). */
export const engines: Record<EngineName, Engine> = {
  postgres: {
    check: async () => {},
    distribute: async () => {},
    findNodes: async () => {},
    listBuckets,
    moveBucket: async (deps, bucket, to) => {
      const became = await moveBucket(deps, bucket, to);
      return { became, leavesCopy: became === 'moved' };
    },
    rebalance: async () => {
      throw new Conflict('Buckets on servers of PostgreSQL are moved one by one: buckets move.');
    },
    dropFormer,
  },
  citus: {
    check: refuseUnprepared,
    distribute,
    findNodes: async (db) => {
      db.servers.nodes = await listNodesOfBuckets(db);
    },
    listBuckets: listOnNodes,
    moveBucket: async ({ owner }, bucket, to) => {
      await moveToNode(owner, bucket, to);
      return { became: 'moved', leavesCopy: false };
    },
    rebalance: ({ owner }) => rebalanceNodes(owner),
    dropFormer: async () => {
      throw new Conflict('Citus drops what a move leaves by itself.');
    },
  },
};
