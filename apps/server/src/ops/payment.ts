import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { failPayment, findPayment, parkPayment, retryParked, retryPayment } from '#features/payments/decide-payment.ts';
import { listEntries, type PaymentRecord } from '#features/payments/payment-repository.ts';
import type { Runtime } from '#runtime/compose.ts';
import { payoutDependencies } from '#runtime/tasks.ts';
import { CommandProblem, operate } from './operate.ts';
import { paymentFindCommand } from './payment-find.ts';
import { refundCommand } from './payment-refund.ts';

const stateOf = ({ state, parkedAt }: PaymentRecord): string => (state === 'submitting' && parkedAt ? 'parked' : state);

async function showPayment({ db }: Runtime, text: string) {
  const payment = await findPayment(db, text);
  const entries = await listEntries(db, payment);
  const json = { ...payment, isParked: stateOf(payment) === 'parked', entries };
  const facts: [string, string | number | null | undefined][] = [
    ['reference', payment.reference],
    ['id', payment.id],
    ['amount', formatCents(payment.amount)],
    ['state', stateOf(payment)],
    ['provider', payment.providerRef ?? 'has given no reference'],
    ['returned', payment.returnCode === null ? null : `with code ${payment.returnCode}`],
    ['failure', payment.failure],
    ['attempts', payment.attempts || null],
    ['last answer', payment.lastAnswer],
    ['unknown', payment.unknownSince && `since ${payment.unknownSince.toISOString()}`],
    ['parked', payment.parkedAt && `at ${payment.parkedAt.toISOString()}`],
    ['next', stateOf(payment) === 'submitting' ? (payment.nextAttemptAt?.toISOString() ?? 'at once') : null],
    ['planned', payment.plannedAt.toISOString()],
    ['submitted', payment.submittedAt?.toISOString()],
    ['outcome', payment.outcomeAt?.toISOString()],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`${name.padEnd(12)}${value}`] : []));
  const booked = entries.map(
    ({ bookedOn, transfer, account, cents }) =>
      `  ${bookedOn}  ${transfer.padEnd(16)} ${account.padEnd(20)} ${(cents / 100).toFixed(2).padStart(10)}`,
  );
  return { json, text: [payment.kind, ...lines, 'ledger', ...(booked.length > 0 ? booked : ['  nothing'])].join('\n') };
}

async function retry(runtime: Runtime, reference: string | undefined, all: boolean) {
  const deps = payoutDependencies(runtime);
  if (all) {
    const retried = await retryParked(deps);
    return { json: { retried }, text: `Asked again for ${counted(retried, 'parked payment')}.` };
  }
  if (!reference) throw new CommandProblem('Say which payment, or --all for everything that is parked.');
  const before = await findPayment(runtime.db, reference);
  const wasRetried = await retryPayment(deps, before);
  const after = await findPayment(runtime.db, before.id);
  const text = wasRetried
    ? `The ${after.kind} ${after.reference} was asked for again and is ${stateOf(after)}.`
    : `The ${after.kind} ${after.reference} is ${after.state}; there is nothing to ask for.`;
  return { json: { reference: after.reference, retried: wasRetried, state: stateOf(after) }, text };
}

export function paymentCommands(program: Command): void {
  const payment = program
    .command('payment')
    .description('one debit, donation, deposit, remittance or refund, by its reference on a bank statement or its id');
  const show = payment.command('show <reference>').description('its state, attempts, answers and ledger entries');
  operate(show, (runtime, [reference = '']) => showPayment(runtime, reference));

  const again = payment
    .command('retry [reference]')
    .description('ask the provider again, at once: it is found there, or sent once more')
    .option('--all', 'everything that is parked, after an outage');
  operate(again, (runtime, [reference], { all }) => retry(runtime, reference, all === true));

  paymentFindCommand(payment);
  refundCommand(payment);

  const park = payment
    .command('park <reference>')
    .description('ask no more for a payment without a conclusive answer')
    .option('--because <text>', 'why, for the audit log', 'an operator parked it');
  operate(park, async (runtime, [reference = ''], { because }) => {
    const found = await findPayment(runtime.db, reference);
    await parkPayment(payoutDependencies(runtime), found, String(because));
    return {
      json: { reference: found.reference, state: 'parked' },
      text: `The ${found.kind} ${found.reference} is parked.`,
    };
  });

  const fail = payment
    .command('fail <reference>')
    .description('give up a payment that the provider does not have: it is booked as refused')
    .requiredOption('--because <text>', 'why, for the audit log')
    .option('--force', 'also when the provider cannot be asked whether it has it');
  operate(fail, async (runtime, [reference = ''], { because, force }) => {
    const found = await findPayment(runtime.db, reference);
    const failed = await failPayment(payoutDependencies(runtime), found, String(because), force === true);
    const text = failed ? 'was given up and is refused' : 'was refused before';
    return {
      json: { reference: found.reference, state: 'refused', failed },
      text: `The ${found.kind} ${found.reference} ${text}.`,
    };
  });
}
