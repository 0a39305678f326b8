import type { Cents, IsoDate, ReturnCode } from '@sparechange/domain';

export interface MandateRequest {
  /** Ours, permanent: repeated requests make no second mandate in effect. */
  id: string;
  name: string;
  email: string;
  bsb: string;
  accountNumber: string;
  /** The most one debit may take. */
  ceiling: Cents;
}

export interface DebitOrder {
  /** Ours, permanent: the idempotency key derives from it. */
  id: string;
  mandateRef: string;
  amount: Cents;
  /** The name on the payer's statement, 3 to 16 characters. */
  remitter: string;
  /** Unique per debit; its first 9 characters stand on the payer's statement. At most 18, `A-Z0-9`. */
  reference: string;
  dueOn: IsoDate;
}

export interface PayoutOrder {
  id: string;
  name: string;
  email: string;
  bsb: string;
  accountNumber: string;
  amount: Cents;
  /** The payee's statement name, 3-16 characters; the provider's when absent. */
  remitter?: string;
  reference: string;
  dueOn: IsoDate;
}

/**
 * Why a provider refuses an order, as far as it decides what follows: the payer's mandate is not in effect, the amount is
 * above its ceiling, the account takes no payments, or the provider does not let us collect or pay at all.
 */
export const refusalCauses = [
  'mandate_cancelled',
  'above_ceiling',
  'account_invalid',
  'not_permitted',
  'other',
] as const;
export type RefusalCause = (typeof refusalCauses)[number];

/**
 * The answer to an order. `unknown` may or may not have been taken: ask with `findDebit` or `findPayout` before repeating it.
 * One that `isUnsent` was not sent by this call; one that `isOurs` was found without asking the provider.
 */
export type Submission =
  | { id: string; result: 'accepted'; providerRef: string }
  | { id: string; result: 'refused'; cause: RefusalCause; reason: string; isOurs?: true }
  | { id: string; result: 'unknown'; reason: string; isUnsent?: true; isOurs?: true };

export interface ReturnedOutcome {
  /** The provider's reference of the debit or payout. */
  providerRef: string;
  state: 'returned';
  code: ReturnCode;
  reason?: string;
  at: Date;
}

/** Outcome of a debit or payout; sent back after it cleared, it is reversed. */
export type Outcome = { providerRef: string; state: 'pending' | 'cleared'; at: Date } | ReturnedOutcome;

export type OutcomeState = Outcome['state'];

export interface PaymentNotification {
  /** Unique per notification and the same on repeated delivery. */
  id: string;
  /** SHA-256 of the signed text, where that omits the id. */
  signedHash?: string;
  outcomes: Outcome[];
  /** Mandates reported as ended, by the reference that debits use. */
  endedMandates: string[];
}

/** An order as the provider holds it, for reconciling. */
export interface ProviderPayment {
  providerRef: string;
  amount: Cents;
  reference: string;
  state: OutcomeState;
  /** Instant of its present state, as outcomes have it. */
  changedAt: Date;
  /** Day when a debit reached our account, where settled daily. */
  settledOn?: IsoDate | undefined;
}

/** A movement that the provider booked on an account it keeps for us. */
export interface ProviderEntry {
  /** Permanent; at most 35 characters. */
  id: string;
  at: Date;
  /** Positive for incoming money. */
  amount: Cents;
  balanceAfter: Cents;
  /** The provider's words. */
  description: string;
  /** Our reference of the payment that it belongs to, if the provider tells. */
  reference?: string;
}

/** An account that the provider keeps for us; its entries are the account's only statement. */
export interface ProviderAccount {
  name: string;
  /** BSB and account number. */
  number: string;
  /** Lists all entries from one instant until before another, in any sequence. */
  entries(from: Date, until: Date): AsyncIterable<ProviderEntry>;
}

/** The direct-debit provider; throws ProviderUnavailable if it cannot answer. */
export interface DirectDebit {
  /** Registers the payer's mandate; returns the reference to debit by. */
  createMandate(request: MandateRequest): Promise<string>;
  /** Finds a mandate in effect by our id, however our call ended; `name` is the one requested, `email` may be a later one. */
  findMandate(request: Pick<MandateRequest, 'id' | 'name' | 'email'>): Promise<string | undefined>;
  /** Withdraws the payer's mandate: nothing more can be debited by it. One that is gone already stays so. */
  cancelMandate(mandateRef: string): Promise<void>;
  isMandateInEffect(mandateRef: string): Promise<boolean>;
  /** Lists mandates that ended; one may be in effect again. */
  endedMandates(): AsyncIterable<string>;
  submitDebits(orders: DebitOrder[]): Promise<Submission[]>;
  submitPayouts(orders: PayoutOrder[]): Promise<Submission[]>;
  /** Finds an order by our reference, however our call ended. */
  findDebit(order: Pick<DebitOrder, 'reference'>): Promise<string | undefined>;
  findPayout(order: Pick<PayoutOrder, 'reference'>): Promise<string | undefined>;
  /** Lists debits and payouts changed since then, in any sequence. */
  outcomesSince(since: Date): AsyncIterable<Outcome>;
  /** Returns the outcomes for our reference, in any sequence. */
  outcomesOf(reference: string): Promise<Outcome[]>;
  listPayments(since: Date): AsyncIterable<ProviderPayment>;
  /** Returns accounts that the provider keeps for us; none where payments go through accounts at our own bank. */
  accounts(): Promise<ProviderAccount[]>;
  /** Verifies a webhook; undefined if signature or time is wrong. */
  parseNotification(
    rawBody: string,
    headers: Record<string, string | undefined>,
    now: Date,
  ): PaymentNotification | undefined;
}
