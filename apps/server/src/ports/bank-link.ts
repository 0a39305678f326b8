import type { Cents, ConnectionTerm, IsoDate, StatementLine } from '@sparechange/domain';

export interface NewCustomer {
  email: string;
  /** As registered: ten digits, `0#########`. */
  mobile: string;
  firstName: string;
  lastName: string;
}

/** Reason for visiting the bank; each shows different pages there. */
export type ConsentPurpose = 'first consent' | 'connect' | 'manage' | 'extend' | 'reauthorise';

export interface Consent {
  id: string;
  state: 'active' | 'revoked' | 'expired';
  givenAt: Date;
  expiresAt: Date;
}

export interface BankAccountDetails {
  /** The provider's id of the account. */
  id: string;
  name: string;
  /** As the provider names it: transaction, savings, credit-card, mortgage ... */
  kind: string;
  /** Six digits; absent where withheld or the account has none. */
  bsb: string | undefined;
  /** Without the BSB; absent where the bank masks it. */
  accountNumber: string | undefined;
  /** Number to show, masked already or to be masked here. */
  displayNumber: string;
  currency: string;
  isAvailable: boolean;
  /** The provider's ids of bank and connection, where named. */
  institution: string | undefined;
  connectionId: string | undefined;
  /** The holder the bank names; undefined where it names none. */
  holder: string | undefined;
}

export interface BankTransaction extends StatementLine {
  /** Stable for posted transactions only. */
  id: string;
  accountId: string;
  /** The Sydney day it was posted (or made, while pending). */
  day: IsoDate;
}

/** Declined by the customer at the bank, or failed there. */
export type JobState = 'pending' | 'done' | 'declined' | 'failed';

export interface BankNotification {
  /** Unique per notification and the same on repeated delivery. */
  id: string;
  /** Leads to the customer, who is not named in notifications. */
  eventId: string;
  kind: string;
}

/** The open-banking provider; throws ProviderUnavailable if it cannot answer. */
export interface BankLink {
  /** Makes a customer; not idempotent, so callers keep the id. */
  createCustomer(customer: NewCustomer): Promise<string>;
  /** Makes a link for one click: it carries a token of an hour. Never store, log or mail it. */
  consentLink(customerId: string, purpose: ConsentPurpose, state: string): Promise<URL>;
  listConsents(customerId: string): Promise<Consent[]>;
  /**
   * Returns the connections to the banks of these accounts (the provider's ids). One to a bank that can no longer be asked
   * has ended, although the provider still answers with the data it had of it.
   */
  connectionsOf(customerId: string, accountIds: string[]): Promise<ConnectionTerm[]>;
  /** Finds the newest connection job of the last days. */
  findNewestJob(customerId: string): Promise<string | undefined>;
  /** Returns a job's state; undefined if not this customer's. */
  jobState(customerId: string, jobId: string): Promise<JobState | undefined>;
  /** Returns a job's connection; undefined until the provider names it. */
  connectionOfJob(customerId: string, jobId: string): Promise<string | undefined>;
  listAccounts(customerId: string): Promise<BankAccountDetails[]>;
  /**
   * Returns the available balance, as the bank last gave it; below zero when overdrawn, undefined where it is not given.
   */
  balanceOf(customerId: string, accountId: string): Promise<Cents | undefined>;
  /** Lists all accounts' transactions from that whole Sydney day onwards. */
  transactionsSince(customerId: string, since: IsoDate): Promise<BankTransaction[]>;
  /**
   * Asks the banks for fresh data where the provider has fetched none for most of a day, and so within its limits. The
   * data come later, announced by a notification.
   */
  refresh(customerId: string): Promise<void>;
  /** Withdraws a consent at the provider. */
  revokeConsent(customerId: string, consentId: string): Promise<void>;
  /** Verifies a webhook; undefined if signature or time is wrong. */
  parseNotification(
    rawBody: string,
    headers: Record<string, string | undefined>,
    now: Date,
  ): BankNotification | undefined;
  /** Returns an event's customer; undefined if the provider forgot it. */
  customerOfEvent(eventId: string): Promise<string | undefined>;
}
