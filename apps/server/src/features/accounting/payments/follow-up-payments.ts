import type { Logger } from 'pino';
import { inTurn } from '#db/in-each-bucket.ts';
import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import { watchOverdue } from '#features/collections/outcomes/overdue-payments.ts';
import { type ResubmitDeps, resubmitPayments } from './decide-payment.ts';
import { watchParked } from './parked-payments.ts';

/** Resubmits inconclusive payments and alarms parked ones each minute, those of silent nodes left out. */
export async function followUpPayments(deps: ResubmitDeps & { log: Logger }): Promise<void> {
  const alarm = async () => {
    const answering = { ...deps, db: withoutNodes(deps.db, await findSilentNodes(deps.db)) };
    await inTurn([watchParked, watchOverdue], (look) => look(answering));
  };
  await inTurn([() => resubmitPayments(deps), alarm], async (followUp) => void (await followUp()));
}
