import { type Cents, type IsoDate, type ReturnCode, sydneyDay, unexplainedReturn } from '@sparechange/domain';
import type {
  DebitOrder,
  DirectDebit,
  MandateRequest,
  Outcome,
  OutcomeState,
  PaymentNotification,
  PayoutOrder,
  RefusalCause,
  Submission,
} from '#ports/direct-debit.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';

/** A debit or payout the fake has really taken. */
export interface TakenPayment {
  kind: 'debit' | 'payout';
  /** Id of our order. */
  id: string;
  providerRef: string;
  reference: string;
  amount: Cents;
  dueOn: IsoDate;
  /** Mandate of a debit. */
  mandateRef?: string;
  remitter?: string;
  state: OutcomeState;
  code?: ReturnCode;
  takenAt: Date;
  changedAt: Date;
  /** Time at which a debit cleared, even if it came back later. */
  clearedAt?: Date;
}

/**
 * A fault of one order: no answer with nothing done, no answer with the order taken, a definite no, or our process
 * ending before or after the provider acted.
 */
export type Fault =
  | 'time-out before effect'
  | 'time-out after effect'
  | 'refused'
  | 'account invalid'
  | 'not permitted'
  | 'crash before effect'
  | 'crash after effect';

/** Simulates the process's end: nothing in the product catches it. */
export class SimulatedCrash extends Error {
  override name = 'SimulatedCrash';
}

export interface FakeDirectDebit extends DirectDebit {
  /** Everything really taken, in order; duplicates were paid twice. */
  readonly taken: readonly TakenPayment[];
  takenOf(orderId: string): TakenPayment[];
  readonly mandates: readonly (MandateRequest & { mandateRef: string; isCancelled: boolean })[];
  /** Sets one fault for each of the next orders. */
  failNext(...faults: Fault[]): void;
  /** Clears the faults still to come. */
  forgetFaults(): void;
  /** While set, submissions are unknown and other calls throw ProviderUnavailable. */
  setUnreachable(isUnreachable: boolean): void;
  /** Orders that it picks never get an answer and are never taken, until nothing is picked any more. */
  neverAnswer(isPicked: (order: DebitOrder | PayoutOrder) => boolean): void;
  /** The next mandate is not registered. */
  refuseNextMandate(reason?: string): void;
  clear(orderId: string): void;
  clearAll(): void;
  /** Sends an order back, before or after it has cleared. */
  return(orderId: string, code: ReturnCode): void;
  /** Cancels mandates at the payers' bank; returns the notification. */
  cancelAtBank(...mandateRefs: string[]): { rawBody: string; headers: Record<string, string> };
  /** A notification of the orders' present states, as it would be delivered; delivered again it has the same id. */
  notificationOf(...orderIds: string[]): { rawBody: string; headers: Record<string, string> };
}

export interface FakeDirectDebitOptions {
  now?: () => Date;
  /** Time until order ids are forgotten; 24 hours at Zepto. */
  keyLifeMs?: number;
}

const recentMs = 300_000;
const sign = (rawBody: string): string => `genuine ${rawBody.length}`;

/** A direct-debit provider in memory, for tests of use cases. Everything it does is decided by the test. */
export function fakeDirectDebit(options: FakeDirectDebitOptions = {}): FakeDirectDebit {
  const { now = () => new Date(), keyLifeMs = 86_400_000 } = options;
  const taken: TakenPayment[] = [];
  const mandates: (MandateRequest & { mandateRef: string; isCancelled: boolean })[] = [];
  const faults: Fault[] = [];
  const mandateRefusals: string[] = [];
  let notifications = 0;
  let isUnreachable = false;
  let isUnanswered: (order: DebitOrder | PayoutOrder) => boolean = () => false;

  const reach = (): void => {
    if (isUnreachable) throw new ProviderUnavailable('The direct-debit provider does not answer.');
  };

  const newest = (orderId: string): TakenPayment => {
    const payment = taken.findLast(({ id }) => id === orderId);
    if (!payment) throw new Error(`The order ${orderId} was never taken.`);
    return payment;
  };

  function refusalOf(
    order: DebitOrder | PayoutOrder,
    fault?: Fault,
  ): { cause: RefusalCause; reason: string } | undefined {
    if (fault === 'refused') return { cause: 'other', reason: 'refused by the test' };
    if (fault === 'account invalid') return { cause: 'account_invalid', reason: 'the account takes no payments' };
    if (fault === 'not permitted') return { cause: 'not_permitted', reason: 'our account may not collect' };
    if (!('mandateRef' in order)) return undefined;
    const mandate = mandates.find(({ mandateRef }) => mandateRef === order.mandateRef);
    if (!mandate || mandate.isCancelled) return { cause: 'mandate_cancelled', reason: 'there is no mandate in effect' };
    if (order.amount <= mandate.ceiling) return undefined;
    return { cause: 'above_ceiling', reason: 'the amount is above the ceiling of the mandate' };
  }

  function take(order: DebitOrder | PayoutOrder): TakenPayment {
    const at = now();
    const isRemembered = ({ id, takenAt }: TakenPayment) =>
      id === order.id && at.getTime() - takenAt.getTime() < keyLifeMs;
    const before = taken.find(isRemembered);
    if (before) return before;
    const isDebit = 'mandateRef' in order;
    const payment: TakenPayment = {
      kind: isDebit ? 'debit' : 'payout',
      id: order.id,
      providerRef: `${isDebit ? 'PR' : 'PB'}.${taken.length + 1}`,
      reference: order.reference,
      amount: order.amount,
      dueOn: order.dueOn > sydneyDay(at) ? order.dueOn : sydneyDay(at),
      ...(isDebit ? { mandateRef: order.mandateRef } : {}),
      ...(order.remitter ? { remitter: order.remitter } : {}),
      state: 'pending',
      takenAt: at,
      changedAt: at,
    };
    taken.push(payment);
    return payment;
  }

  function submit(order: DebitOrder | PayoutOrder): Submission {
    const { id } = order;
    if (isUnreachable) return { id, result: 'unknown', reason: 'the provider is not there' };
    if (isUnanswered(order)) return { id, result: 'unknown', reason: 'the provider answers 500' };
    const fault = faults.shift();
    if (fault === 'crash before effect') throw new SimulatedCrash(fault);
    if (fault === 'time-out before effect') return { id, result: 'unknown', reason: fault };
    const refusal = refusalOf(order, fault);
    if (refusal) return { id, result: 'refused', ...refusal };
    const { providerRef } = take(order);
    if (fault === 'crash after effect') throw new SimulatedCrash(fault);
    if (fault === 'time-out after effect') return { id, result: 'unknown', reason: fault };
    return { id, result: 'accepted', providerRef };
  }

  function find(kind: TakenPayment['kind'], reference: string): string | undefined {
    reach();
    return taken.find((payment) => payment.kind === kind && payment.reference === reference)?.providerRef;
  }

  function change(payment: TakenPayment, state: OutcomeState, code?: ReturnCode): void {
    const cleared = state === 'cleared' && payment.kind === 'debit' ? { clearedAt: now() } : {};
    Object.assign(payment, { state, changedAt: now(), ...(code ? { code } : {}), ...cleared });
  }

  const outcomeOf = ({ providerRef, state, code = unexplainedReturn, changedAt: at }: TakenPayment): Outcome =>
    state === 'returned'
      ? { providerRef, state, at, code, reason: `returned with code ${code}` }
      : { providerRef, state, at };

  function end(...mandateRefs: string[]): void {
    for (const mandate of mandates) if (mandateRefs.includes(mandate.mandateRef)) mandate.isCancelled = true;
  }

  function signed(notification: Omit<PaymentNotification, 'id'>) {
    notifications += 1;
    const rawBody = JSON.stringify(notification);
    const headers = {
      'fake-id': `notification-${notifications}`,
      'fake-at': now().toISOString(),
      'fake-signature': sign(rawBody),
    };
    return { rawBody, headers };
  }

  return {
    taken,
    takenOf: (orderId) => taken.filter(({ id }) => id === orderId),
    mandates,
    failNext: (...next) => void faults.push(...next),
    forgetFaults: () => void faults.splice(0),
    setUnreachable: (value) => {
      isUnreachable = value;
    },
    neverAnswer: (isPicked) => {
      isUnanswered = isPicked;
    },
    refuseNextMandate: (reason = 'the account cannot be debited') => void mandateRefusals.push(reason),
    clear: (orderId) => change(newest(orderId), 'cleared'),
    clearAll: () => {
      for (const payment of taken) if (payment.state === 'pending') change(payment, 'cleared');
    },
    return: (orderId, code) => change(newest(orderId), 'returned', code),
    notificationOf: (...orderIds) =>
      signed({ outcomes: orderIds.map((id) => outcomeOf(newest(id))), endedMandates: [] }),
    cancelAtBank: (...mandateRefs) => {
      end(...mandateRefs);
      return signed({ outcomes: [], endedMandates: mandateRefs });
    },

    async createMandate(request) {
      reach();
      const reason = mandateRefusals.shift();
      if (reason) throw new ProviderRefused(reason);
      const before = mandates.find(({ id, isCancelled }) => id === request.id && !isCancelled);
      if (before) return before.mandateRef;
      const mandateRef = `contact-${mandates.length + 1}`;
      mandates.push({ ...request, mandateRef, isCancelled: false });
      return mandateRef;
    },
    async findMandate(wanted) {
      reach();
      const ofPayer = mandates.filter(({ name, email }) => name === wanted.name || email === wanted.email);
      return ofPayer.find(({ id, isCancelled }) => id === wanted.id && !isCancelled)?.mandateRef;
    },
    async cancelMandate(mandateRef) {
      reach();
      end(mandateRef);
    },
    async isMandateInEffect(wanted) {
      reach();
      return mandates.some(({ mandateRef, isCancelled }) => mandateRef === wanted && !isCancelled);
    },
    async *endedMandates() {
      reach();
      for (const { mandateRef, isCancelled } of [...mandates]) if (isCancelled) yield mandateRef;
    },
    submitDebits: async (orders) => orders.map(submit),
    submitPayouts: async (orders) => orders.map(submit),
    findDebit: async ({ reference }) => find('debit', reference),
    findPayout: async ({ reference }) => find('payout', reference),
    async *outcomesSince(since) {
      reach();
      for (const payment of [...taken]) if (payment.changedAt >= since) yield outcomeOf(payment);
    },
    async outcomesOf(reference) {
      reach();
      return taken.filter((payment) => payment.reference === reference).map(outcomeOf);
    },
    async *listPayments(since) {
      reach();
      for (const payment of [...taken]) {
        const { providerRef, amount, reference, state, takenAt, changedAt, clearedAt } = payment;
        if (takenAt >= since) {
          const settled = clearedAt ? { settledOn: sydneyDay(clearedAt) } : {};
          yield { providerRef, amount, reference, state, changedAt, ...settled };
        }
      }
    },
    accounts: async () => [],
    parseNotification(rawBody, headers, at) {
      const { 'fake-id': id, 'fake-at': sentAt, 'fake-signature': signature } = headers;
      if (!id || !sentAt || signature !== sign(rawBody)) return undefined;
      if (Math.abs(at.getTime() - new Date(sentAt).getTime()) > recentMs) return undefined;
      const notification: Omit<PaymentNotification, 'id'> = JSON.parse(rawBody, (key, value) =>
        key === 'at' ? new Date(value) : value,
      );
      return { id, ...notification };
    },
  };
}
