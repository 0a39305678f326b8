import { sydneyDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { listParked } from './delivery-repository.ts';

const dayMs = 86_400_000;

/** Raises an alarm for each endpoint and day on which deliveries were parked. */
export async function watchDeliveries(deps: AlarmDeps): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - dayMs);
  for (const { endpointId, url, parked, lastParkedAt } of await listParked(deps.db, since)) {
    await raiseAlarm(deps, {
      name: 'webhooks_parked',
      about: `${endpointId} ${sydneyDay(lastParkedAt)}`,
      sentence: `${counted(parked, 'event')} could not be delivered to ${new URL(url).host} within three days and will not be tried again; deliver again once the endpoint answers.`,
      see: { page: 'Developers', command: 'webhooks list' },
    });
  }
}
