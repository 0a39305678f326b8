import { Conflict } from '#errors.ts';
import { distribute, listOnNodes, moveToNode, rebalanceNodes, refuseUnprepared } from './citus.ts';
import { listNodesOfBuckets } from './citus-nodes.ts';
import type { Pool } from './connect.ts';
import { type ListedBucket, listBuckets } from './list-buckets.ts';

/** Everything that depends on the database's engine: no other code asks which engine it is. */
export interface Engine {
  /** Throws StartProblem where the database lacks what the engine needs. */
  check(owner: Pool): Promise<void>;
  /** False where migrated tables are ready as they are. */
  distributes: boolean;
  /** Puts migrated tables where the engine wants them; again, it changes nothing. */
  distribute(owner: Pool): Promise<void>;
  /** Learns which nodes hold the buckets. */
  findNodes(db: Pool): Promise<void>;
  listBuckets(db: Pool): Promise<ListedBucket[]>;
  moveBucket(owner: Pool, bucket: number, to: string): Promise<void>;
  rebalance(owner: Pool): Promise<'rebalanced' | 'even already'>;
}

export type EngineName = 'postgres' | 'citus';

const refuseMove = async () => {
  throw new Conflict('All buckets are on one server of PostgreSQL; only a Citus cluster moves them between its nodes.');
};

/** One PostgreSQL server with all buckets, or a Citus cluster (docs/decisions/buckets.md#citus). */
export const engines: Record<EngineName, Engine> = {
  postgres: {
    check: async () => {},
    distributes: false,
    distribute: async () => {},
    findNodes: async () => {},
    listBuckets,
    moveBucket: refuseMove,
    rebalance: refuseMove,
  },
  citus: {
    check: refuseUnprepared,
    distributes: true,
    distribute,
    findNodes: async (db) => {
      db.nodes.ofBuckets = await listNodesOfBuckets(db);
    },
    listBuckets: listOnNodes,
    moveBucket: moveToNode,
    rebalance: rebalanceNodes,
  },
};
