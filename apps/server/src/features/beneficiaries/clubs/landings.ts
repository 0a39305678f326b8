import { setTimeout as wait } from 'node:timers/promises';
import type { Landings, ListedClub } from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { type Clock, today } from '#ports/clock.ts';
import { clubEnd, isOver } from '#tenants/campaign-end.ts';
import { hasEnded, isOfOneClub, type Tenant, tenantOrDefault } from '#tenants/load-tenants.ts';
import { type Brands, brandLanding, clubLanding, homeOf, listedClub } from './club-pages.ts';
import { listFormerSlugs, listPublicClubs, type PublicClub } from './club-repository.ts';

interface LandingDeps extends Brands {
  db: Pool;
  clock: Clock;
  mainTenant: string;
}

/** Public pages of addresses, for the documents served. */
export interface LandingSource {
  /** Returns the pages of a brand's address; undefined while the clubs cannot be read. */
  at(tenant: Tenant, slug?: string): Promise<Landings | undefined>;
  /** Returns the link that replaced a club's former one. */
  movedTo(slug: string): Promise<string | undefined>;
  /** Lists the addresses of a brand's public pages: its own first, then those of the clubs at home there. */
  addressesOf(tenant: Tenant): Promise<string[]>;
  /** Lists the first clubs by name that a brand offers; undefined if there is no choice or no answer. */
  choiceOf(tenant: Tenant): Promise<ListedClub[] | undefined>;
}

/** More clubs than a screen shows at first; the browser asks for all of them. */
const maxListed = 30;

const keptForMs = 60_000;
/** Time after which the clubs are read again for an unknown slug, or if the database did not answer. */
const retryMs = 5_000;
/** Time that a page waits for the clubs before it uses the last ones read, as the database may hang. */
const patienceMs = 1_000;

/**
 * Reads the clubs once a minute, regardless of page views; the last ones read serve through an outage, and while the
 * database does not answer.
 */
export function landingSource({ db, clock, tenants, sites, mainTenant }: LandingDeps): LandingSource {
  let known: PublicClub[] = [];
  let moved = new Map<string, string>();
  let isRead = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const begunAt = performance.now();
    askedAt = begunAt;
    try {
      const clubs = await listPublicClubs(db);
      const former = await listFormerSlugs(db);
      if (begunAt < readAt) return; // an answer from before the database hung arrives late
      known = clubs;
      moved = new Map(former.map(({ former, slug }) => [former, slug]));
      isRead = true;
      readAt = begunAt;
    } catch {
      // The database's own watch logs it; pages keep using the last data.
    }
  };
  const readPatiently = (): Promise<void> =>
    Promise.race([read(), wait(patienceMs, undefined, { ref: false })]).finally(() => {
      reading = undefined;
    });
  const readIfOlder = async (ms: number): Promise<void> => {
    if (performance.now() - askedAt >= ms) reading ??= readPatiently();
    await reading;
  };

  const refresh = () => readIfOlder(isRead ? keptForMs : retryMs);

  const running = () => {
    const day = today(clock);
    return known.filter((club) => !isOver(clubEnd(tenants.list(), club), day));
  };

  return {
    movedTo: async (slug) => {
      await refresh();
      return moved.get(slug);
    },
    addressesOf: async (tenant) => {
      await refresh();
      const start = sites.siteOf(tenant.key);
      const addresses = running().map((club) => homeOf({ tenants, sites }, club).address.href);
      return [...new Set([start.href, ...addresses.filter((address) => new URL(address).host === start.host)])];
    },
    choiceOf: async (tenant) => {
      await refresh();
      const { parentClubId } = tenant;
      if (!isRead || isOfOneClub(tenant, mainTenant) || hasEnded(tenant, today(clock))) return undefined;
      return running()
        .filter(({ parentId }) => !parentClubId || parentId === parentClubId)
        .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
        .slice(0, maxListed)
        .map(listedClub);
    },
    at: async (tenant, slug) => {
      await refresh();
      const find = () => known.find((club) => club.slug === slug);
      if (slug !== undefined && !find()) await readIfOlder(retryMs);
      if (!isRead) return undefined;
      const day = today(clock);
      const main = tenantOrDefault(tenants, mainTenant);
      const club = find();
      return {
        address: club ? homeOf({ tenants, sites }, club).address.href : sites.siteOf(tenant.key).href,
        brand: brandLanding(tenant, known, { day, isOfOneClub: isOfOneClub(tenant, mainTenant) }),
        ...(slug === undefined ? {} : { club: { slug, landing: club ? clubLanding(tenants, club, day) : null } }),
        provider: { name: main.name, abn: main.abn ?? null },
      };
    },
  };
}
