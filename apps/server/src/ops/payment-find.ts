import { formatCents, sydneyDay } from '@sparechange/domain';
import type { Command } from 'commander';
import { listPaymentsOf } from '#features/payments/payment-repository.ts';
import { searchSupporters } from '#features/supporters/search-supporters.ts';
import { operate } from './operate.ts';
import { leftOutWords } from './supporter-find.ts';

const maxSupporters = 5;
const maxPayments = 20;

/** Finds the latest payments of at most five supporters. */
export function paymentFindCommand(payment: Command): void {
  const command = payment
    .command('find <text...>')
    .description(
      `the latest ${maxPayments} payments of each supporter found by e-mail address, mobile number in any form, a reference on a bank statement, or the beginnings of names; at most ${maxSupporters} supporters`,
    );
  operate(
    command,
    async ({ db }, words) => {
      const found = await searchSupporters(db, words.join(' '), maxSupporters);
      const supporters = [];
      for (const { supporterId, firstName, lastName, email } of found.supporters) {
        const listed = await listPaymentsOf(db, supporterId, maxPayments + 1);
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
