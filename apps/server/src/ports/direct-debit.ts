import type { Cents, IsoDate } from '@sparechange/domain';

/** The BECS return codes, shared by every adapter. */
export const returnCodes = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export type ReturnCode = (typeof returnCodes)[number];

export interface MandateRequest {
  /** Ours, permanent: asking again with it must not make a second mandate in effect. */
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
  /** The day it is due. */
  dueOn: IsoDate;
}

export interface PayoutOrder {
  id: string;
  name: string;
  email: string;
  bsb: string;
  accountNumber: string;
  amount: Cents;
  /** The name on the payee's statement, 3 to 16 characters; the provider's own when absent. */
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

/** `unknown`: it may or may not have been taken; ask with `find` before repeating. `isUnsent`: this call did not send it. */
export type Submission =
  | { id: string; result: 'accepted'; providerRef: string }
  | { id: string; result: 'refused'; cause: RefusalCause; reason: string }
  | { id: string; result: 'unknown'; reason: string; isUnsent?: true };

export type OutcomeState = 'pending' | 'cleared' | 'returned';

export interface Outcome {
  /** The provider's reference of the debit or payout. */
  providerRef: string;
  state: OutcomeState;
  /** With `returned` only. */
  code?: ReturnCode;
  reason?: string;
  at: Date;
}

export interface PaymentNotification {
  /** Unique for a notification, the same when it is delivered again. */
  id: string;
  /** SHA-256 of what the provider signed, where that leaves the id out. */
  signedHash?: string;
  outcomes: Outcome[];
  /** Mandates that are said to have ended, by the reference that debits name them with. */
  endedMandates: string[];
}

/** An order as the provider holds it, for reconciling. */
export interface ProviderPayment {
  providerRef: string;
  amount: Cents;
  reference: string;
  state: OutcomeState;
  /** Day on which a debit was settled into our account, where the provider settles by the day. */
  settledOn?: IsoDate;
}

/** The direct-debit provider, in our words. Throws ProviderUnavailable if it cannot answer. */
export interface DirectDebit {
  /** Registers the payer's authority; answers the provider's reference to debit by. */
  createMandate(request: MandateRequest): Promise<string>;
  /** Withdraws the payer's authority: nothing more can be debited by it. One that is gone already stays so. */
  cancelMandate(mandateRef: string): Promise<void>;
  isMandateInEffect(mandateRef: string): Promise<boolean>;
  /** Every mandate that ended at the provider, by whomever; one may be in effect again. */
  endedMandates(): AsyncIterable<string>;
  submitDebits(orders: DebitOrder[]): Promise<Submission[]>;
  submitPayouts(orders: PayoutOrder[]): Promise<Submission[]>;
  /** Looks an order up at the provider by our reference, whatever became of our call. */
  findDebit(order: DebitOrder): Promise<string | undefined>;
  findPayout(order: PayoutOrder): Promise<string | undefined>;
  /** Every debit and payout whose state changed since then, in no promised order. */
  outcomesSince(since: Date): AsyncIterable<Outcome>;
  /** Returns the outcomes of one order so far, by our reference, in no promised order. */
  outcomesOf(reference: string): Promise<Outcome[]>;
  listPayments(since: Date): AsyncIterable<ProviderPayment>;
  /** Reads and verifies a webhook; undefined when the signature or the time is wrong. */
  parseNotification(
    rawBody: string,
    headers: Record<string, string | undefined>,
    now: Date,
  ): PaymentNotification | undefined;
}
