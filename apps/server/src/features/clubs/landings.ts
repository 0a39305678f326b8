import type { Landings } from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type Tenant, type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import { brandLanding, clubLanding } from './club-pages.ts';
import { listPublicClubs, type PublicClub } from './club-repository.ts';

interface LandingDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  mainTenant: string;
}

/** The public pages of addresses, for the documents that are sent. */
export interface LandingSource {
  /** Returns the pages of a brand's address; undefined while the clubs cannot be read. */
  at(tenant: Tenant, slug?: string): Promise<Landings | undefined>;
  /** All clubs, as last read. */
  clubs(): Promise<PublicClub[]>;
}

const keptForMs = 60_000;
/** An unknown slug, or a database that does not answer, is asked again after so long. */
const askedAgainMs = 5_000;

/** Reads the clubs once a minute, however many pages are asked for; what was read last serves through an outage. */
export function landingSource({ db, clock, tenants, mainTenant }: LandingDeps): LandingSource {
  let known: PublicClub[] = [];
  let isRead = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    askedAt = performance.now();
    try {
      known = await listPublicClubs(db);
      isRead = true;
    } catch {
      // the watch of the database says it; pages go on with what was known
    } finally {
      reading = undefined;
    }
  };
  const readIfOlder = async (ms: number): Promise<void> => {
    if (performance.now() - askedAt >= ms) reading ??= read();
    await reading;
  };

  return {
    clubs: async () => {
      await readIfOlder(isRead ? keptForMs : askedAgainMs);
      return known;
    },
    at: async (tenant, slug) => {
      await readIfOlder(isRead ? keptForMs : askedAgainMs);
      const find = () => known.find((club) => club.slug === slug);
      if (slug !== undefined && !find()) await readIfOlder(askedAgainMs);
      if (!isRead) return undefined;
      const day = today(clock);
      const main = tenantOrDefault(tenants, mainTenant);
      const club = find();
      return {
        brand: brandLanding(tenant, known, day),
        ...(slug === undefined ? {} : { club: { slug, landing: club ? clubLanding(tenants, club, day) : null } }),
        provider: { name: main.name, abn: main.abn ?? null },
      };
    },
  };
}
