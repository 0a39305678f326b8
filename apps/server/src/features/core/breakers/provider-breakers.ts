import { pausesOf, retryPlans } from '@sparechange/domain/retry-plan';
import type { Db } from '#db/connect.ts';

/** Providers that every process stops calling once one process finds that they do not answer. */
export type SparedProvider = 'bank_link' | 'direct_debit';

/** `open` stops calls; `half_open` lets one call test whether the provider has recovered. */
export type BreakerState = 'closed' | 'open' | 'half_open';

export interface OpenBreaker {
  openedAt: Date;
  openUntil: Date;
}

/** Finds since when a provider has not answered. */
export async function findOpenBreaker(db: Db, provider: SparedProvider): Promise<OpenBreaker | undefined> {
  const [breaker] = await db<OpenBreaker[]>`
    select opened_at as "openedAt", open_until as "openUntil" from provider_breakers where provider = ${provider}`;
  return breaker;
}

export const stateOf = (breaker: OpenBreaker | undefined, now: Date): BreakerState => {
  if (!breaker) return 'closed';
  return breaker.openUntil > now ? 'open' : 'half_open';
};

/** Stops calls to a provider for a while, longer each consecutive time. */
export async function openBreaker(db: Db, provider: SparedProvider, now: Date): Promise<void> {
  const until = pausesOf(retryPlans.provider).map((pauseMs) => new Date(now.getTime() + pauseMs).toISOString());
  await db`
    insert into provider_breakers as known (provider, opened_at, open_until, times)
    values (${provider}, ${now}, (${until}::timestamptz[])[1], 1)
    on conflict (provider) do update set times = known.times + 1,
      open_until = (${until}::timestamptz[])[least(known.times + 1, ${until.length}::int)]
    where known.open_until <= ${now}`;
}

export async function closeBreaker(db: Db, provider: SparedProvider): Promise<void> {
  await db`delete from provider_breakers where provider = ${provider}`;
}
