import { randomUUID } from 'node:crypto';
import type { ErrorBody, InputOf, Operation, OutputOf } from '@sparechange/contract';
import { noCents } from '@sparechange/domain';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '#app.ts';
import type { AppDeps } from '#app-deps.ts';
import type { Pool } from '#db/connect.ts';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { emailComposer } from '#features/correspondence/emails/compose-email.ts';
import { saveConfirmedJob } from '#features/supporters/consents/consent-link-repository.ts';
import { externalSessions } from '#features/supporters/identity/sessions.ts';
import { retryFailedJobs } from '#jobs/retry-dead-letters.ts';
import type { Provider } from '#ports/notifier.ts';
import { webhookReceivers } from '#providers/webhook-receivers/index.ts';
import { approvedActs } from '#runtime/approved-acts.ts';
import { addBusinessMetrics } from '#runtime/business-metrics.ts';
import { makeParts } from '#runtime/make-parts.ts';
import { type ProductMetrics, productMetrics } from '#telemetry/product-metrics.ts';
import { aDatabase, type Layout, type TestDatabase } from './database.ts';
import { type FakeBankLink, fakeBankLink } from './fake-bank-link.ts';
import { fakeCheckpointFile } from './fake-checkpoint-file.ts';
import { type FakeDirectDebit, fakeDirectDebit } from './fake-direct-debit.ts';
import {
  aClock,
  aSupporter,
  aTenant,
  type SupporterOverrides,
  silentLog,
  someTenants,
  type TestClock,
  type TestSupporter,
  testKey,
} from './makers.ts';

export interface Answer<Body = unknown> {
  status: number;
  /** Body of an answer or refusal: tests know which. */
  body: Body & ErrorBody;
  headers: Record<string, unknown>;
}

/** The caller; without a `uid` nobody is signed in. */
export interface Caller {
  uid?: string | undefined;
  tenant?: string;
  headers?: Record<string, string>;
}

export interface AppUnderTest extends AppDeps {
  app: FastifyInstance;
  database: TestDatabase;
  /** Reads and writes for the test itself, in all buckets as if they were one. */
  rows: Pool;
  clock: TestClock;
  log: typeof silentLog;
  metrics: ProductMetrics;
  bankLink: FakeBankLink;
  directDebit: FakeDirectDebit;
  callsInFlight: number;
  /** The work asked of the worker, in order. */
  asked: string[];
  /** Calls an operation as the browser does. */
  call<Op extends Operation>(operation: Op, input: InputOf<Op>, caller?: Caller): Promise<Answer<OutputOf<Op>>>;
  /** Calls an operation with any body. */
  send(operation: Operation, body: unknown, caller?: Caller): Promise<Answer>;
  /** Makes a consenting supporter with a funding account, by default. */
  supporter(overrides?: SupporterOverrides): Promise<TestSupporter & { jobId: string }>;
  close(): Promise<void>;
}

const seconds = () => Math.floor(Date.now() / 1000);

const testSites = {
  productUrl: 'https://sparechange.example',
  productDomain: 'sparechange.example',
  tenantRule: 'provider-domain',
  consoleUrl: 'https://console.sparechange.example/console',
} as const;

/** Club of the ended campaign; tests make it when needed. */
export const endedClubId = 'e0e0e0e0-0000-4000-8000-000000000001';

/** The API over a database of its own and the fakes of the ports. Its ID tokens are uids; the token "expired" is refused. */
export async function anApp(
  changes: Partial<AppDeps> = {},
  options: FastifyServerOptions = {},
  buckets?: number,
  layout?: Layout,
): Promise<AppUnderTest> {
  const database = await aDatabase(buckets, layout);
  const clock = aClock();
  const now = () => clock.now();
  const asked: string[] = [];
  const tenants =
    changes.tenants ??
    someTenants(
      aTenant(),
      aTenant({ key: 'riverside-rovers' }),
      aTenant({ key: 'ended', endsOn: '2026-11-25', clubID: endedClubId }),
    );
  const deps = {
    ...makeParts({ db: database.pool, tenants, dataKeys: [testKey], site: testSites }),
    db: database.pool,
    clock,
    log: silentLog,
    metrics: addBusinessMetrics(productMetrics(database.pool), database.pool, clock),
    bankLink: fakeBankLink({ now }),
    directDebit: fakeDirectDebit({ now }),
    checkpointFile: fakeCheckpointFile(),
    tenants,
    mintHandOffToken: async ({ uid, host }: { uid: string; host: string }) => `${uid} at ${host}`,
    verifyIdToken: async (token: string) =>
      token === 'expired'
        ? undefined
        : { uid: token, email: `${token}@Example.com`, authTime: seconds(), issuedAt: seconds() },
    removeUser: async () => 'not ours' as const,
    sessions: externalSessions(database.pool),
    enqueue: {
      handleNotifications: async (provider: Provider) => void asked.push(`handle notifications of ${provider}`),
      sendMails: async () => void asked.push('send mails'),
    },
    productUrl: testSites.productUrl,
    retryFailedJobs: (id?: string) => retryFailedJobs(database.pool, database.url, id),
    webhookReceivers: webhookReceivers({ isLocalAllowed: true, timeoutMs: 300 }),
    statementName: 'SPARECHANGE',
    debitCostCents: noCents,
    mainTenant: 'default',
    mailFrom: 'us@example.com',
    callsInFlight: 32,
  };
  const config = {
    statementName: deps.statementName,
    callsInFlight: 1,
    mailFrom: 'us@example.com',
    isProduction: true,
  };
  const acts = approvedActs({ ...deps, ...changes, config });
  const composeMail = emailComposer({
    ...deps,
    graceDays: 30,
    renewalToken: deps.renewalLinks.token,
    campaignEnd: (supporter) => campaignEnd(deps.db, deps.tenants, supporter),
    isNoticeDue: async () => true,
  });
  const app = buildApp({ ...deps, acts, composeMail, ...changes }, options);
  const sendTo = async <Body>(operation: Operation, body: unknown, caller: Caller = {}): Promise<Answer<Body>> => {
    const { uid, tenant = 'default', headers } = caller;
    const isGet = operation.method === 'GET';
    const response = await app.inject({
      method: operation.method,
      url: `/api${operation.path}`,
      headers: {
        apikey: `apikey-of-tenant-${tenant}`,
        tenant: tenant.replaceAll('-', '_'),
        ...(uid === undefined ? {} : { authorization: `Bearer ${uid}` }),
        ...(isGet ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(isGet ? { query: body as Record<string, string> } : { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: response.json<Body & ErrorBody>(), headers: response.headers };
  };
  return {
    ...deps,
    db: changes.db ?? deps.db,
    acts,
    composeMail,
    app,
    database,
    rows: database.rows,
    asked,
    send: sendTo,
    call: sendTo,
    supporter: async (overrides = {}) => {
      const email = `${randomUUID()}@example.com`;
      const bankCustomerId = await deps.bankLink.createCustomer({
        email,
        mobile: '0400000000',
        firstName: 'Robin',
        lastName: 'Banks',
      });
      const jobId = deps.bankLink.connect(bankCustomerId);
      const supporter = await aSupporter(deps.db, {
        bankCustomerId,
        providerAccountId: deps.bankLink.customers.at(-1)?.accounts[0]?.id ?? '',
        email,
        directDebit: deps.directDebit,
        ...overrides,
      });
      const confirmed = { jobId, connectionId: undefined, at: now() };
      await saveConfirmedJob(deps.db.of(supporter.supporterId), supporter.supporterId, confirmed);
      return { ...supporter, jobId };
    },
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

/** A test file's app, made before and closed after it. */
export function ownApp(
  changes: Partial<AppDeps> = {},
  options: FastifyServerOptions = {},
  buckets?: number,
  layout?: Layout,
): AppUnderTest {
  const api = {} as AppUnderTest;
  beforeAll(async () => {
    Object.assign(api, await anApp(changes, options, buckets, layout));
  });
  afterAll(() => api.close());
  return api;
}
