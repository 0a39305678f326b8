import { Readable } from 'node:stream';
import { type Cents, dollars, formatCents, sydneyDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { writeDossier } from '#features/accounting/dossiers/write-dossier.ts';
import {
  failPayment,
  findPayment,
  maxRetried,
  parkPayment,
  retryParked,
  retryPayment,
} from '#features/accounting/payments/decide-payment.ts';
import { listEntries, listPaymentsOf, stateOf } from '#features/accounting/payments/payment-repository.ts';
import { type RefundRequest, refundPayment } from '#features/accounting/payments/refund-payment.ts';
import { searchSupporters } from '#features/supporters/profiles/search-supporters.ts';
import { approvedActs } from '#runtime/approved-acts.ts';
import type { Runtime } from '#runtime/compose.ts';
import { payoutDependencies } from '#runtime/dependencies.ts';
import { askedAnswer } from './approvals.ts';
import { CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dollarsOption } from './read-options.ts';
import { leftOutWords } from './supporter.ts';
import { writeWhole } from './write-whole.ts';

async function showPayment(runtime: Runtime, text: string) {
  const payment = await findPayment(runtime.db, text);
  const { supporterId } = payment;
  const entries = await listEntries(supporterId ? runtime.db.of(supporterId) : runtime.db, payment);
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
    ['next', stateOf(payment) === 'submitting' ? (payment.nextAttemptAt?.toISOString() ?? 'now') : null],
    ['planned', payment.plannedAt.toISOString()],
    ['submitted', payment.submittedAt?.toISOString()],
    ['outcome', payment.outcomeAt?.toISOString()],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`${name.padEnd(12)}${value}`] : []));
  const booked = entries.map(
    ({ bookedOn, transfer, account, cents }) =>
      `  ${bookedOn}  ${transfer.padEnd(16)} ${account.padEnd(20)} ${dollars(cents).padStart(10)}`,
  );
  return { json, text: [payment.kind, ...lines, 'ledger', ...(booked.length > 0 ? booked : ['  nothing'])].join('\n') };
}

const deciding = (runtime: Runtime) => ({ ...payoutDependencies(runtime), by: commandActor() });

async function retry(runtime: Runtime, reference: string | undefined, all: boolean) {
  if (all) {
    const { retried, left } = await retryParked(deciding(runtime));
    const rest = left > 0 ? ` ${counted(left, 'other')} ${left === 1 ? 'is' : 'are'} still parked; run it again.` : '';
    return { json: { retried, left }, text: `Asked again for ${counted(retried, 'parked payment')}.${rest}` };
  }
  if (!reference) throw new CommandProblem('Give a payment, or --all for everything that is parked.');
  const before = await findPayment(runtime.db, reference);
  const wasRetried = await retryPayment(deciding(runtime), before);
  const after = await findPayment(runtime.db, before.id);
  const text = wasRetried
    ? `The ${after.kind} ${after.reference} was asked for again and is ${stateOf(after)}.`
    : `The ${after.kind} ${after.reference} is ${after.state}; there is nothing to ask for.`;
  return { json: { reference: after.reference, retried: wasRetried, state: stateOf(after) }, text };
}

/** Adds the commands of one payment, and of a supporter's latest ones. */
export function paymentCommands(payment: OpsCommand): void {
  payment
    .command('show <reference>')
    .description('its state, attempts, answers and ledger entries')
    .carryOut((runtime, [reference = '']) => showPayment(runtime, reference));

  payment
    .command('retry [reference]')
    .description('ask the provider again now: the payment is found there or sent once more')
    .option('--all', `everything that is parked, after an outage; at most ${maxRetried} per command`)
    .carryOut((runtime, [reference], { all }) => retry(runtime, reference, all === true));

  findCommand(payment);
  refundCommand(payment);
  dossierCommand(payment);

  payment
    .command('park <reference>')
    .description('stop retrying a payment without a conclusive answer')
    .option('--because <text>', 'why, for the audit log', 'an operator parked it')
    .carryOut(async (runtime, [reference = ''], { because }) => {
      const found = await findPayment(runtime.db, reference);
      await parkPayment(deciding(runtime), found, String(because));
      return {
        json: { reference: found.reference, state: 'parked' },
        text: `The ${found.kind} ${found.reference} is parked.`,
      };
    });

  payment
    .command('fail <reference>')
    .description('mark a payment that the provider does not have as failed: it is booked as refused')
    .requiredOption('--because <text>', 'why, for the audit log')
    .option('--force', 'even if the provider cannot be asked whether it has the payment')
    .carryOut(async (runtime, [reference = ''], { because, force }) => {
      const found = await findPayment(runtime.db, reference);
      const failed = await failPayment(deciding(runtime), found, String(because), force === true);
      const text = failed ? 'was given up and is refused' : 'was refused before';
      return {
        json: { reference: found.reference, state: 'refused', failed },
        text: `The ${found.kind} ${found.reference} ${text}.`,
      };
    });
}

const maxSupporters = 5;
const maxPayments = 20;

/** Adds `payment find`: latest payments of at most `maxSupporters` supporters. */
function findCommand(payment: OpsCommand): void {
  payment
    .command('find <text...>')
    .description(
      `the latest ${maxPayments} payments of each supporter found by e-mail address, mobile number in any form, a reference on a bank statement, or the beginnings of names; at most ${maxSupporters} supporters`,
    )
    .carryOut(
      async ({ db }, words) => {
        const found = await searchSupporters(db, words.join(' '), maxSupporters);
        const supporters = [];
        for (const { supporterId, firstName, lastName, email } of found.supporters) {
          const listed = await listPaymentsOf(db.of(supporterId), supporterId, maxPayments + 1);
          const payments = listed.slice(0, maxPayments);
          supporters.push({ supporterId, firstName, lastName, email, payments, hasMore: listed.length > maxPayments });
        }
        const lines = supporters.flatMap(({ firstName, lastName, email, payments, hasMore }) => [
          `${firstName} ${lastName}  ${email}`,
          ...payments.map(
            ({ kind, reference, amount, state, plannedAt }) =>
              `  ${sydneyDay(plannedAt)}  ${kind.padEnd(10)} ${reference}  ${formatCents(amount).padStart(12)}  ${state}`,
          ),
          ...(payments.length === 0 ? ['  no payments'] : []),
          ...(hasMore ? ['  earlier ones are left out'] : []),
        ]);
        const text = lines.length > 0 ? [...lines, ...leftOutWords(found)].join('\n') : `Nobody by that ${found.by}.`;
        return { json: { by: found.by, supporters, leftOut: found.leftOut }, text };
      },
      { secretWords: true },
    ); // names and numbers of people stay out of a log that is kept for ever
}

function dossierCommand(payment: OpsCommand): void {
  payment
    .command('dossier <reference> <file>')
    .description('all that shows that a debit was asked for, announced and booked, signed, in one ZIP for a dispute')
    .carryOut(async (runtime, [reference = '', file = '']) => {
      if (!file.toLowerCase().endsWith('.zip')) throw new CommandProblem('The file must end in .zip.');
      const { db, clock, tenants, printer, dossierKeys, config } = runtime;
      const { productUrl, mainTenant } = config;
      const parts = { db, clock, tenants, printer, dossierKeys, productUrl, mainTenant };
      const written = await writeDossier(parts, reference);
      await writeWhole(file, Readable.from([written.content]));
      const words = `${file}: the dossier of ${written.reference}, signed; CHECK.txt in it says how to check it`;
      const text = [words, ...written.leftOut.map((sentence) => `LEFT OUT: ${sentence}`)].join('\n');
      return { json: { file, reference: written.reference, leftOut: written.leftOut }, text };
    });
}

function readAmount(text: string | boolean | undefined): Cents | undefined {
  if (text === undefined) return undefined;
  const amount = dollarsOption(text, '--amount');
  if (amount === 0) throw new CommandProblem('--amount must be more than 0.');
  return amount;
}

async function refund(runtime: Runtime, reference: string, request: RefundRequest) {
  const taken = await findPayment(runtime.db, reference);
  const tried = await refundPayment({ acts: approvedActs(runtime) }, commandActor(), taken, request);
  if ('approval' in tried) return askedAnswer(tried.approval);
  const { result: planned } = tried;
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

function refundCommand(payment: OpsCommand): void {
  payment
    .command('refund <reference>')
    .description('refund a cleared debit or donation to the account it was taken from; safe to repeat')
    .option('--amount <dollars>', 'part of it, such as 4.35; by default all that is left')
    .option('--reason <text>', 'why, for the audit log', 'an operator refunded it')
    .option('--id <id>', 'an id of your own: a further refund of the same amount needs another')
    .carryOut((runtime, [reference = ''], { amount, reason, id }) =>
      refund(runtime, reference, {
        amount: readAmount(amount),
        reason: String(reason),
        requestId: id === undefined ? undefined : String(id),
      }),
    );
}
