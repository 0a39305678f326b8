import { sydneyTime } from '@sparechange/domain';
import { Refusal } from '@sparechange/server/errors.ts';
import { ProviderRefused, ProviderUnavailable } from '@sparechange/server/ports/errors.ts';
import { type ExternalSystems, wholeResponse } from '../external-systems.ts';
import { type Chance, chanceOf, pickWeighted } from '../scheduler/chance.ts';
import type { World } from '../world.ts';
import { collectionFaults } from './collection-faults.ts';
import { Crash } from './crash.ts';
import type { FaultKind, Faults } from './faults.ts';

type CallFault = 'time-out before' | 'time-out after' | 429 | 500 | 503;

/** Probability that the process ends in a piece of work, by its kind; each of its points is as likely as any other. */
const endsIn: Record<string, number> = {
  sync: 0.02,
  visit: 0.02,
  hearing: 0.03,
  'debit-run': 0.3,
  'savings-run': 0.12,
  remit: 0.12,
};
const endsInOthers = 0.05;

const callFaults: readonly [number, CallFault][] = [
  [2, 'time-out before'],
  [2, 'time-out after'],
  [2, 429],
  [1, 500],
  [2, 503],
];

/** Probability that a single call fails while all is well, and while a provider is not. */
const rareFaults = 0.004;
const outageFaults = 0.85;
/** Probability that a bank link is unavailable from midnight to seven, and that it shows no account for the moment. */
const nightsWithout = 0.04;
const emptyLists = 0.03;

const isAccountList = (url: string): boolean => /^\/basiq\/users\/[^/]+\/accounts$/.test(new URL(url).pathname);

/** Injects faults from a seed: ends of the process, calls that fail or whose answer is lost, days of outage. */
export function faultInjector(
  seed: number,
  kinds: readonly FaultKind[],
  world: Pick<World, 'external' | 'admin' | 'everybody' | 'clock' | 'count' | 'counted'>,
): Faults {
  const { external, clock, count } = world;
  const ends = chanceOf(seed, 'ends');
  const calls = chanceOf(seed, 'calls');
  const outageChance = chanceOf(seed, 'weather');
  const nights = chanceOf(seed, 'nights');
  const collections = collectionFaults(seed, world);
  const lengths = new Map<string, number>();
  const outages = new Map<string, number>();
  let work = '';
  let points = 0;
  let endAt: number | undefined;
  let hasStopped = false;
  let nightEndsAt = new Date(0);
  const has = (kind: FaultKind): boolean => kinds.includes(kind);

  return {
    begin(name) {
      if (work !== '') lengths.set(work, Math.max(8, points));
      work = name;
      points = 0;
      const isToEnd = ends.chance(endsIn[name] ?? endsInOthers);
      const place = 1 + Math.floor(ends.next() * (lengths.get(name) ?? 8));
      endAt = isToEnd && !hasStopped && has('ends') ? place : undefined;
    },
    endHere() {
      points += 1;
      if (points !== endAt) return undefined;
      endAt = undefined;
      return ends.chance(0.5) ? 'before' : 'after';
    },
    async call(fetch, input, init) {
      const provider = new URL(input).pathname.split('/')[1] ?? '';
      if (!hasStopped && provider === 'basiq' && clock.peek() < nightEndsAt) {
        count('calls in a night without the bank link');
        return injectFault(external, fetch, 503, input, init);
      }
      if (!hasStopped && isAccountList(input) && calls.chance(emptyLists) && has('empty lists')) {
        count('empty account lists');
        return wholeResponse(JSON.stringify({ type: 'list', count: 0, data: [], links: {} }), { status: 200 });
      }
      const injected = has('collections') && isCollection(input, init) ? await collections.inject(init) : undefined;
      if (injected === 422) return notPermitted();
      if (injected !== undefined) return injectFault(external, fetch, injected, input, init);
      const isOut = (outages.get(provider) ?? 0) > 0;
      const isInjected = calls.chance(hasStopped ? 0 : isOut ? outageFaults : rareFaults) && (isOut || has('calls'));
      const fault = isInjected ? pickWeighted(calls, callFaults) : undefined;
      if (fault === undefined) return fetch(input, init);
      count(`calls with ${fault}`);
      return injectFault(external, fetch, fault, input, init);
    },
    async newDay() {
      for (const [provider, days] of outages) outages.set(provider, days - 1);
      for (const provider of ['basiq', 'zepto']) {
        const begins = outageChance.chance(0.02);
        const days =
          pickWeighted(outageChance, [
            [6, 1],
            [3, 2],
            [2, 4],
            [1, 9],
          ]) ?? 1;
        if (!begins || !has('outages')) continue;
        outages.set(provider, days);
        count(`outages of ${provider}`);
      }
      if (nights.chance(nightsWithout) && has('nights')) nightEndsAt = sydneyTime(clock.day(), '07:00');
      collections.newDay();
      await injectNotificationFaults(external, outageChance, has('notifications'));
    },
    async stop() {
      hasStopped = true;
      collections.stop();
      await external.control('DELETE', '/faults');
    },
    mayCause: isExpected,
  };
}

const isCollection = (input: string, { method }: RequestInit): boolean =>
  method === 'POST' && new URL(input).pathname.endsWith('/payment_requests');

/** For a day the provider lets us collect from nobody. */
const notPermitted = (): Response =>
  wholeResponse(JSON.stringify({ errors: 'Your account is not permitted to collect' }), {
    status: 422,
    headers: { 'content-type': 'application/json' },
  });

const isExpected = (error: unknown): boolean =>
  error instanceof ProviderUnavailable ||
  error instanceof ProviderRefused ||
  error instanceof Crash ||
  (error instanceof Refusal && ['provider-unavailable', 'conflict'].includes(error.code)) ||
  (error instanceof AggregateError && error.errors.every(isExpected));

async function injectFault(
  external: ExternalSystems,
  fetch: typeof globalThis.fetch,
  fault: CallFault,
  input: string,
  init: RequestInit,
): Promise<Response> {
  if (fault === 'time-out before') throw noAnswer();
  if (fault === 'time-out after') {
    await fetch(input, init);
    throw noAnswer();
  }
  // The sandbox words it the way the provider does.
  await external.control('POST', '/faults', { path: new URL(input).pathname, status: fault, count: 1 });
  return fetch(input, init);
}

const noAnswer = (): Error => Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });

/** Some of the day's notifications are lost, doubled, late or forged. */
async function injectNotificationFaults(
  external: ExternalSystems,
  outageChance: Chance,
  isWanted: boolean,
): Promise<void> {
  await external.control('DELETE', '/faults');
  for (const kind of ['drop', 'duplicate', 'reorder', 'badSignature'] as const) {
    const isToday = outageChance.chance(0.35);
    const count = outageChance.whole(1, 12);
    const webhooks = outageChance.pick(['basiq', 'zepto', 'all']);
    if (isToday && isWanted) await external.control('POST', '/faults', { webhooks, [kind]: true, count });
  }
}
