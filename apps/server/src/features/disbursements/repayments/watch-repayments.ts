import { type Cents, formatCents } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { claimedFirst } from './claim-on-repaid.ts';

interface RepaymentInTrouble {
  id: string;
  amount: Cents;
  reference: string;
  debitReference: string;
  failure: string | null;
  isClaimed: boolean;
}

/** Limits the number listed per bucket. */
const maxListed = 200;
const maxDays = 30;

const listInTrouble = (pool: Pool, since: Date): Promise<RepaymentInTrouble[]> =>
  rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<RepaymentInTrouble[]>`
      select repayment.id, repayment.amount_cents as amount, repayment.reference, debit.reference as "debitReference",
        case when repayment.state in ('returned', 'reversed', 'refused')
          then coalesce(failure, 'code ' || repayment.return_code, 'no reason given') end as failure,
        debit_claimed as "isClaimed"
      from repayments repayment
      join debits debit on debit.supporter_id = repayment.supporter_id and debit.id = repayment.debit_id
      where (repayment.state in ('returned', 'reversed', 'refused') and repayment.outcome_at >= ${since}
          and failure is distinct from ${claimedFirst})
        or (debit_claimed and debit.outcome_at >= ${since})
      order by greatest(repayment.outcome_at, debit.outcome_at) desc, repayment.id limit ${maxListed}`,
  );

/**
 * Raises an alarm, once each, for refunds that did not arrive, and for those of debits that were claimed back as well.
 */
export async function watchRepayments(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - maxDays * 86_400_000);
  for (const { id, amount, reference, debitReference, failure, isClaimed } of await listInTrouble(deps.db, since)) {
    const paid = `The refund ${reference} of ${formatCents(amount)} of the debit ${debitReference}`;
    if (failure !== null)
      await raiseAlarm(deps, {
        name: 'repayment_failed',
        about: id,
        sentence: `${paid} did not arrive (${failure}); ${isClaimed ? 'the payer no longer owes it' : 'the money is back with the club and the set-aside'}.`,
        see: { page: 'Payments', reference },
      });
    else if (isClaimed)
      await raiseAlarm(deps, {
        name: 'repaid_debit_claimed',
        about: id,
        sentence: `${paid} was paid, and then the payer's bank took the debit back as well: the payer has been paid twice and owes it back (ledger account receivable_from_payer). Once they have paid, or you write it off, correct the ledger.`,
        see: { page: 'Reconciliation', command: 'ledger correct' },
      });
  }
}
