import type { IsoDate } from '@sparechange/domain';
import { runDebits } from '../apps/server/src/features/debits/run-debits.ts';
import { letTenantGo, listStoppedTenants, stopTenant } from '../apps/server/src/features/debits/stopped-tenants.ts';
import { dependencies } from '../apps/server/src/runtime/tasks.ts';
import type { Play } from './play.ts';

/** An operator who finds debiting halted looks into it, and lets it go on. */
export async function liftHalt({ world, worker }: Play, day: IsoDate): Promise<void> {
  const [halted] = await world.admin`select 1 from debit_runs where halted_at is not null limit 1`;
  if (!halted) return;
  world.count('halts');
  await worker.attempt('debit run', ({ runtime }) =>
    runDebits(dependencies(runtime), day, { force: true }).catch((error) => worker.tolerate('a forced run', error)),
  );
}

/** Now and then a tenant is stopped for some days; nobody of it is handed to the provider meanwhile. */
export async function useStopSwitch({ world, worker }: Play, isCalm: boolean): Promise<void> {
  const [stopped] = await listStoppedTenants(world.admin);
  const isChanging = world.lives.chance(stopped ? 0.4 : 0.04);
  if (!stopped) {
    if (isCalm || !isChanging) return;
    const [some] = await world.admin<{ tenant: string }[]>`
      select tenant_key as tenant from supporters order by supporter_id limit 1`;
    if (!some) return;
    world.count('stopped tenants');
    await worker.attempt('stop', ({ runtime }) => stopTenant(runtime.db, runtime.clock, some.tenant, 'a complaint'));
    return;
  }
  const taken = await world.admin`
    select debits.id from debits join supporters using (supporter_id)
    where tenant_key = ${stopped.tenant} and submitting_at > ${stopped.since}`;
  if (taken.length > 0)
    world.violation(`${taken.length} debits of ${stopped.tenant} were submitted although it is stopped`);
  if (isCalm || isChanging) await worker.attempt('go', ({ runtime }) => letTenantGo(runtime.db, stopped.tenant));
}
