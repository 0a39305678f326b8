import * as contract from '@sparechange/contract';
import { closeSupporter } from '../apps/server/src/features/offboarding/close-supporter.ts';
import { dependencies } from '../apps/server/src/runtime/tasks.ts';
import { noteConsentEnd, notePause, type Person } from './person.ts';
import { call, type World } from './world.ts';

/** No more debits; to go on they choose an account again. */
export async function stopDebits(world: World, person: Person): Promise<void> {
  const answer = await call(world, person, contract.stopDebits, { cdrid: person.supporterId });
  if (answer?.status !== 200) return;
  noteStop(world, person);
  world.count('debits stopped');
}

export async function withdraw(world: World, person: Person): Promise<void> {
  const answer = await call(world, person, contract.withdrawConsent, { cdrid: person.supporterId });
  if (answer?.status !== 200) return;
  noteWithdrawal(world, person);
  world.count('consents withdrawn here');
}

export async function deleteBankData(world: World, person: Person): Promise<void> {
  const answer = await call(world, person, contract.deleteBankData, { cdrid: person.supporterId });
  if (answer?.status !== 200) return;
  noteWithdrawal(world, person);
  world.count('bank data deleted on request');
}

export async function download(world: World, person: Person): Promise<void> {
  const answer = await call(world, person, contract.downloadEverything, { cdrid: person.supporterId });
  if (answer?.status === 200) world.count('downloads');
}

/** Closes the account for good, by themselves or through an operator; what failed half-way is done again. */
export async function close(world: World, person: Person): Promise<void> {
  if (world.lives.chance(0.7)) return closeThemselves(world, person);
  for (let tries = 0; tries < 4; tries += 1) {
    const closed = await world.attempt(async ({ runtime }) => {
      const deps = { ...dependencies(runtime), removeUser: async () => 'not ours' as const };
      return closeSupporter(deps, person.supporterId, 'operator').catch(world.tolerate);
    });
    if (closed && closed !== 'crashed') break;
  }
  // With a provider away it is closed all the same, and the daily run finishes it.
  if (await isClosed(world, person)) noteClosing(world, person);
}

async function closeThemselves(world: World, person: Person): Promise<void> {
  const answer = await call(world, person, contract.closeAccount, { cdrid: person.supporterId });
  if (answer?.status !== 200) return;
  noteClosing(world, person);
  world.count('closed by themselves');
}

async function isClosed({ admin }: World, { supporterId }: Person): Promise<boolean> {
  const [row] = await admin`select 1 from supporters where supporter_id = ${supporterId} and closed_on is not null`;
  return row !== undefined;
}

function noteClosing(world: World, person: Person): void {
  person.stage = 'closed';
  noteStop(world, person);
  noteWithdrawal(world, person);
  world.count('closed accounts');
}

/** A pause that would have ended by itself does not any more. */
function noteStop(world: World, person: Person): void {
  const at = world.clock.now();
  person.stoppedAt = at;
  notePause(person, at, world.clock.day());
  for (const pause of person.pauses) if (!pause.resumedAt) pause.endsOn = undefined;
}

function noteWithdrawal(world: World, person: Person): void {
  const at = world.clock.now();
  person.withdrawnAt = at;
  noteConsentEnd(person, at, 'withdrawn');
}
