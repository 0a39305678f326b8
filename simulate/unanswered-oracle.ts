import { minAttempts, parkAfterMs } from '@sparechange/domain/resubmission';
import { listParked } from '../apps/server/src/features/payments/parked-payments.ts';
import type { World } from './world.ts';

/** Midnight to midnight, a payment is asked for in every working hour; a day more than the rule leaves room for halts. */
const latestParkingMs = parkAfterMs + 86_400_000;

interface Unanswered {
  reference: string;
  attempts: number;
  unknownSince: Date;
  parkedAt: Date | null;
}

/** Every debit without a conclusive answer is parked after a day of asking, and not before; whoever operates is told of it. */
export async function checkUnanswered(world: World): Promise<void> {
  const now = world.clock.peek().getTime();
  const unanswered = await world.admin<Unanswered[]>`
    select reference, attempts, unknown_since as "unknownSince", parked_at as "parkedAt" from debits
    where state = 'submitting' and unknown_since is not null and not exists (
      select from debit_runs where halted_at is not null and (resumed_at is null or resumed_at > unknown_since))`;
  for (const { reference, attempts, unknownSince, parkedAt } of unanswered) {
    const waitedMs = (parkedAt?.getTime() ?? now) - unknownSince.getTime();
    if (parkedAt && (waitedMs < parkAfterMs || attempts < minAttempts))
      world.violation(`${reference} was parked after ${waitedMs} ms and ${attempts} attempts`);
    if (!parkedAt && attempts >= minAttempts && waitedMs > latestParkingMs)
      world.violation(`${reference} has been asked for ${attempts} times since ${unknownSince.toISOString()}`);
  }
  const [untold] = await world.admin<{ count: number }[]>`
    select count(*) as count from debits where state = 'submitting' and parked_at < ${new Date(now - 3_600_000)}
      and not exists (select from alarms where name like 'payment%parked')`;
  if (untold?.count) world.violation(`${untold.count} parked payments raised no alarm`);
}

/** At the end no payment waits for an answer or for an operator. */
export async function checkNothingUnanswered(world: World): Promise<void> {
  for (const { kind, reference } of await listParked(world.admin, 20))
    world.violation(`the ${kind} ${reference} is still parked`);
}
