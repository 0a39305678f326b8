import * as contract from '@sparechange/contract';
import { closeSupporter } from '@sparechange/server/features/supporters/offboarding/close-supporter.ts';
import { dependencies } from '@sparechange/server/runtime/dependencies.ts';
import { call, type World } from '../world.ts';
import { noteConsentEnd, notePause, type SupporterActor } from './supporter-actor.ts';

/** Ends debits; to resume, the supporter chooses an account again. */
export async function stopDebits(world: World, supporter: SupporterActor): Promise<void> {
  const answer = await call(world, supporter, contract.stopDebits, { cdrid: supporter.supporterId });
  if (answer?.status !== 200) return;
  noteStop(world, supporter);
  world.count('debits stopped');
}

export async function withdraw(world: World, supporter: SupporterActor): Promise<void> {
  const answer = await call(world, supporter, contract.withdrawConsent, { cdrid: supporter.supporterId });
  if (answer?.status !== 200) return;
  noteWithdrawal(world, supporter);
  world.count('consents withdrawn here');
}

export async function deleteBankData(world: World, supporter: SupporterActor): Promise<void> {
  const answer = await call(world, supporter, contract.deleteBankData, { cdrid: supporter.supporterId });
  if (answer?.status !== 200) return;
  noteWithdrawal(world, supporter);
  world.count('bank data deleted on request');
}

export async function download(world: World, supporter: SupporterActor): Promise<void> {
  const answer = await call(world, supporter, contract.downloadEverything, { cdrid: supporter.supporterId });
  if (answer?.status === 200) world.count('downloads');
}

/** Closes the account for good, by the supporter or an operator; a closure that failed half-way is repeated. */
export async function close(world: World, supporter: SupporterActor): Promise<void> {
  if (supporter.choices.chance(0.7)) return closeThemselves(world, supporter);
  for (let tries = 0; tries < 4; tries += 1) {
    const closed = await world.attempt(async ({ runtime }) => {
      const bucket = runtime.db.of(supporter.supporterId);
      const deps = { ...dependencies(runtime), db: bucket, removeUser: async () => 'not ours' as const };
      return closeSupporter(deps, supporter.supporterId, 'operator').catch(world.tolerate);
    });
    if (closed && closed !== 'crashed') break;
  }
  // With a provider unavailable it is closed all the same, and the daily run finishes it.
  if (await isClosed(world, supporter)) noteClosing(world, supporter);
}

async function closeThemselves(world: World, supporter: SupporterActor): Promise<void> {
  const answer = await call(world, supporter, contract.closeAccount, { cdrid: supporter.supporterId });
  if (answer?.status !== 200) return;
  noteClosing(world, supporter);
  world.count('closed by themselves');
}

async function isClosed({ everybody }: World, { supporterId }: SupporterActor): Promise<boolean> {
  const [row] = await everybody`select 1 from supporters where supporter_id = ${supporterId} and closed_on is not null`;
  return row !== undefined;
}

function noteClosing(world: World, supporter: SupporterActor): void {
  supporter.stage = 'closed';
  noteStop(world, supporter);
  noteWithdrawal(world, supporter);
  world.count('closed accounts');
}

/** Cancels a pause's automatic end. */
function noteStop(world: World, supporter: SupporterActor): void {
  const at = world.clock.now();
  supporter.stoppedAt = at;
  notePause(supporter, at, world.clock.day());
  for (const pause of supporter.pauses) if (!pause.resumedAt) pause.endsOn = undefined;
}

function noteWithdrawal(world: World, supporter: SupporterActor): void {
  const at = world.clock.now();
  supporter.withdrawnAt = at;
  noteConsentEnd(supporter, at, 'withdrawn');
}
