import { type BreakerState, breakerState, type LeftAlone } from '@sparechange/domain/circuit-breaker';
import { pauseAfter, retryPlans } from '@sparechange/domain/retry-plan';
import type { Db, Pool } from '#db/connect.ts';
import { pauseAfterNext } from '#db/due-work.ts';
import type { Clock } from '#ports/clock.ts';

/** Providers that every process stops calling once one process finds that they do not answer. */
export type SparedProvider = 'bank_link' | 'direct_debit';

export interface OpenBreaker extends LeftAlone {
  openedAt: Date;
}

/** Finds since when a provider has not answered. */
export async function findOpenBreaker(db: Db, provider: SparedProvider): Promise<OpenBreaker | undefined> {
  const [breaker] = await db<OpenBreaker[]>`
    select opened_at as "openedAt", open_until as "openUntil" from provider_breakers where provider = ${provider}`;
  return breaker;
}

/** Leaves a provider alone for a while, longer each consecutive time, unless another process does already. */
async function openBreaker(db: Db, provider: SparedProvider, now: Date): Promise<void> {
  const plan = retryPlans.provider;
  await db`
    insert into provider_breakers as known (provider, opened_at, open_until, times)
    values (${provider}, ${now}, ${new Date(now.getTime() + pauseAfter(plan, 1))}, 1)
    on conflict (provider) do update set times = known.times + 1,
      open_until = ${now}::timestamptz + ${pauseAfterNext(db, plan, db`known.times`)}
    where known.open_until <= ${now}`;
}

async function closeBreaker(db: Db, provider: SparedProvider): Promise<void> {
  await db`delete from provider_breakers where provider = ${provider}`;
}

export interface BreakerDeps {
  db: Pool;
  clock: Clock;
  /** Calls the provider even while the breaker is open, as a test. */
  isAskedByPerson?: boolean;
}

/** Follows the breaker of a provider that all processes share; what calls it decides when calls have failed. */
export function providerBreaker({ db, clock, isAskedByPerson = false }: BreakerDeps, provider: SparedProvider) {
  let state: BreakerState = 'closed';
  let found: OpenBreaker | undefined;
  return {
    /** Reads what other processes have found. */
    async look(): Promise<BreakerState> {
      found = await findOpenBreaker(db, provider);
      state = breakerState(found, clock.now());
      if (state === 'open' && isAskedByPerson) state = 'half_open';
      return state;
    },
    async open(): Promise<void> {
      await openBreaker(db, provider, clock.now());
      state = 'open';
    },
    /** Ends a half-open breaker's test with an answer; a breaker in any other state stays so. */
    async closeIfHalfOpen(): Promise<void> {
      if (state !== 'half_open') return;
      await closeBreaker(db, provider);
      state = 'closed';
    },
    /** State as of the last look, or change. */
    get state() {
      return state;
    },
    get found() {
      return found;
    },
  };
}

/** The mail server's breaker, with the last failure; while it is half open, a few emails a minute ask for the server. */
export interface MailOutage {
  since: Date;
  askAgainAt: Date;
  failure: string;
}

export async function findMailOutage(db: Db): Promise<MailOutage | undefined> {
  const [outage] = await db<MailOutage[]>`select since, ask_again_at as "askAgainAt", failure from mail_outages`;
  return outage;
}

/** Starts or extends the outage of the mail server. */
export async function recordMailOutage(db: Db, { since, askAgainAt, failure }: MailOutage): Promise<void> {
  await db`
    insert into mail_outages (since, ask_again_at, failure) values (${since}, ${askAgainAt}, ${failure})
    on conflict (singleton) do update set ask_again_at = excluded.ask_again_at, failure = excluded.failure`;
}

export async function endMailOutage(db: Db): Promise<void> {
  await db`delete from mail_outages`;
}
