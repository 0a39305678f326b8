import { type Cents, cents } from '@sparechange/domain';
import { submitPayouts } from '@sparechange/server/features/core/payouts/submit-payouts.ts';
import { planRepayment } from '@sparechange/server/features/disbursements/repayments/plan-repayment.ts';
import { repaymentKind } from '@sparechange/server/features/disbursements/repayments/repayment-kind.ts';
import { payoutDependencies } from '@sparechange/server/runtime/dependencies.ts';
import type { Play } from '../play.ts';

interface ClearedDebit {
  supporterId: string;
  id: string;
  amount: Cents;
}

/** A refund that an operator asked for: of all that is left of the debit, where no amount is given. */
export interface RequestedRefund {
  debitId: string;
  requestId: string;
  amount: Cents | undefined;
}

type Everybody = Play['world']['everybody'];

const refundsByChance = 0.25;
const maxTries = 6;

/** Gives a cleared debit or donation back on some days, whole or in part, and asks for it again; in every run with faults. */
export async function refundDebit({ world, worker, options, repayments }: Play, isCalm: boolean): Promise<void> {
  const isToday = world.operators.chance(refundsByChance);
  const place = world.operators.next();
  const part = world.operators.next();
  const isWhole = world.operators.chance(0.4);
  const isAskedAgain = world.operators.chance(0.3);
  if (!options.faults || isCalm || !(isToday || repayments.requested.length === 0)) return;
  const cleared = await world.everybody<ClearedDebit[]>`
    select supporter_id as "supporterId", id, amount_cents as amount from debits where state = 'cleared'
    order by outcome_at desc, id limit 50`;
  const debit = cleared[Math.floor(place * cleared.length)];
  if (!debit) return;
  const amount = isWhole ? undefined : cents(1 + Math.floor(part * debit.amount));
  const requestId = `request ${repayments.requested.length + 1}`;
  repayments.requested.push({ debitId: debit.id, requestId, amount });
  world.count('refunds asked for');
  const { supporterId, id: debitId } = debit;
  const refund = () =>
    worker.attempt('refund', async ({ runtime }) => {
      const deps = payoutDependencies(runtime);
      try {
        const planned = await planRepayment(deps, { supporterId, debitId, amount, requestId, reason: 'a mistake' });
        await submitPayouts(deps, repaymentKind);
        return planned;
      } catch (error) {
        worker.tolerate('a refund', error);
        return undefined;
      }
    });
  let planned = await refund();
  for (let tries = 1; tries < maxTries && planned === 'crashed'; tries += 1) planned = await refund();
  if (planned === undefined && (await wasRefundable(world.everybody, debitId, requestId, amount ?? cents(1))))
    world.violation(`the refund ${requestId} of ${amount ?? 'all'} cents of ${debitId} was refused for no reason`);
  if (!planned || planned === 'crashed') return;
  world.count(amount === undefined ? 'debits refunded' : 'debits refunded in part');
  const again = isAskedAgain ? await refund() : undefined;
  if (again && again !== 'crashed' && again.id !== planned.id && (await hasNotFailed(world.everybody, planned.id)))
    world.violation(`the refund ${requestId} of ${debitId} was planned twice`);
}

async function hasNotFailed(everybody: Everybody, id: string): Promise<boolean> {
  const [failed] =
    await everybody`select 1 from repayments where id = ${id} and state in ('refused', 'returned', 'reversed')`;
  return failed === undefined;
}

/** Returns whether nothing stood against an unplanned refund. */
async function wasRefundable(
  everybody: Everybody,
  debitId: string,
  requestId: string,
  amount: Cents,
): Promise<boolean> {
  const [refundable] = await everybody`
    select 1 from debits debit
    join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    join accounts account on account.supporter_id = debit.supporter_id and account.id = mandate.account_id
    where debit.id = ${debitId} and debit.state = 'cleared' and bsb_encrypted is not null and account_number_encrypted is not null
      and not exists (select from repayments where debit_id = debit.id and repayments.request_id = ${requestId})
      and ${amount} + (select coalesce(sum(repayments.amount_cents), 0) from repayments
        where debit_id = debit.id and state not in ('refused', 'returned', 'reversed')) <= debit.amount_cents`;
  return refundable !== undefined;
}
