import { type Actor, appendOperatorsAct } from '#audit/audit-log.ts';
import { NotFound } from '#errors.ts';
import { queueAgain } from './delivery-repository.ts';
import type { EndpointDeps } from './endpoints.ts';

/** Delivers again what was parked for an endpoint, or one event, for three more days; returns how many. */
export async function replay(
  { db, clock }: Pick<EndpointDeps, 'db' | 'clock'>,
  { endpointId, eventId }: { endpointId: string; eventId?: string | undefined },
  by: Actor,
): Promise<number> {
  const at = clock.now();
  return db.begin(async (tx) => {
    const queued = await queueAgain(tx, endpointId, eventId, at);
    if (queued === 0 && eventId !== undefined) throw new NotFound('A delivery of that event to that endpoint');
    const details = { endpoint: endpointId, event: eventId ?? null, queued };
    await appendOperatorsAct(tx, { at, by, action: 'webhooks replayed', details });
    return queued;
  });
}
