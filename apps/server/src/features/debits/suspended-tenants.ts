import type { Db } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';

export interface SuspendedTenant {
  tenant: string;
  since: Date;
  /** The operator's reason. */
  because: string;
}

/**
 * Suspends a tenant's debits: none is planned or submitted from now on; those at the provider complete. Suspending a
 * suspended tenant changes nothing; returns the suspension that stands, which may have another reason.
 */
export async function suspendTenant(
  db: Db,
  clock: Clock,
  tenant: string,
  because: string,
): Promise<SuspendedTenant | undefined> {
  await db`
    insert into suspended_tenants (tenant_key, suspended_at, reason) values (${tenant}, ${clock.now()}, ${because})
    on conflict do nothing`;
  return (await listSuspendedTenants(db)).find((each) => each.tenant === tenant);
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
