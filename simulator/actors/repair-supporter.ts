import * as contract from '@sparechange/contract';
import { call, type World } from '../world.ts';
import { isToRenew, renew } from './consent-renewal.ts';
import { fundFrom, goOn, readAccounts } from './onboarding.ts';
import { noteResume, openPause, type SupporterActor } from './supporter-actor.ts';

/** Repairs everything that prevents collecting round-ups, before the end. */
export async function repairSupporter(world: World, supporter: SupporterActor): Promise<void> {
  if (supporter.stage === 'closed') return;
  if (supporter.stage === 'ready' && !supporter.hasConsent) supporter.stage = 'connect';
  if (supporter.stage !== 'ready') await goOn(world, supporter);
  if (supporter.stage !== 'ready') return;
  if (isToRenew(supporter, world.clock.peek())) await renew(world, supporter);
  if (openPause(supporter)) {
    const input = { cdrid: supporter.supporterId, isUserPausedRoundUp: false };
    const answer = await call(world, supporter, contract.setPaused, input);
    if (answer?.status === 200) noteResume(supporter, world.clock.now(), world.clock.day());
  }
  await world.external.control('POST', '/balances', { userId: supporter.customerId });
  const [funding] = await world.everybody`
    select 1 from accounts where supporter_id = ${supporter.supporterId} and is_funding and unusable_since is null`;
  if (!funding && (await readAccounts(world, supporter))) await fundFrom(world, supporter, 0);
}
