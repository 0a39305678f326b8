import { sydneyTime } from '@sparechange/domain';
import { Refusal } from '../apps/server/src/errors.ts';
import { PassUnfinished } from '../apps/server/src/features/bank-passes/pass-unfinished.ts';
import { ProviderRefused, ProviderUnavailable } from '../apps/server/src/ports/errors.ts';
import { type Chance, chanceOf, pickWeighted } from './chance.ts';
import { collectionFaults } from './collection-faults.ts';
import { Crash } from './crash.ts';
import type { Faults } from './faults.ts';
import { type Outside, wholeAnswer } from './outside.ts';
import type { World } from './world.ts';

type CallFault = 'time-out before' | 'time-out after' | 429 | 500 | 503;

/** Probability that the program ends in a piece of work, by its kind; each of its points is as likely as any other. */
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

/** Misfortune of all kinds, from a seed: ends of the program, calls that fail or whose answer is lost, days of outage. */
export function misfortune(
  seed: number,
  { outside, admin, clock, count, counted }: Pick<World, 'outside' | 'admin' | 'clock' | 'count' | 'counted'>,
): Faults {
  const ends = chanceOf(seed, 'ends');
  const calls = chanceOf(seed, 'calls');
  const weather = chanceOf(seed, 'weather');
  const nights = chanceOf(seed, 'nights');
  const collections = collectionFaults(seed, { admin, clock, count, counted });
  const lengths = new Map<string, number>();
  const outages = new Map<string, number>();
  let work = '';
  let points = 0;
  let endAt: number | undefined;
  let hasCeased = false;
  let nightEndsAt = new Date(0);

  return {
    begin(name) {
      if (work !== '') lengths.set(work, Math.max(8, points));
      work = name;
      points = 0;
      const isToEnd = ends.chance(endsIn[name] ?? endsInOthers);
      const place = 1 + Math.floor(ends.next() * (lengths.get(name) ?? 8));
      endAt = isToEnd && !hasCeased ? place : undefined;
    },
    endHere() {
      points += 1;
      if (points !== endAt) return undefined;
      endAt = undefined;
      return ends.chance(0.5) ? 'before' : 'after';
    },
    async call(fetch, input, init) {
      const provider = new URL(input).pathname.split('/')[1] ?? '';
      if (!hasCeased && provider === 'basiq' && clock.peek() < nightEndsAt) {
        count('calls in a night without the bank link');
        return spoil(outside, fetch, 503, input, init);
      }
      if (!hasCeased && isAccountList(input) && calls.chance(emptyLists)) {
        count('empty account lists');
        return wholeAnswer(JSON.stringify({ type: 'list', count: 0, data: [], links: {} }), { status: 200 });
      }
      const struck = isCollection(input, init) ? await collections.strike(init) : undefined;
      if (struck === 422) return notPermitted();
      if (struck !== undefined) return spoil(outside, fetch, struck, input, init);
      const isOut = (outages.get(provider) ?? 0) > 0;
      const isStruck = calls.chance(hasCeased ? 0 : isOut ? outageFaults : rareFaults);
      const fault = isStruck ? pickWeighted(calls, callFaults) : undefined;
      if (fault === undefined) return fetch(input, init);
      count(`calls with ${fault}`);
      return spoil(outside, fetch, fault, input, init);
    },
    async newDay() {
      for (const [provider, days] of outages) outages.set(provider, days - 1);
      for (const provider of ['basiq', 'zepto']) {
        const begins = weather.chance(0.02);
        const days =
          pickWeighted(weather, [
            [6, 1],
            [3, 2],
            [2, 4],
            [1, 9],
          ]) ?? 1;
        if (begins) outages.set(provider, days);
        if (begins) count(`outages of ${provider}`);
      }
      if (nights.chance(nightsWithout)) nightEndsAt = sydneyTime(clock.day(), '07:00');
      collections.newDay();
      await spoilNotifications(outside, weather);
    },
    async cease() {
      hasCeased = true;
      collections.cease();
      await outside.control('DELETE', '/faults');
    },
    mayCause: (error) => isExpected(error),
  };
}

const isCollection = (input: string, { method }: RequestInit): boolean =>
  method === 'POST' && new URL(input).pathname.endsWith('/payment_requests');

/** For a day the provider lets us collect from nobody. */
const notPermitted = (): Response =>
  wholeAnswer(JSON.stringify({ errors: 'Your account is not permitted to collect' }), {
    status: 422,
    headers: { 'content-type': 'application/json' },
  });

const isExpected = (error: unknown): boolean =>
  error instanceof PassUnfinished ||
  error instanceof ProviderUnavailable ||
  error instanceof ProviderRefused ||
  error instanceof Crash ||
  (error instanceof Refusal && ['provider-unavailable', 'conflict'].includes(error.code)) ||
  (error instanceof AggregateError && error.errors.every(isExpected));

async function spoil(
  outside: Outside,
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
  await outside.control('POST', '/faults', { path: new URL(input).pathname, status: fault, count: 1 });
  return fetch(input, init);
}

const noAnswer = (): Error => Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });

/** Some of the day's notifications are lost, doubled, late or forged. */
async function spoilNotifications(outside: Outside, weather: Chance): Promise<void> {
  await outside.control('DELETE', '/faults');
  for (const kind of ['drop', 'duplicate', 'reorder', 'badSignature'] as const) {
    const isToday = weather.chance(0.35);
    const count = weather.whole(1, 12);
    const webhooks = weather.pick(['basiq', 'zepto', 'all']);
    if (isToday) await outside.control('POST', '/faults', { webhooks, [kind]: true, count });
  }
}
