import type { Db, Pool } from '#db/connect.ts';
import { controlAndBuckets, inTurn } from '#db/in-each-bucket.ts';

/** Maximum wait for a lock, as writers queue behind it. */
const lockMs = 5_000;

type Step = 'guarded' | 'made' | 'there';

export interface MadePartitions {
  made: number;
  /** Tables locked by a long reader or writer; the next night tries again. */
  busy: number;
}

type MakeNext = (db: Db) => PromiseLike<readonly { step: Step }[]>;

const ofLedger: MakeNext = (db) => db<{ step: Step }[]>`select make_ledger_partition() as step`;
const ofAuditLog: MakeNext = (db) => db<{ step: Step }[]>`select make_audit_log_partition() as step`;

/**
 * Creates next year's partition of the ledger and the audit log, months ahead and by the database's own clock, as their
 * UUIDs are. Repeating it changes nothing (docs/decisions/database.md#partitions-of-years).
 */
export async function makePartitions({ db }: { db: Pool }): Promise<MadePartitions> {
  const tables = [
    ...db.inBuckets().map((pool) => ({ pool, makeNext: ofLedger })),
    ...controlAndBuckets(db).map((pool) => ({ pool, makeNext: ofAuditLog })),
  ];
  const steps = await inTurn(tables, ({ pool, makeNext }) => makeOne(pool, makeNext));
  const count = (state: Step | 'busy') => steps.filter((step) => step === state).length;
  return { made: count('made'), busy: count('busy') };
}

/** Takes both steps of one table, each in a separate transaction, so that no lock is held while all rows are read. */
async function makeOne(pool: Pool, makeNext: MakeNext): Promise<Step | 'busy'> {
  const take = () =>
    pool.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${String(lockMs)}, true), set_config('statement_timeout', '0', true)`;
      const [row] = await makeNext(tx);
      return row?.step ?? 'there';
    });
  try {
    const step = await take();
    return step === 'guarded' ? await take() : step;
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return 'busy';
    throw error;
  }
}
