import { refundPayment } from '@sparechange/contract/console';
import { cents, formatCents } from '@sparechange/domain';
import { z } from 'zod';
import { NoLongerPossible } from '#features/core/approvals/approve.ts';
import { refuseOthers, unlessOver } from '#features/core/approvals/carry-out.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import type { PayoutDeps } from '#features/core/payouts/payout-kind.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { planRepayment } from './plan-repayment.ts';
import { debitWords, supporterWords, wordsAbout } from './refund-words.ts';
import { repaymentKind } from './repayment-kind.ts';

const name = 'refund';

export const refund = defineAct({
  name,
  arguments: z.object({
    supporterId: z.uuid(),
    debitId: z.uuid(),
    amount: z.int().positive().transform(cents).optional(),
    reason: z.string(),
    requestId: z.string().optional(),
  }),
  askedBy: [refundPayment],
  isDecidedByFinance: true,
  carryOut: async (deps: PayoutDeps, request, by, how) => {
    const planned = await unlessOver(planRepayment({ ...deps, by }, request, how.limit), how);
    if (how.recordEnd && planned.isOfAnother)
      throw new NoLongerPossible('All of it was given back already; nothing was done.');
    if (planned.leftCents === 0) {
      const others = { act: name, about: { debitId: request.debitId } };
      await refuseOthers(deps, by, others, 'All of it has since been given back.');
    }
    await submitPayouts(deps, repaymentKind);
    return planned;
  },
  isForOne: async () => true,
  describe: async (looking, { supporterId, debitId, amount, reason }) => ({
    Amount: amount === undefined ? 'all that is left' : formatCents(amount),
    Of: await wordsAbout(looking, supporterId, (bucket) => debitWords(bucket, supporterId, debitId)),
    Supporter: await wordsAbout(looking, supporterId, (bucket) =>
      supporterWords(bucket, supporterId, looking.maySeeSupporters),
    ),
    Reason: reason,
  }),
});
