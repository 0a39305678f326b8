import type { DebitOrder, DirectDebit, PayoutOrder, Submission } from '#ports/direct-debit.ts';
import type { ProviderLog, SendOptions } from '#providers/outgoing/send.ts';
import { TransactionRow } from './answers.ts';
import { zeptoClient } from './client.ts';
import { cancelMandate, createMandate } from './mandates.ts';
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
  /** Our account that debits are collected into and payouts are made from; Zepto's primary one when absent. */
  bankAccountId?: string | undefined;
  now?: () => Date;
  log?: ProviderLog | undefined;
}

/** Orders of one submission that are under way at once. */
const lanes = 4;
/** After so many unknown answers the rest of a submission is not sent: the provider is not well. */
const mostUnknown = 3;

/** Zepto shows what was made in the last 30 days unless asked for more, and never more than a year. */
const furthestBackMs = 364 * 86_400_000;

/** Direct debits and payouts through Zepto. */
export function zeptoDirectDebit(options: ZeptoOptions): DirectDebit {
  const { webhookSecret, bankAccountId, now = () => new Date() } = options;
  const client = zeptoClient(options);
  let onlyAccount: Promise<string | undefined> | undefined;
  const context = {
    client,
    now,
    bankAccountId: async () => {
      if (bankAccountId) return bankAccountId;
      onlyAccount ??= findOnlyBankAccount(client);
      onlyAccount.catch(() => {
        onlyAccount = undefined;
      });
      return onlyAccount;
    },
  };

  function transactions(what: string, query: Record<string, string>) {
    const earliest = new Date(now().getTime() - furthestBackMs).toISOString();
    const range = { both_parties: 'true', min_created_date: earliest, ...query };
    return client.list(TransactionRow, { what, path: '/transactions', query: range });
  }

  /** A request is listed a moment after it is made at the latest; until then its idempotency key still holds. */
  async function find(kind: OrderKind, { reference }: DebitOrder | PayoutOrder): Promise<string | undefined> {
    for await (const row of transactions(`look for a ${kind}`, { description: reference })) {
      // The filter searches within descriptions.
      if (row.description === reference && row.parent_ref && kindOf(row.parent_ref) === kind) return row.parent_ref;
    }
    return undefined;
  }

  const notEarlierThan = (since: Date): string =>
    new Date(Math.max(since.getTime(), now().getTime() - furthestBackMs)).toISOString();

  return {
    createMandate: (request) => createMandate(client, request),
    cancelMandate: (mandateRef) => cancelMandate(client, mandateRef),
    submitDebits: (orders) => inLanes(orders, (order) => submitDebit(context, order, bankAccountId)),
    submitPayouts: (orders) =>
      inLanes(orders, (order) => submitPayout(context, order, (payee) => findOrAddPayee(client, payee))),
    findDebit: (order) => find('debit', order),
    findPayout: (order) => find('payout', order),

    async *outcomesSince(since) {
      const query = { min_status_changed_date: notEarlierThan(since) };
      for await (const row of transactions('list what changed', query)) {
        const outcome = toOutcome(row);
        if (outcome) yield outcome;
      }
    },

    async *listPayments(since) {
      for await (const row of transactions('list the payments', { min_created_date: notEarlierThan(since) })) {
        const payment = toProviderPayment(row);
        if (payment) yield payment;
      }
    },

    parseNotification: (rawBody, headers, at) => readNotification(webhookSecret, rawBody, headers, at),
  };
}

/** Submits a few orders at a time and answers in their order; once too many are unknown the rest are not sent at all. */
async function inLanes<Order extends { id: string }>(
  orders: Order[],
  submit: (order: Order) => Promise<Submission>,
): Promise<Submission[]> {
  const answers: Submission[] = [];
  let unknown = 0;
  const queue = orders.entries();
  const lane = async () => {
    for (const [place, order] of queue) {
      const answer: Submission =
        unknown >= mostUnknown
          ? { id: order.id, result: 'unknown', reason: 'not sent: the provider did not answer before' }
          : await submit(order);
      if (answer.result === 'unknown') unknown += 1;
      answers[place] = answer;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answers;
}
