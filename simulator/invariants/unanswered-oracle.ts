import { retryPlans } from '@sparechange/domain/retry-plan';
import { listParked } from '@sparechange/server/features/accounting/payments/parked-payments.ts';
import type { World } from '../world.ts';

interface Unanswered {
  reference: string;
  attempts: number;
  unknownSince: Date;
  parkedAt: Date | null;
}

const { givenUpAfterMs: parkAfterMs, minTries: minAttempts } = retryPlans.payment;
const alarmAfterMs = 3_600_000;

/** Checks at every day's end the debits without a conclusive answer: each is parked after a day of asking, and not before. */
export class UnansweredOracle {
  /** Attempts of those that were not parked though unanswered for a day: the next one parks them. */
  private overdue = new Map<string, number>();

  async check(world: World): Promise<void> {
    const now = world.clock.peek().getTime();
    const unanswered = await world.everybody<Unanswered[]>`
      select reference, attempts, unknown_since as "unknownSince", parked_at as "parkedAt" from debits
      where state = 'submitting' and unknown_since is not null`;
    const overdue = new Map<string, number>();
    for (const { reference, attempts, unknownSince, parkedAt } of unanswered) {
      const elapsedMs = (parkedAt?.getTime() ?? now) - unknownSince.getTime();
      if (parkedAt && (elapsedMs < parkAfterMs || attempts < minAttempts))
        world.violation(`${reference} was parked after ${elapsedMs} ms and ${attempts} attempts`);
      if (parkedAt || elapsedMs < parkAfterMs || attempts < minAttempts) continue;
      if (attempts > (this.overdue.get(reference) ?? attempts))
        world.violation(`${reference} is still asked for since ${unknownSince.toISOString()}`);
      overdue.set(reference, attempts);
    }
    this.overdue = overdue;
    const [untold] = await world.everybody<{ count: number }[]>`
      select count(*) as count from debits where state = 'submitting' and parked_at < ${new Date(now - alarmAfterMs)}
        and not exists (select from alarms where name in ('payment_parked', 'payments_parked'))`;
    if (untold?.count) world.violation(`${untold.count} parked payments raised no alarm`);
  }
}

/** At the end no payment waits for an operator. */
export async function checkNothingParked(world: World): Promise<void> {
  for (const { kind, reference } of await listParked(world.admin, 20))
    world.violation(`the ${kind} ${reference} is still parked`);
}
