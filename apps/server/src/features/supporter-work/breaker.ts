import type { Db, Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import { NoFreeTurn, type ProviderUnavailable } from '#ports/errors.ts';

/** Consecutive calls without an answer that mean the bank link answers nobody. */
const maxUnanswered = 20;
/** A call refused because the bank link is busy counts as so many without an answer: three in a row open the breaker. */
const busyWeighs = 7;
/** Probes in a row that are not answered, whoever they were for, after which the bank link is left alone again. */
const maxProbes = 3;

/** `open` leaves the bank link alone; `half_open` lets one call show if it is well again. */
export type BreakerState = 'closed' | 'open' | 'half_open';

export interface OpenBreaker {
  openedAt: Date;
  openUntil: Date;
}

/** Finds since when the bank link has answered nobody. */
export async function findOpenBreaker(db: Db): Promise<OpenBreaker | undefined> {
  const [breaker] = await db<OpenBreaker[]>`
    select opened_at as "openedAt", open_until as "openUntil" from provider_breakers where provider = 'bank_link'`;
  return breaker;
}

export async function breakerState(db: Db, now: Date): Promise<BreakerState> {
  const breaker = await findOpenBreaker(db);
  if (!breaker) return 'closed';
  return breaker.openUntil > now ? 'open' : 'half_open';
}

/** Leaves the bank link alone for 30 seconds, each time in a row for twice as long, up to ten minutes. */
async function openBreaker(db: Db, now: Date): Promise<void> {
  await db`
    insert into provider_breakers as known (provider, opened_at, open_until, times)
    values ('bank_link', ${now}, ${now}::timestamptz + interval '30 seconds', 1)
    on conflict (provider) do update set times = known.times + 1,
      open_until = ${now}::timestamptz + least(600, 30 * 2 ^ least(known.times, 5)) * interval '1 second'
    where known.open_until <= ${now}`;
}

/** Opens and closes the breaker, which all processes share, by the outcomes of one process's calls. */
export function bankLinkBreaker({ db, clock }: { db: Pool; clock: Clock }) {
  let state: BreakerState = 'closed';
  let unanswered = 0;
  let probes = 0;
  const countAnew = () => {
    unanswered = 0;
    probes = 0;
  };
  return {
    async look(): Promise<BreakerState> {
      const before = state;
      state = await breakerState(db, clock.now());
      if (before !== 'closed' && state === 'closed') countAnew(); // another process was answered
      return state;
    },
    async answered(): Promise<void> {
      countAnew();
      if (state !== 'half_open') return;
      await db`delete from provider_breakers where provider = 'bank_link'`;
      state = 'closed';
    },
    /** Returns true once no call is to be made for now. A supporter whose calls failed before says nothing about others, three probes do. */
    async notAnswered(error: ProviderUnavailable, hasFailedBefore = false): Promise<boolean> {
      if (error instanceof NoFreeTurn) return false;
      if (state === 'half_open') probes += 1;
      if (hasFailedBefore && probes < maxProbes) return false;
      unanswered += error.isBusy ? busyWeighs : 1;
      if (state === 'closed' && unanswered < maxUnanswered) return false;
      await openBreaker(db, clock.now());
      state = 'open';
      countAnew();
      return true;
    },
  };
}
export type Breaker = ReturnType<typeof bankLinkBreaker>;
