import { addDays, type IsoDate } from '@sparechange/domain';
import type { BankLink, BankTransaction } from '#ports/bank-link.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { ProviderLog, SendOptions } from '#providers/outgoing/send.ts';
import {
  AccountAnswer,
  ConnectionAnswer,
  ConsentAnswer,
  EventAnswer,
  JobAnswer,
  TransactionAnswer,
  UserAnswer,
} from './answers.ts';
import { BasiqRefused, basiqClient } from './client.ts';
import {
  actionOf,
  connectionOf,
  internationalMobile,
  isJobOf,
  newestJob,
  toAccount,
  toBalance,
  toConnection,
  toConsent,
  toJobState,
  toTransaction,
} from './translate.ts';
import { readNotification } from './webhook.ts';

export interface BasiqOptions extends Omit<SendOptions, 'provider'> {
  /** `https://au-api.basiq.io` */
  apiUrl: string;
  /** `https://consent.basiq.io/home` */
  consentUrl: string;
  /** Used unchanged: Basiq gives it out in base64 already. */
  apiKey: string;
  /** `whsec_…`, of the one webhook subscription. */
  webhookSecret: string;
  now?: () => Date;
  /** A connection used more recently is not refreshed. */
  refreshAfterMs?: number;
  log?: ProviderLog | undefined;
}

/** Rows that Basiq reads at most a page. */
const rowsPerPage = '500';

/** A day in Sydney begins on the day before in UTC, by which Basiq filters; one more day in case a bound is left out. */
const filterOverlapDays = 2;

/**
 * Basiq fetches every connection once a night where that is switched on; what it has fetched within 20 hours is not
 * asked for again, which keeps far below its limit of 20 refreshes a day.
 */
const twentyHoursMs = 20 * 3_600_000;

const encode = encodeURIComponent;

/** Open banking through Basiq's API v3. */
export function basiqBankLink(options: BasiqOptions): BankLink {
  const { consentUrl, webhookSecret, log, now = () => new Date(), refreshAfterMs = twentyHoursMs } = options;
  const client = basiqClient({ ...options, now });
  const user = (customerId: string): string => `/users/${encode(customerId)}`;

  const listJobs = (customerId: string) =>
    client.list(JobAnswer, { purpose: 'list the jobs', path: `${user(customerId)}/jobs` });

  return {
    async createCustomer({ email, mobile, firstName, lastName }) {
      const international = internationalMobile(mobile);
      if (!international) throw new ProviderRefused('the mobile number is not an Australian one of ten digits');
      const body = { email, mobile: international, firstName, lastName };
      const purpose = 'make a customer';
      return (await client.read(UserAnswer, { purpose, method: 'POST', path: '/users', body })).id;
    },

    async consentLink(customerId, purpose, state) {
      const link = new URL(consentUrl);
      link.searchParams.set('token', await client.clientToken(customerId));
      const action = actionOf[purpose];
      if (action !== undefined) link.searchParams.set('action', action);
      link.searchParams.set('state', state);
      return link;
    },

    async listConsents(customerId) {
      const purpose = 'list the consents';
      const rows = await unlessGone(client.list(ConsentAnswer, { purpose, path: `${user(customerId)}/consents` }));
      const consents = (rows ?? []).map(toConsent);
      const isActive = consents.some((consent) => consent?.state === 'active' && consent.expiresAt > now());
      if (!isActive && consents.includes(undefined))
        throw new ProviderUnavailable(`Basiq listed a consent that is not understood when asked to ${purpose}`);
      return consents.filter((consent) => consent !== undefined);
    },

    async connectionsOf(customerId, accountIds) {
      if (accountIds.length === 0) return [];
      const all = (await listConnections(customerId)).filter(({ status }) => status !== 'deleted');
      return (all.length > 1 ? await thoseWith(accountIds, all, customerId) : all).map(toConnection);
    },

    async findNewestJob(customerId) {
      return newestJob(await listJobs(customerId))?.id;
    },

    async jobState(customerId, jobId) {
      const job = await findJob(customerId, jobId);
      return job && toJobState(job);
    },

    async connectionOfJob(customerId, jobId) {
      const job = await findJob(customerId, jobId);
      return job && connectionOf(job, customerId);
    },

    async listAccounts(customerId) {
      return (await client.list(AccountAnswer, accountsOf(customerId))).map(toAccount);
    },

    async balanceOf(customerId, accountId) {
      const path = `${user(customerId)}/accounts/${encode(accountId)}`;
      const answer = await unlessGone(
        client.read(AccountAnswer, { purpose: 'get an account', path }),
        unknownIdStatuses,
      );
      return answer && toBalance(answer);
    },

    async transactionsSince(customerId, since) {
      const rows = await client.list(TransactionAnswer, {
        purpose: 'list the transactions',
        path: `${user(customerId)}/transactions`,
        query: { limit: rowsPerPage, filter: `transaction.postDate.gteq('${addDays(since, -filterOverlapDays)}')` },
      });
      return inPostedOrder(rows, since);
    },

    async refresh(customerId) {
      const freshSince = now().getTime() - refreshAfterMs;
      const isStale = ({ status, lastUsed }: ConnectionAnswer) =>
        status === 'active' && !(Date.parse(lastUsed ?? '') > freshSince);
      for (const { id } of (await listConnections(customerId)).filter(isStale)) {
        // While one is under way Basiq answers with its job instead of starting another.
        const refresh = { purpose: 'refresh a connection', method: 'POST', isRepeatable: true } as const;
        await client.call({ ...refresh, path: `${user(customerId)}/connections/${encode(id)}/refresh` });
      }
    },

    async revokeConsent(customerId, consentId) {
      const path = `${user(customerId)}/consents/${encode(consentId)}`;
      await unlessGone(client.call({ purpose: 'revoke a consent', method: 'DELETE', path }));
    },

    parseNotification: (rawBody, headers, at) => readNotification(webhookSecret, rawBody, headers, at),

    async customerOfEvent(eventId) {
      const purpose = 'get an event';
      const asked = client.read(EventAnswer, { purpose, path: `/events/${encode(eventId)}` });
      const event = await unlessGone(asked, unknownIdStatuses);
      return event?.userId ?? undefined;
    },
  };

  async function findJob(customerId: string, jobId: string): Promise<JobAnswer | undefined> {
    if (!/^[\w-]{1,64}$/.test(jobId)) return undefined;
    const listed = (await listJobs(customerId)).find(({ id }) => id === jobId);
    if (listed) return listed;
    // The list goes back seven days only; an older job still says whose it is.
    const asked = client.read(JobAnswer, { purpose: 'get a job', path: `/jobs/${encode(jobId)}` });
    const job = await unlessGone(asked, unknownIdStatuses);
    return job && isJobOf(job, customerId) ? job : undefined;
  }

  function accountsOf(customerId: string) {
    return { purpose: 'list the accounts', path: `${user(customerId)}/accounts` };
  }

  function listConnections(customerId: string): Promise<ConnectionAnswer[]> {
    return client.list(ConnectionAnswer, { purpose: 'list the connections', path: `${user(customerId)}/connections` });
  }

  async function thoseWith(accountIds: string[], connections: ConnectionAnswer[], customerId: string) {
    const accounts = await client.list(AccountAnswer, accountsOf(customerId));
    const wanted = accounts.filter(({ id }) => accountIds.includes(id)).map(({ connection }) => connection);
    return connections.filter(({ id }) => wanted.includes(id));
  }

  /** Each once, in the order they were posted: pages may overlap, and Basiq does not promise an order. */
  function inPostedOrder(rows: TransactionAnswer[], since: IsoDate): BankTransaction[] {
    const byId = new Map<string, BankTransaction & { at: Date }>();
    for (const row of rows) {
      const transaction = toTransaction(row, now());
      if (transaction === undefined) {
        log?.warn({ provider: 'Basiq', transactionId: row.id }, 'A transaction has no exact amount or no day.');
      } else if (transaction.day >= since) byId.set(transaction.id, transaction);
    }
    return [...byId.values()]
      .sort((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))
      .map(({ at, ...transaction }) => transaction);
  }
}

const goneStatuses = [404, 410];
/** Basiq refuses malformed ids with 400. */
const unknownIdStatuses = [400, ...goneStatuses];

/** Returns undefined instead of a refusal because it is gone. */
async function unlessGone<Answer>(asked: Promise<Answer>, statuses = goneStatuses): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BasiqRefused && statuses.includes(error.status)) return undefined;
    throw error;
  }
}
