import type { Actor } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { refuseRequestsOf } from '#features/core/approvals/approve.ts';
import type { Clock } from '#ports/clock.ts';

export interface SuspendedTenant {
  tenant: string;
  since: Date;
  /** The operators' reasons, in order. */
  because: string;
}

/** Separates reasons. */
const also = '; also: ';

/** The act that ends a suspension. */
export const resumptionName = 'tenant_resume';

interface SuspensionDeps {
  db: Pool;
  clock: Clock;
  actor: Actor;
}

/**
 * Suspends a tenant's debits: none is planned or submitted from now on; those at the provider complete. A suspended
 * tenant keeps its reasons and gets another one, which refuses open requests to resume it, as their requesters knew
 * only the earlier ones.
 */
export async function suspendTenant(
  { db, clock, actor }: SuspensionDeps,
  tenant: string,
  because: string,
): Promise<'suspended' | 'suspended for this, too' | 'already suspended'> {
  return db.begin(async (tx) => {
    const [written] = await tx<{ isFurther: boolean }[]>`
      insert into suspended_tenants as standing (tenant_key, suspended_at, reason)
      values (${tenant}, ${clock.now()}, ${because})
      on conflict (tenant_key) do update set reason = standing.reason || ${also} || excluded.reason
      where excluded.reason <> all(string_to_array(standing.reason, ${also}))
      returning reason <> ${because} as "isFurther"`;
    if (!written) return 'already suspended';
    if (!written.isFurther) return 'suspended';
    const why = { by: actor, at: clock.now(), because: `Debits were suspended for another reason, too: ${because}` };
    await refuseRequestsOf(tx, resumptionName, why, { tenant });
    return 'suspended for this, too';
  });
}

/** Resumes debits from the next run; returns false if the tenant is not suspended, or not since the given instant. */
export async function resumeTenant(db: Db, tenant: string, since?: Date): Promise<boolean> {
  const gone = await db`
    delete from suspended_tenants
    where tenant_key = ${tenant} and (${since ?? null}::timestamptz is null or suspended_at = ${since ?? null})`;
  return gone.count > 0;
}

export function listSuspendedTenants(db: Db): Promise<SuspendedTenant[]> {
  return db<SuspendedTenant[]>`
    select tenant_key as tenant, suspended_at as since, reason as because from suspended_tenants order by 1`;
}
