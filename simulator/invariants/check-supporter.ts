import { addDays, type IsoDate } from '@sparechange/domain';
import type { SupporterActor } from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';
import { readStatement } from './bank-statement.ts';
import { checkPurchaseRefunds } from './purchase-refund-oracle.ts';
import type { RoundUpOracle } from './round-up-oracle.ts';

/** State of a supporter's bank sync in the product. */
export interface SyncStatus {
  roundsFrom: IsoDate | null;
  syncedAt: Date | null;
  isActive: boolean;
}

/** Holds what the product recorded of a supporter against what the bank shows of the last days. */
export async function checkSupporter(
  world: World,
  oracle: RoundUpOracle,
  supporter: SupporterActor,
  days: number,
): Promise<void> {
  const { supporterId, firstDay } = supporter;
  if (supporter.stage !== 'ready' || !supporter.hasConsent || !firstDay) return;
  const [status] = await world.everybody<SyncStatus[]>`
    select rounds_from as "roundsFrom", synced_at as "syncedAt", consent_active as "isActive"
    from supporters where supporter_id = ${supporterId}`;
  if (!status) return world.violation(`${supporter.uid} finished onboarding but has no row`);
  const earliest = addDays(world.clock.day(), -days);
  const statement = await readStatement(world, supporter, earliest > firstDay ? earliest : firstDay, oracle.mark);
  oracle.checkComplete(world, supporter, status, statement);
  await checkPurchaseRefunds(world, supporter, status, earliest, statement);
}
