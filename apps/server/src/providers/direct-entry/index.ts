import { becsReasons, sydneyDay } from '@sparechange/domain';
import type { BankFiles } from '#ports/bank-files.ts';
import type { DebitOrder, DirectDebit, Outcome, PayoutOrder, RefusalCause, Submission } from '#ports/direct-debit.ts';
import type { Entry, HeldMandate, NewEntry, OrderKind } from '#ports/direct-entry-book.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type BankFileOptions, bankFiles, type FileProblem } from './bank-files.ts';
import { accountProblem, orderProblem } from './check-order.ts';

export interface DirectEntryOptions extends BankFileOptions {
  /** Tells the operator about a file that could not be lodged; outcomes are read all the same. */
  onFileProblem: (problem: FileProblem) => Promise<void>;
}

const mandatePrefix = 'DE.';
const mandateIdOf = (mandateRef: string): string => mandateRef.replace(mandatePrefix, '');

/** Builds a provider reference from ours, as direct entry has none of its own. */
const providerRefOf = ({ kind, reference }: Pick<Entry, 'kind' | 'reference'>): string =>
  `${kind === 'debit' ? 'DD' : 'DC'}.${reference}`;

function outcomeOf(entry: Entry): Outcome {
  const { state, code, changedAt: at } = entry;
  const providerRef = providerRefOf(entry);
  if (state === 'returned' && code) return { providerRef, state, code, reason: becsReasons[code], at };
  return { providerRef, state: state === 'cleared' ? 'cleared' : 'pending', at };
}

/** An order to keep, or why it is refused or left unknown. */
type CheckedOrder = { entry: NewEntry } | { cause: RefusalCause; reason: string } | { unknown: string };

/**
 * Makes direct debits and payouts through files lodged with a bank (BECS direct entry). Accepting an order means to
 * keep it for the next file; the bank's files of returns say which fail, and those not in them have cleared.
 */
export function directEntry(options: DirectEntryOptions): DirectDebit & { files: BankFiles } {
  const { settings, book, now, onFileProblem } = options;
  const { lodgeWaiting, ...files } = bankFiles(options);

  function checkOrder(kind: OrderKind, order: DebitOrder | PayoutOrder, mandate?: HeldMandate): CheckedOrder {
    const isDebit = 'mandateRef' in order;
    if (isDebit && !mandate) return { cause: 'mandate_cancelled', reason: 'there is no mandate in effect' };
    const account = isDebit ? mandate?.account : order;
    // Not refused, as the payer would have to choose another account: without its key no account can be decrypted.
    if (!account) return { unknown: 'the account of its mandate cannot be decrypted' };
    if (mandate && order.amount > mandate.ceiling)
      return { cause: 'above_ceiling', reason: 'the amount is above the ceiling of the mandate' };
    const { id: orderId, reference, amount, dueOn, remitter = settings.statementName } = order;
    const { name, bsb, accountNumber } = account;
    const problem = orderProblem({ amount, reference, remitter });
    if (problem) return { cause: 'other', reason: problem };
    const accountFault = accountProblem(account);
    if (accountFault) return { cause: 'account_invalid', reason: accountFault };
    return { entry: { reference, kind, orderId, amount, dueOn, remitter, account: { name, bsb, accountNumber } } };
  }

  /** Keeps new orders; those kept before stay accepted, even if their mandate has since ended. */
  async function keepOrders(kind: OrderKind, orders: (DebitOrder | PayoutOrder)[]): Promise<Submission[]> {
    const keptBefore = await book.findEntries(orders.map(({ reference }) => reference));
    const newOrders = orders.filter(({ reference }) => !keptBefore.has(reference));
    const ids = newOrders.flatMap((order) => ('mandateRef' in order ? [mandateIdOf(order.mandateRef)] : []));
    const mandates = await book.findMandates(ids);
    const checked = new Map(
      newOrders.map((order) => [
        order.id,
        checkOrder(kind, order, 'mandateRef' in order ? mandates.get(mandateIdOf(order.mandateRef)) : undefined),
      ]),
    );
    const entries = [...checked.values()].flatMap((each) => ('entry' in each ? [each.entry] : []));
    const keptEntries = new Map([...keptBefore, ...(await book.keepEntries(entries, now()))]);
    return orders.map((order): Submission => {
      const { id } = order;
      const result = checked.get(id);
      if (result && 'unknown' in result) return { id, result: 'unknown', reason: result.unknown, isOurs: true };
      if (result && 'reason' in result) return { id, result: 'refused', ...result, isOurs: true };
      const entry = keptEntries.get(order.reference);
      const isOurs = entry?.orderId === id && entry.kind === kind && entry.amount === order.amount;
      if (!entry || !isOurs)
        return { id, result: 'refused', cause: 'other', reason: 'its reference belongs to another order' };
      return { id, result: 'accepted', providerRef: providerRefOf(entry) };
    });
  }

  /** Submits orders; those answered with unknown may have been kept. */
  async function submit(kind: OrderKind, orders: (DebitOrder | PayoutOrder)[]): Promise<Submission[]> {
    try {
      return await keepOrders(kind, orders);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      return orders.map(({ id }) => ({ id, result: 'unknown', reason: error.message }));
    }
  }

  async function findOrder(kind: OrderKind, { reference }: { reference: string }): Promise<string | undefined> {
    const entry = (await book.findEntries([reference])).get(reference);
    return entry?.kind === kind ? providerRefOf(entry) : undefined;
  }

  return {
    files,

    async createMandate(request) {
      const problem = accountProblem(request);
      if (problem) throw new ProviderRefused(problem);
      await book.keepMandate(request, now());
      return `${mandatePrefix}${request.id}`;
    },
    findMandate: async ({ id }) => ((await book.findMandates([id])).has(id) ? `${mandatePrefix}${id}` : undefined),
    cancelMandate: (mandateRef) => book.cancelMandate(mandateIdOf(mandateRef), now()),
    isMandateInEffect: async (mandateRef) => {
      const id = mandateIdOf(mandateRef);
      return (await book.findMandates([id])).has(id);
    },
    // Banks do not report mandates; a payer who stops debits at the bank shows up as a return with code 2.
    async *endedMandates() {},
    submitDebits: (orders) => submit('debit', orders),
    submitPayouts: (orders) => submit('payout', orders),
    findDebit: (order) => findOrder('debit', order),
    findPayout: (order) => findOrder('payout', order),

    async *outcomesSince(since) {
      const problems = settings.lodging === 'when written' ? await lodgeWaiting() : [];
      for (const problem of problems) await onFileProblem(problem);
      await book.clearDue(sydneyDay(now()), now());
      for await (const entry of book.entriesChangedSince(since)) yield outcomeOf(entry);
    },

    async outcomesOf(reference) {
      const entry = (await book.findEntries([reference])).get(reference);
      return entry ? [outcomeOf(entry)] : [];
    },

    async *listPayments(since) {
      for await (const entry of book.entriesAcceptedSince(since)) {
        const { amount, reference, changedAt } = entry;
        yield { providerRef: providerRefOf(entry), amount, reference, state: outcomeOf(entry).state, changedAt };
      }
    },

    accounts: async () => [], // ours is at the bank

    // Banks send files, not notifications.
    parseNotification: () => undefined,
  };
}
