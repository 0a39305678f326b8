import type { IsoDate } from '@sparechange/domain';
import { isDebitDay } from '@sparechange/domain/banking-calendar';
import {
  failPayment,
  findPayment,
  retryPayment,
} from '@sparechange/server/features/accounting/payments/decide-payment.ts';
import { listParked } from '@sparechange/server/features/accounting/payments/parked-payments.ts';
import { holdSupporter, releaseSupporter } from '@sparechange/server/features/collections/debits/hold-supporter.ts';
import { runDebits } from '@sparechange/server/features/collections/debits/run-debits.ts';
import { findSuspension } from '@sparechange/server/features/collections/debits/suspended-runs.ts';
import {
  listSuspendedTenants,
  resumeTenant,
  suspendTenant,
} from '@sparechange/server/features/collections/debits/suspended-tenants.ts';
import { dependencies, payoutDependencies } from '@sparechange/server/runtime/dependencies.ts';
import type { Play } from '../play.ts';
import type { World } from '../world.ts';
import type { SupporterActor } from './supporter-actor.ts';

/** Resumes a suspended run, as an operator does after inspection. */
export async function resumeSuspended({ world, worker }: Play, day: IsoDate): Promise<void> {
  const suspension = await findSuspension(world.admin);
  if (!suspension) return;
  world.count('suspended runs');
  const date = isDebitDay(day) ? day : (suspension.date as IsoDate);
  await worker.attempt('debit run', ({ runtime }) =>
    runDebits(dependencies(runtime), date, { force: true }).catch((error) => worker.tolerate('a forced run', error)),
  );
}

const maxDecisions = 50;

/** An operator who finds payments parked asks for some again and gives others up; in the calm days they ask for all. */
export async function decideParked({ world, worker }: Play, isCalm: boolean): Promise<void> {
  for (const { kind, reference } of await listParked(world.admin, maxDecisions)) {
    const isDecided = world.operators.chance(0.6);
    const isRetried = world.operators.chance(0.4);
    if (!isDecided && !isCalm) continue;
    const done = await worker.attempt('payment', async ({ runtime }) => {
      const deps = payoutDependencies(runtime);
      try {
        const payment = await findPayment(deps.db, reference);
        const sentMsAgo = deps.clock.now().getTime() - (payment.submittingAt?.getTime() ?? 0);
        if (isRetried || isCalm) await retryPayment(deps, payment);
        else if (sentMsAgo < 600_000)
          return 'failed' as const; // it is refused that soon
        else await failPayment(deps, payment, 'the provider keeps failing with it');
        return 'decided' as const;
      } catch (error) {
        worker.tolerate(`a decision about a ${kind}`, error);
        return 'failed' as const;
      }
    });
    if (done === 'decided') world.count(isRetried || isCalm ? 'parked payments retried' : 'parked payments given up');
  }
}

const maxHeld = 3;

/** Some supporters are held for a few days, as in a dispute; the first is held in every run. */
export async function holdAndRelease(play: Play, isCalm: boolean): Promise<void> {
  const { world } = play;
  const held = world.supporters.filter(({ heldAt }) => heldAt !== undefined);
  for (const supporter of held) {
    if (world.operators.chance(0.3) || isCalm) await releaseOne(play, supporter);
  }
  const isChosen = world.operators.chance(0.15);
  const ready = world.supporters.filter(({ stage, heldAt }) => stage === 'ready' && heldAt === undefined);
  const supporter = ready[world.operators.whole(0, Math.max(0, ready.length - 1))];
  const isFirst = world.supporters.every(({ holds }) => holds === 0);
  if (!isCalm && supporter && held.length < maxHeld && (isChosen || isFirst)) await holdOne(play, supporter);
}

const maxTries = 10;

async function holdOne({ world, worker }: Play, supporter: SupporterActor): Promise<void> {
  for (let tries = 0; tries < maxTries && !(await isOnHold(world, supporter)); tries += 1) {
    await worker.attempt('hold', ({ runtime: { db, clock } }) =>
      holdSupporter(db, clock, supporter.supporterId, 'a dispute').catch(world.tolerate),
    );
  }
  if (!(await isOnHold(world, supporter))) return;
  supporter.heldAt = world.clock.now();
  supporter.holds += 1;
  world.count('supporters held');
}

async function releaseOne({ world, worker }: Play, supporter: SupporterActor): Promise<void> {
  supporter.heldAt = undefined;
  for (let tries = 0; tries < maxTries && (await isOnHold(world, supporter)); tries += 1) {
    await worker.attempt('release', ({ runtime: { db, clock } }) =>
      releaseSupporter(db, clock, supporter.supporterId, 'settled').catch(world.tolerate),
    );
  }
  if (await isOnHold(world, supporter)) world.violation(`${supporter.uid} could not be released`);
  world.count('supporters released');
}

async function isOnHold({ everybody }: World, { supporterId }: SupporterActor): Promise<boolean> {
  const [hold] = await everybody`select 1 from debit_holds where supporter_id = ${supporterId} and released_at is null`;
  return hold !== undefined;
}

/** Occasionally suspends a tenant for some days, during which none of its debits is submitted to the provider. */
export async function stopAndResumeTenant({ world, worker }: Play, isCalm: boolean): Promise<void> {
  const [suspended] = await listSuspendedTenants(world.admin);
  const isChanging = world.operators.chance(suspended ? 0.4 : 0.04);
  if (!suspended) {
    if (isCalm || !isChanging) return;
    const [some] = await world.everybody<{ tenant: string }[]>`
      select tenant_key as tenant from supporters order by supporter_id limit 1`;
    if (!some) return;
    world.count('suspended tenants');
    await worker.attempt('suspend', ({ runtime }) =>
      suspendTenant({ ...runtime, actor: { kind: 'operating_system', id: 'robin' } }, some.tenant, 'a complaint'),
    );
    return;
  }
  const taken = await world.everybody`
    select debits.id from debits join supporters using (supporter_id)
    where tenant_key = ${suspended.tenant} and submitting_at > ${suspended.since}`;
  if (taken.length > 0)
    world.violation(`${taken.length} debits of ${suspended.tenant} were submitted although it is suspended`);
  if (isCalm || isChanging) await worker.attempt('resume', ({ runtime }) => resumeTenant(runtime.db, suspended.tenant));
}
