import { type Cents, type ConnectionTerm, cents, sydneyDay } from '@sparechange/domain';
import type {
  BankAccountDetails,
  BankLink,
  BankTransaction,
  Consent,
  ConsentPurpose,
  JobState,
  NewCustomer,
} from '#ports/bank-link.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';

interface Customer extends NewCustomer {
  id: string;
  consents: Consent[];
  connections: ConnectionTerm[];
  jobs: { id: string; state: JobState }[];
  accounts: BankAccountDetails[];
  transactions: BankTransaction[];
  /** By account; $1,000 unless set, undefined where unknown. */
  balances: Map<string, Cents | undefined>;
  /** Number of requests for fresh data. */
  refreshes: number;
}

export interface FakeBankLink extends BankLink {
  readonly customers: readonly Customer[];
  /** The links given out, in order. */
  readonly links: readonly { customerId: string; purpose: ConsentPurpose; state: string }[];
  /** The customer consents for a year and shares accounts (one everyday account unless others are given). Returns the job. */
  connect(customerId: string, accounts?: Partial<BankAccountDetails>[]): string;
  setJob(customerId: string, state: JobState): void;
  /** Prolongs only the consent, to a year from now. */
  extend(customerId: string): void;
  /** Sets the state of the one bank: its permission lasts a year from connecting, its data are current. */
  setConnection(customerId: string, changes: Partial<ConnectionTerm>): void;
  /** Adds a posted $4.35 card purchase today; returns its id. */
  addTransaction(customerId: string, overrides?: Partial<BankTransaction>): string;
  /** Reissues a posted transaction under a new id; returns it. */
  reissue(customerId: string, transactionId: string): string;
  removeTransaction(customerId: string, transactionId: string): void;
  /** Sets the balance of every account of the customer. */
  setBalance(customerId: string, balance: Cents | undefined): void;
  endConsent(customerId: string, as: 'revoked' | 'expired'): void;
  /** The bank lets itself not be asked from now on, and sends nothing, until it may send again. */
  setSilent(customerId: string, isSilent: boolean): void;
  /** The next calls of any kind fail. */
  failNext(how?: 'unavailable' | 'refused', times?: number): void;
  /** Fails every call while set, or only this customer's. */
  setUnreachable(isUnreachable: boolean, customerId?: string): void;
  /** Returns a customer's event notification as it would be delivered. */
  notificationOf(customerId: string, kind: string): { rawBody: string; headers: Record<string, string> };
}

const yearMs = 365 * 86_400_000;
const everybody = 'everybody';
const recentMs = 300_000;
const sign = (rawBody: string): string => `genuine ${rawBody.length}`;

/**
 * A bank in memory that says yes immediately, for tests of use cases. The running product talks to the sandbox over
 * HTTP.
 */
export function fakeBankLink({ now = () => new Date() }: { now?: () => Date } = {}): FakeBankLink {
  const customers: Customer[] = [];
  const links: { customerId: string; purpose: ConsentPurpose; state: string }[] = [];
  const events = new Map<string, string>();
  const failures: ('unavailable' | 'refused')[] = [];
  const unreachable = new Set<string>();
  let made = 0;
  const nextId = (kind: string): string => {
    made += 1;
    return `${kind}-${made}`;
  };

  const find = (customerId: string): Customer => {
    const customer = customers.find(({ id }) => id === customerId);
    if (!customer) throw new ProviderRefused('there is no such customer');
    return customer;
  };

  /** Begins each call; throws if the test wants it to. */
  const reach = (customerId?: string): void => {
    const failure = failures.shift();
    if (failure === 'refused') throw new ProviderRefused('refused by the test');
    const isThere = !unreachable.has(everybody) && !unreachable.has(customerId ?? '');
    if (failure || !isThere) throw new ProviderUnavailable('The bank does not answer.');
  };
  const reachCustomer = (customerId: string): Customer => {
    reach(customerId);
    return find(customerId);
  };

  const stateOf = ({ state, expiresAt }: Consent): Consent['state'] =>
    state === 'active' && expiresAt <= now() ? 'expired' : state;
  const hasActiveConsent = ({ consents }: Customer): boolean =>
    consents.some((consent) => stateOf(consent) === 'active');

  function end(customer: Customer, consentId: string, as: 'revoked' | 'expired'): void {
    for (const consent of customer.consents)
      if (consent.id === consentId && consent.state === 'active') consent.state = as;
    // The provider drops what a consent brought when it ends.
    if (!hasActiveConsent(customer)) Object.assign(customer, { accounts: [], connections: [], transactions: [] });
  }

  return {
    customers,
    links,
    connect(customerId, accounts = [{}]) {
      const customer = find(customerId);
      if (!hasActiveConsent(customer)) {
        customer.consents.unshift({
          id: nextId('consent'),
          state: 'active',
          givenAt: now(),
          expiresAt: new Date(now().getTime() + yearMs),
        });
      }
      customer.connections = [{ hasEnded: false, endsAt: new Date(now().getTime() + yearMs), dataAt: undefined }];
      for (const overrides of accounts) customer.accounts.push(anAccount(nextId('account'), made, overrides));
      const job = { id: nextId('job'), state: 'done' as const };
      customer.jobs.unshift(job);
      return job.id;
    },
    extend(customerId) {
      for (const consent of find(customerId).consents)
        if (stateOf(consent) === 'active') consent.expiresAt = new Date(now().getTime() + yearMs);
    },
    setConnection(customerId, changes) {
      for (const connection of find(customerId).connections) Object.assign(connection, changes);
    },
    setJob(customerId, state) {
      const [newest] = find(customerId).jobs;
      if (newest) newest.state = state;
      else find(customerId).jobs.push({ id: nextId('job'), state });
    },
    addTransaction(customerId, overrides = {}) {
      const customer = find(customerId);
      const transaction: BankTransaction = {
        id: nextId('transaction'),
        accountId: customer.accounts[0]?.id ?? 'no-account',
        status: 'posted',
        direction: 'debit',
        kind: 'payment',
        currency: 'AUD',
        amount: cents(435),
        description: 'CORNER CAFE BRUNSWICK VI AUS',
        isBillPayment: false,
        day: sydneyDay(now()),
        ...overrides,
      };
      customer.transactions.push(transaction);
      return transaction.id;
    },
    reissue(customerId, transactionId) {
      const transaction = find(customerId).transactions.find(({ id }) => id === transactionId);
      if (!transaction) throw new Error(`There is no transaction ${transactionId}.`);
      transaction.id = nextId('transaction');
      return transaction.id;
    },
    removeTransaction(customerId, transactionId) {
      const customer = find(customerId);
      customer.transactions = customer.transactions.filter(({ id }) => id !== transactionId);
    },
    setBalance(customerId, balance) {
      const customer = find(customerId);
      for (const { id } of customer.accounts) customer.balances.set(id, balance);
    },
    endConsent(customerId, as) {
      const customer = find(customerId);
      for (const { id } of customer.consents) end(customer, id, as);
    },
    setSilent(customerId, isSilent) {
      for (const connection of find(customerId).connections)
        Object.assign(connection, { hasEnded: isSilent, dataAt: isSilent ? now() : undefined });
    },
    failNext: (how = 'unavailable', times = 1) => {
      for (let count = 0; count < times; count += 1) failures.push(how);
    },
    setUnreachable: (isUnreachable, customerId = everybody) => {
      if (isUnreachable) unreachable.add(customerId);
      else unreachable.delete(customerId);
    },
    notificationOf(customerId, kind) {
      const eventId = nextId('event');
      events.set(eventId, customerId);
      const rawBody = JSON.stringify({ eventId, kind });
      const [id, sentAt] = [nextId('notification'), now().toISOString()];
      return { rawBody, headers: { 'fake-id': id, 'fake-at': sentAt, 'fake-signature': sign(rawBody) } };
    },

    async createCustomer(customer) {
      reach();
      const id = nextId('customer');
      customers.push({
        ...customer,
        id,
        consents: [],
        connections: [],
        jobs: [],
        accounts: [],
        transactions: [],
        balances: new Map(),
        refreshes: 0,
      });
      return id;
    },
    async consentLink(customerId, purpose, state) {
      reachCustomer(customerId);
      links.push({ customerId, purpose, state });
      const query = new URLSearchParams({ purpose, state });
      return new URL(`https://bank.test/consent/${customerId}?${query}`);
    },
    async listConsents(customerId) {
      reach(customerId);
      const consents = customers.find(({ id }) => id === customerId)?.consents ?? [];
      return consents.map((consent) => ({ ...consent, state: stateOf(consent) }));
    },
    async connectionsOf(customerId, accountIds) {
      const { accounts, connections } = reachCustomer(customerId);
      if (!accounts.some(({ id }) => accountIds.includes(id))) return [];
      return connections.map((connection) => ({ ...connection, dataAt: connection.dataAt ?? now() }));
    },
    findNewestJob: async (customerId) => reachCustomer(customerId).jobs[0]?.id,
    jobState: async (customerId, jobId) => reachCustomer(customerId).jobs.find(({ id }) => id === jobId)?.state,
    connectionOfJob: async (customerId, jobId) =>
      reachCustomer(customerId).jobs.some(({ id }) => id === jobId) ? `connection of ${jobId}` : undefined,
    listAccounts: async (customerId) => reachCustomer(customerId).accounts.map((account) => ({ ...account })),
    async balanceOf(customerId, accountId) {
      const { accounts, balances } = reachCustomer(customerId);
      if (!accounts.some(({ id, isAvailable }) => id === accountId && isAvailable)) return undefined;
      return balances.has(accountId) ? balances.get(accountId) : cents(1_000_00);
    },
    async transactionsSince(customerId, since) {
      const shown = reachCustomer(customerId).transactions.filter(({ day }) => day >= since);
      return shown
        .map((transaction) => ({ ...transaction }))
        .sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
    },
    async refresh(customerId) {
      reachCustomer(customerId).refreshes += 1;
    },
    async revokeConsent(customerId, consentId) {
      end(reachCustomer(customerId), consentId, 'revoked');
    },
    parseNotification(rawBody, headers, at) {
      const { 'fake-id': id, 'fake-at': sentAt, 'fake-signature': signature } = headers;
      if (!id || !sentAt || signature !== sign(rawBody)) return undefined;
      if (Math.abs(at.getTime() - new Date(sentAt).getTime()) > recentMs) return undefined;
      const { eventId, kind } = JSON.parse(rawBody);
      return { id, eventId: String(eventId), kind: String(kind) };
    },
    async customerOfEvent(eventId) {
      reach();
      return events.get(eventId);
    },
  };
}

function anAccount(id: string, number: number, overrides: Partial<BankAccountDetails>): BankAccountDetails {
  const accountNumber = String(10_000_000 + number);
  return {
    id,
    name: 'Everyday Account',
    kind: 'transaction',
    bsb: '062000',
    accountNumber,
    displayNumber: accountNumber,
    currency: 'AUD',
    isAvailable: true,
    institution: 'AU00000',
    connectionId: undefined,
    holder: undefined,
    ...overrides,
  };
}
