/** Limits statements, lock waits and idle transactions; 0 for none. */
export interface DatabaseLimits {
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

const minute = 60_000;

/**
 * A caller gives up long before a minute. A pass over all supporters may take hours, and waits for the planning of debits; an operator's
 * command may be such a pass. No transaction waits for a provider, so one that stands idle is a process that hangs.
 */
const limitsOf: Record<'api' | 'worker' | 'ops', DatabaseLimits> = {
  api: { statementMs: minute, lockMs: minute / 2, idleInTransactionMs: minute },
  worker: { statementMs: 6 * 60 * minute, lockMs: 30 * minute, idleInTransactionMs: 10 * minute },
  ops: { statementMs: 12 * 60 * minute, lockMs: 5 * minute, idleInTransactionMs: 10 * minute },
};

/** Jobs are taken, given and counted in short statements; little is swept and reindexed there. */
export const limitsOfQueues: DatabaseLimits = { statementMs: 10 * minute, lockMs: minute, idleInTransactionMs: minute };

/** Returns the limits of a process by its name: a worker's where it is both worker and API. */
export function limitsOfProcess(name: string, statementSeconds?: number): DatabaseLimits {
  const limits = limitsOf[name === 'ops' ? 'ops' : name.includes('worker') ? 'worker' : 'api'];
  return statementSeconds === undefined ? limits : { ...limits, statementMs: statementSeconds * 1_000 };
}
