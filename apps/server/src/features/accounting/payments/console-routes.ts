import * as contract from '@sparechange/contract/console';
import { sydneyDay } from '@sparechange/domain';
import { listFromAnswering } from '#db/silent-nodes.ts';
import { Conflict } from '#errors.ts';
import type { AskedFor, Tried } from '#features/core/approvals/approved-acts.ts';
import { namesOfPeople } from '#features/core/approvals/names-of-people.ts';
import type { refund } from '#features/disbursements/repayments/refund-act.ts';
import { type ConsoleCaller, consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { failPayment, findPayment, parkPayment, type ResubmitDeps, retryPayment } from './decide-payment.ts';
import { listSorted } from './list-sorted.ts';
import { stateOf } from './payment-repository.ts';
import { presentTrace } from './present-trace.ts';
import { refundPayment } from './refund-payment.ts';
import type { ListedPayment } from './search-payments.ts';
import { readCursor } from './sort-payments.ts';
import { sumPayments } from './sum-payments.ts';
import { tracePayment } from './trace-payment.ts';

interface PaymentConsoleDeps extends ResubmitDeps {
  acts: AskedFor<{ refund: typeof refund }>;
}

/** Presents an act that was done, or that waits for a second person. */
const presentTried = (tried: Tried) => ({
  waitsUntil: 'approval' in tried ? sydneyDay(tried.approval.expiresAt) : null,
});

/** Serves payments: search, lists, traces and decisions. */
export function paymentConsoleRoutes(serve: ServeConsole, deps: PaymentConsoleDeps): void {
  const { db } = deps;
  const deciding = (caller: ConsoleCaller) => ({ ...deps, by: consoleActor(caller) });

  serve.person(contract.listPayments, async ({ limit, after, sort, ...filter }) => {
    const cursor = after === undefined ? undefined : readCursor(after);
    const present = ({ plannedAt, ...row }: ListedPayment) => ({ ...row, plannedOn: sydneyDay(plannedAt) });
    return listFromAnswering(db, async (answering) => {
      const { rows, next } = await listSorted(answering, filter, { sort, after: cursor, limit });
      return { rows: rows.map(present), next };
    });
  });

  serve.person(contract.sumPayments, (filter) => listFromAnswering(db, (answering) => sumPayments(answering, filter)));

  serve.person(contract.retrievePayment, async ({ reference }) => {
    const trace = await tracePayment(deps, reference);
    const names = await namesOfPeople(
      db,
      trace.waiting.map(({ askedBy }) => askedBy.id),
    );
    return presentTrace(trace, names);
  });

  serve.person(contract.retryPayment, async ({ reference }, caller) => {
    const payment = await findPayment(db, reference);
    if (!(await retryPayment(deciding(caller), payment)))
      throw new Conflict(`The ${payment.kind} ${payment.reference} is ${payment.state}; there is nothing to ask for.`);
    return { state: stateOf(await findPayment(db, payment.reference)) };
  });

  serve.person(contract.parkPayment, async ({ reference, because }, caller) => {
    await parkPayment(deciding(caller), await findPayment(db, reference), because);
    return {};
  });

  serve.person(contract.failPayment, async ({ reference, because, force }, caller) => {
    await failPayment(deciding(caller), await findPayment(db, reference), because, force);
    return {};
  });

  serve.person(
    contract.refundPayment,
    async ({ reference, amountCents: amount, because: reason, requestId }, caller) => {
      const payment = await findPayment(db, reference);
      return presentTried(await refundPayment(deps, consoleActor(caller), payment, { amount, reason, requestId }));
    },
  );
}
