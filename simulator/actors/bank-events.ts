import { cancelMandate } from '../invariants/mandate-oracle.ts';
import { pickWeighted } from '../scheduler/chance.ts';
import type { World } from '../world.ts';
import { shareAtBank } from './onboarding.ts';
import type { SupporterActor } from './supporter-actor.ts';

interface SandboxPayment {
  ref: string;
  state: string;
}

type BankEvent = (world: World, supporter: SupporterActor) => Promise<void>;

/** Events at banks, by their frequency. */
const bankEvents: readonly [number, BankEvent][] = [
  [20, reissue],
  [20, connectAgain],
  [40, (world, supporter) => armReturn(world, supporter, 'debit', false)],
  [25, (world, supporter) => armReturn(world, supporter, 'debit', true)],
  [15, (world, supporter) => armReturn(world, supporter, 'deposit', false)],
  [15, returnLate],
  [6, cancelMandate],
];

export async function triggerBankEvent(world: World, supporter: SupporterActor): Promise<void> {
  await pickWeighted(supporter.choices, bankEvents)?.(world, supporter);
}

/** Connects again while connected: the bank link shows each account under a second id. */
async function connectAgain(world: World, supporter: SupporterActor): Promise<void> {
  const isPermitted = supporter.permittedUntil !== undefined && supporter.permittedUntil > world.clock.peek();
  if (isPermitted && (await shareAtBank(world, supporter))) world.count('second connections');
}

/** Gives every posted transaction a new id. */
async function reissue(world: World, { customerId }: SupporterActor): Promise<void> {
  await world.external.control('POST', '/reissue', { userId: customerId });
  world.count('reissues');
}

/** Makes the next debit be returned, before it clears or after; mostly for insufficient funds, now and then twice in a row. */
async function armReturn(
  world: World,
  supporter: SupporterActor,
  of: 'debit' | 'deposit',
  late: boolean,
): Promise<void> {
  const { choices, email } = supporter;
  const code = pickWeighted(choices, [
    [60, 6],
    [10, 2],
    [7, 1],
    [7, 3],
    [4, 4],
    [6, 5],
    [5, 9],
    [1, 8],
  ]);
  const isTwice = choices.chance(0.3);
  for (let times = isTwice ? 2 : 1; times > 0; times -= 1) {
    await world.external.control('POST', '/returns', { email, code, of, late });
  }
  world.count('returns armed');
}

/** Returns a debit that cleared some time ago. */
async function returnLate(world: World, { email, choices }: SupporterActor): Promise<void> {
  const payments = await world.external.control<SandboxPayment[]>(
    'GET',
    `/payments?email=${encodeURIComponent(email)}`,
  );
  const cleared = payments.filter(({ state }) => state === 'cleared');
  const which = choices.whole(0, 9);
  const chosen = cleared.at(-1 - (which % Math.max(1, cleared.length)));
  if (!chosen) return;
  await world.external.control('POST', '/returns', { ref: chosen.ref, code: 2 });
  world.count('late returns');
}
