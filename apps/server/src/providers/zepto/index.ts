import { circuitBreaker } from '@sparechange/domain/circuit-breaker';
import type { DirectDebit, Outcome, ProviderAccount, Submission } from '#ports/direct-debit.ts';
import type { ProviderLog, SendOptions } from '#providers/outgoing/send.ts';
import { TransactionRow } from './answers.ts';
import { zeptoClient } from './client.ts';
import { openFloat } from './float.ts';
import { cancelMandate, createMandate, findMandate, isMandateInEffect, listEndedMandates } from './mandates.ts';
import { findOnlyBankAccount, findOrAddPayee } from './payees.ts';
import { submitDebit, submitPayout } from './submit.ts';
import { kindOf, type OrderKind, toOutcome, toProviderPayment } from './translate.ts';
import { readNotification } from './webhook.ts';

export interface ZeptoOptions extends Omit<SendOptions, 'provider'> {
  /** `https://api.zeptopayments.com` */
  apiUrl: string;
  /** A personal access token; these do not expire. */
  token: string;
  webhookSecret: string;
  /** Sent as `Zepto-API-Version`. */
  apiVersion: string;
  /** Account that collects debits; Zepto's primary one when absent. */
  bankAccountId?: string | undefined;
  /** Account that pays out; otherwise the collecting or only one. */
  payoutBankAccountId?: string | undefined;
  now?: () => Date;
  log?: ProviderLog | undefined;
}

/** Orders of a submission that are under way together: few until Zepto has answered, and again once it does not. */
const atOnce = { first: 4, most: 32 } as const;

/** Zepto lists orders of the last 30 days unless asked for more, and never more than a year. */
const furthestBackMs = 364 * 86_400_000;

/** Direct debits and payouts through Zepto. */
export function zeptoDirectDebit(options: ZeptoOptions): DirectDebit {
  const { webhookSecret, bankAccountId, now = () => new Date() } = options;
  const payoutAccountId = options.payoutBankAccountId ?? bankAccountId;
  const client = zeptoClient(options);
  const submitAtOnce = submitterAtOnce();
  let onlyAccount: Promise<string | undefined> | undefined;
  const findOnlyAccount = async (): Promise<string | undefined> => {
    onlyAccount ??= findOnlyBankAccount(client);
    onlyAccount.catch(() => {
      onlyAccount = undefined;
    });
    return onlyAccount;
  };
  const context = { client, now, bankAccountId: async () => payoutAccountId ?? findOnlyAccount() };

  async function accounts(): Promise<ProviderAccount[]> {
    const ids = new Set([bankAccountId ?? (await findOnlyAccount()), payoutAccountId].flatMap((id) => id ?? []));
    const opened = await Promise.all([...ids].map((id) => openFloat(client, transactions, id)));
    return opened.flatMap((account) => account ?? []);
  }

  function transactions(purpose: string, query: Record<string, string>, { mustReadAll = false } = {}) {
    const earliest = new Date(now().getTime() - furthestBackMs).toISOString();
    const range = { both_parties: 'true', min_created_date: earliest, ...query };
    return client.list(TransactionRow, { purpose, path: '/transactions', query: range }, { mustReadAll });
  }

  /** A request is listed a moment after it is made at the latest; until then its idempotency key still holds. */
  async function find(kind: OrderKind, { reference }: { reference: string }): Promise<string | undefined> {
    for await (const row of transactions(`look for a ${kind}`, { description: reference }, { mustReadAll: true })) {
      // The filter searches within descriptions.
      if (row.description === reference && row.parent_ref && kindOf(row.parent_ref) === kind) return row.parent_ref;
    }
    return undefined;
  }

  const notEarlierThan = (since: Date): string =>
    new Date(Math.max(since.getTime(), now().getTime() - furthestBackMs)).toISOString();

  return {
    createMandate: (request) => createMandate(client, request),
    findMandate: (request) => findMandate(client, request),
    cancelMandate: (mandateRef) => cancelMandate(client, mandateRef),
    isMandateInEffect: (mandateRef) => isMandateInEffect(client, mandateRef),
    endedMandates: () => listEndedMandates(client),
    submitDebits: (orders) => submitAtOnce(orders, (order) => submitDebit(context, order, bankAccountId)),
    submitPayouts: (orders) =>
      submitAtOnce(orders, (order) => submitPayout(context, order, (payee) => findOrAddPayee(client, payee))),
    findDebit: (order) => find('debit', order),
    findPayout: (order) => find('payout', order),

    async *outcomesSince(since) {
      const query = { min_status_changed_date: notEarlierThan(since) };
      for await (const row of transactions('list what changed', query)) {
        const outcome = toOutcome(row);
        if (outcome) yield outcome;
      }
    },

    async outcomesOf(reference) {
      const outcomes: Outcome[] = [];
      for await (const row of transactions('look for an outcome', { description: reference })) {
        const outcome = row.description === reference ? toOutcome(row) : undefined;
        if (outcome) outcomes.push(outcome);
      }
      return outcomes;
    },

    async *listPayments(since) {
      const isFloat = (await accounts()).length > 0;
      for await (const row of transactions('list the payments', { min_created_date: notEarlierThan(since) })) {
        const payment = toProviderPayment(row);
        // A float has an entry for each debit, and no sum of a day.
        if (payment) yield isFloat ? { ...payment, settledOn: undefined } : payment;
      }
    },

    accounts,

    parseNotification: (rawBody, headers, at) => readNotification(webhookSecret, rawBody, headers, at),
  };
}

/**
 * Submits orders concurrently and answers in their order: with each answer one more, up to the most. When too many in a
 * row are unknown the provider is not well, and the rest are not sent at all.
 */
function submitterAtOnce() {
  let places: number = atOnce.first;
  return async <Order extends { id: string }>(
    orders: Order[],
    submit: (order: Order) => Promise<Submission>,
  ): Promise<Submission[]> => {
    const answers: Submission[] = [];
    const breaker = circuitBreaker();
    const queue = orders.entries();
    const workers: Promise<void>[] = [];
    const addWorkers = () => {
      while (workers.length < Math.min(places, orders.length)) workers.push(worker());
    };
    const worker = async () => {
      for (const [place, order] of queue) {
        if (breaker.isOpen) {
          const reason = 'not sent: the provider did not answer before';
          answers[place] = { id: order.id, result: 'unknown', reason, isUnsent: true };
          continue;
        }
        const answer = await submit(order);
        const isUnknown = answer.result === 'unknown';
        breaker.record(isUnknown);
        answers[place] = answer;
        places = isUnknown ? atOnce.first : Math.min(places + 1, atOnce.most);
        addWorkers();
      }
    };
    addWorkers();
    for (const each of workers) await each; // includes workers added while waiting
    return answers;
  };
}
