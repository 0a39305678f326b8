import { type Cents, cents } from '@sparechange/domain';
import { savingsRepaid } from '@sparechange/domain/model';
import type { RequestedRefund } from '../actors/operator-refunds.ts';
import type { World } from '../world.ts';

interface RepaidDebit {
  debitId: string;
  debitAmount: Cents;
  debitSavings: Cents;
  id: string;
  requestId: string;
  amount: Cents;
  savings: Cents;
  plannedAt: Date;
  /** When it failed; null for one that stands. */
  failedAt: Date | null;
  wasSent: boolean;
  isMailed: boolean;
  isClosed: boolean;
}

/** Checks the product's refunds to supporters against what operators asked for, by the pure rule alone. */
export class RepaymentOracle {
  readonly requested: RequestedRefund[] = [];

  async check(world: World): Promise<void> {
    const rows = await world.everybody<RepaidDebit[]>`
      select debit.id as "debitId", debit.amount_cents as "debitAmount", debit.savings_cents as "debitSavings", repayment.id,
        repayment.request_id as "requestId", repayment.amount_cents as amount, repayment.savings_cents as savings,
        repayment.planned_at as "plannedAt", repayment.submitted_at is not null as "wasSent",
        case when repayment.state in ('refused', 'returned', 'reversed') then repayment.outcome_at end as "failedAt",
        exists (select from mails where mails.supporter_id = debit.supporter_id
          and key = 'debit refunded ' || repayment.id) as "isMailed", closed_on is not null as "isClosed"
      from repayments repayment join supporters supporter on supporter.supporter_id = repayment.supporter_id
      join debits debit on debit.supporter_id = repayment.supporter_id and debit.id = repayment.debit_id
      order by repayment.planned_at, repayment.id`;
    for (const repaid of Map.groupBy(rows, ({ debitId }) => debitId).values()) this.checkDebit(world, repaid);
  }

  private checkDebit({ violation }: World, repaid: RepaidDebit[]): void {
    repaid.forEach((repayment, place) => {
      const { id, debitId, requestId, amount, savings, plannedAt, wasSent, isMailed } = repayment;
      const wrong = (what: string) => violation(`the refund ${id} of ${amount} cents of the debit ${debitId} ${what}`);
      const request = this.requested.find((each) => each.debitId === debitId && each.requestId === requestId);
      const before = repaid.slice(0, place).filter(({ failedAt }) => failedAt === null || failedAt >= plannedAt);
      const left = leftOf(repayment, before);
      const expected = request?.amount ?? cents(left.club + left.savings);
      if (!request) wrong('was asked for by nobody');
      else if (before.some((each) => each.requestId === requestId)) wrong('stands beside another one of its request');
      else if (amount !== expected || amount > left.club + left.savings) wrong(`should be ${expected} cents`);
      else if (savings !== savingsRepaid(left, amount)) wrong(`took ${savings} cents of the set-aside`);
      if (isMailed !== wasSent && !repayment.isClosed)
        wrong(wasSent ? 'was not announced' : 'was announced before it was sent');
    });
  }
}

/** Returns a debit's remainder when a repayment was planned. */
const leftOf = ({ debitAmount, debitSavings }: RepaidDebit, before: RepaidDebit[]) => {
  const sum = (part: 'amount' | 'savings') => before.reduce((so, each) => so + each[part], 0);
  const savings = cents(debitSavings - sum('savings'));
  return { club: cents(debitAmount - sum('amount') - savings), savings };
};
