import * as contract from '@sparechange/contract';
import { fundFrom, goOn, readAccounts } from './onboarding.ts';
import { noteResume, openPause, type Person } from './person.ts';
import { isToRenew, renew } from './renewing.ts';
import { call, type World } from './world.ts';

/** At the end everybody puts right what keeps their round-ups from being collected. */
export async function putRight(world: World, person: Person): Promise<void> {
  if (person.stage === 'closed') return;
  if (person.stage === 'ready' && !person.hasConsent) person.stage = 'connect';
  if (person.stage !== 'ready') await goOn(world, person);
  if (person.stage !== 'ready') return;
  if (isToRenew(person, world.clock.peek())) await renew(world, person);
  if (openPause(person)) {
    const input = { cdrid: person.supporterId, isUserPausedRoundUp: false };
    const answer = await call(world, person, contract.setPaused, input);
    if (answer?.status === 200) noteResume(person, world.clock.now(), world.clock.day());
  }
  await world.outside.control('POST', '/balances', { userId: person.customerId });
  const [funding] = await world.admin`
    select 1 from accounts where supporter_id = ${person.supporterId} and is_funding and unusable_since is null`;
  if (!funding && (await readAccounts(world, person))) await fundFrom(world, person, 0);
}
