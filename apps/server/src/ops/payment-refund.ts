import { type Cents, cents, formatCents } from '@sparechange/domain';
import type { Command } from 'commander';
import { findPayment } from '#features/payments/decide-payment.ts';
import { submitPayouts } from '#features/payouts/submit-payouts.ts';
import { planRepayment } from '#features/repayments/plan-repayment.ts';
import { repaymentKind } from '#features/repayments/repayment-kind.ts';
import type { Runtime } from '#runtime/compose.ts';
import { payoutDependencies } from '#runtime/tasks.ts';
import { CommandProblem, operate } from './operate.ts';

function readAmount(text: string | boolean | undefined): Cents | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,7}(\.\d{2})?$/.test(String(text)) || Number(text) === 0)
    throw new CommandProblem('--amount takes dollars such as 4.35, more than 0.');
  return cents(Math.round(Number(text) * 100));
}

interface Wishes {
  amount: Cents | undefined;
  reason: string;
  requestId: string | undefined;
}

async function refund(runtime: Runtime, reference: string, { amount, reason, requestId }: Wishes) {
  const taken = await findPayment(runtime.db, reference);
  if (!taken.supporterId || (taken.kind !== 'debit' && taken.kind !== 'donation'))
    throw new CommandProblem(`${taken.reference} is a ${taken.kind}; only debits and donations are refunded.`);
  const deps = payoutDependencies(runtime);
  const { supporterId, id: debitId } = taken;
  const planned = await planRepayment(deps, { supporterId, debitId, amount, reason, requestId });
  await submitPayouts(deps, repaymentKind);
  const paid = await findPayment(runtime.db, planned.id);
  const left = formatCents(planned.leftCents);
  const sum = formatCents(paid.amount);
  const began = planned.isNew
    ? `${sum} of the ${taken.kind} ${taken.reference} is given back as ${paid.reference}`
    : `${sum} of the ${taken.kind} ${taken.reference} was given back before as ${paid.reference}; nothing was done again`;
  const failed = paid.state === 'refused';
  const text = `${began}. It is ${paid.state}${paid.failure ? ` (${paid.failure})` : ''}. Still refundable: ${left}.`;
  const json = {
    reference: taken.reference,
    repayment: paid.reference,
    amountCents: paid.amount,
    state: paid.state,
    isNew: planned.isNew,
    leftCents: planned.leftCents,
    failure: paid.failure,
  };
  return { json, text, failed };
}

export function refundCommand(payment: Command): void {
  const command = payment
    .command('refund <reference>')
    .description(
      'give a cleared debit or donation back to its payer, to the account it was taken from; again, it does nothing twice',
    )
    .option('--amount <dollars>', 'a part of it, such as 4.35; all that is left without it')
    .option('--reason <text>', 'why, for the audit log', 'an operator refunded it')
    .option('--id <id>', 'of your own: tells a further refund of the same amount from one asked for twice');
  operate(command, (runtime, [reference = ''], { amount, reason, id }) =>
    refund(runtime, reference, {
      amount: readAmount(amount),
      reason: String(reason),
      requestId: id === undefined ? undefined : String(id),
    }),
  );
}
