import { pickWeighted } from './chance.ts';
import { cancelMandate } from './mandate-oracle.ts';
import { shareAtBank } from './onboarding.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

interface SandboxPayment {
  ref: string;
  state: string;
}

type Meddling = (world: World, person: Person) => Promise<void>;

/** Events at banks, by their frequency. */
const meddlings: readonly [number, Meddling][] = [
  [20, reissue],
  [20, connectAgain],
  [40, (world, person) => armReturn(world, person, 'debit', false)],
  [25, (world, person) => armReturn(world, person, 'debit', true)],
  [15, (world, person) => armReturn(world, person, 'deposit', false)],
  [15, takeBackLate],
  [6, cancelMandate],
];

export async function meddle(world: World, person: Person): Promise<void> {
  await pickWeighted(world.lives, meddlings)?.(world, person);
}

/** They press "connect" though they are connected: the bank link shows each account under a second id. */
async function connectAgain(world: World, person: Person): Promise<void> {
  const isPermitted = person.permittedUntil !== undefined && person.permittedUntil > world.clock.peek();
  if (isPermitted && (await shareAtBank(world, person))) world.count('second connections');
}

/** The bank gives everything it has posted new ids. */
async function reissue(world: World, { customerId }: Person): Promise<void> {
  await world.outside.control('POST', '/reissue', { userId: customerId });
  world.count('reissues');
}

/** The next debit comes back, before it clears or after; mostly for want of money, and twice in a row now and then. */
async function armReturn(world: World, { email }: Person, of: 'debit' | 'deposit', late: boolean): Promise<void> {
  const { lives } = world;
  const code = pickWeighted(lives, [
    [60, 6],
    [10, 2],
    [7, 1],
    [7, 3],
    [4, 4],
    [6, 5],
    [5, 9],
    [1, 8],
  ]);
  const isTwice = lives.chance(0.3);
  for (let times = isTwice ? 2 : 1; times > 0; times -= 1) {
    await world.outside.control('POST', '/returns', { email, code, of, late });
  }
  world.count('returns armed');
}

/** A debit that cleared at some time in the past comes back now. */
async function takeBackLate(world: World, { email }: Person): Promise<void> {
  const payments = await world.outside.control<SandboxPayment[]>('GET', `/payments?email=${encodeURIComponent(email)}`);
  const cleared = payments.filter(({ state }) => state === 'cleared');
  const which = world.lives.whole(0, 9);
  const chosen = cleared.at(-1 - (which % Math.max(1, cleared.length)));
  if (!chosen) return;
  await world.outside.control('POST', '/returns', { ref: chosen.ref, code: 2 });
  world.count('late returns');
}
