import { type ConsoleOperation, consoleOperations } from '@sparechange/contract/console';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { inviteOperator } from '@sparechange/server/features/operators/manage-operators.ts';
import { beginSession } from '@sparechange/server/features/operators/session-repository.ts';
import { freePort } from '@sparechange/server/providers/testing/local-server.ts';
import { startServer, stop } from './api.ts';
import { makeHistory } from './audit.ts';
import { percentile, rounded, timed } from './stopwatch.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

const buckets = 4;
/** Days with three purchases of everybody, and a debit on every second one. */
const days = 10;
const calls = 20;
const limitMs = 200;

type Inputs = Record<string, Record<string, string | number | undefined>[]>;

/** Returns what each call that reads is asked: what somebody looks for, and the page that a press opens. */
async function inputsFor(pool: Pool): Promise<Inputs> {
  const [bucket = pool] = pool.inBuckets();
  const [debit] = await bucket<
    { supporterId: string; date: string; reference: string; email: string; name: string; mobile: string }[]
  >`
    select supporter_id as "supporterId", run_date as date, reference, email, last_name as name, mobile from debits join supporters using (supporter_id) limit 1`;
  if (!debit) throw new Error('There is no debit.');
  const { supporterId, date, ...known } = debit;
  const [club] = await pool<{ clubId: string }[]>`select id as "clubId" from clubs limit 1`;
  const ofClub = [{ clubId: club?.clubId }];
  const looked = [{}, ...Object.values(known).map((search) => ({ search }))];
  return {
    findClubs: [{ search: 'club 4' }],
    listPayments: [...looked, { amount: '2.40', from: '2026-11-24', to: '2026-11-30' }, { state: 'returned' }],
    listSupporters: [...looked, { state: 'on_hold' }],
    retrieveSupporter: [{ supporterId }],
    retrieveTimeline: [{ supporterId }],
    listClubs: [{ state: 'active' }, { search: 'club 4' }],
    retrieveClub: ofClub,
    retrieveBankDetailChange: ofClub,
    retrieveRun: [{ date }],
    planRun: [], // a whole run is worked out, as in `npm run bench -- --only plan`
    retrieveTenant: [{ key: 'default' }],
    listTenantVersions: [{ key: 'default' }],
    retrievePayment: [{ reference: debit.reference }],
    retrieveClubFigures: ofClub,
    listClubPayouts: ofClub.map((club) => ({ ...club, year: 2026 })),
    retrievePendingPayouts: ofClub,
    retrieveClubLink: ofClub,
  };
}

/** Signs in an owner and returns the cookie of their browser. */
async function signIn(pool: Pool): Promise<string> {
  const owner = { email: 'owner@example.com', name: 'Olive Owner', roles: ['owner' as const], clubIds: [] };
  const { id } = await inviteOperator({ db: pool, clock: { now: () => new Date() } }, owner);
  return `console=${await beginSession(pool, id, 'passkey')}`;
}

/** Asks again and again, and returns milliseconds; throws for an answer but 200. */
async function timesOf(base: string, cookie: string, { path }: ConsoleOperation, input: Inputs[string][number]) {
  const url = new URL(`${base}/console/api${path}`);
  for (const [name, value] of Object.entries(input)) if (value !== undefined) url.searchParams.set(name, String(value));
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const askedAt = performance.now();
    const answer = await fetch(url, { headers: { cookie, 'x-sparechange-console': '1' } });
    const text = await answer.text();
    times.push(performance.now() - askedAt);
    if (!answer.ok) throw new Error(`${url.pathname}${url.search} answers ${answer.status}: ${text.slice(0, 300)}`);
  }
  return times;
}

/** Left out: files, and what asks somebody else. */
const isForPage = ({ method, name }: ConsoleOperation): boolean => method === 'GET' && !/^(download|lookUp)/.test(name);

async function measure({ pool, url, folder }: SupportersDatabase) {
  for (const bucket of pool.inBuckets()) {
    await bucket`truncate round_ups, debits cascade`;
    await timed('console: history', () => makeHistory(bucket, 241 - days, 240));
  }
  const cookie = await signIn(pool);
  const inputs = await inputsFor(pool);
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const env = { PORT: String(port), DATA_DIR: folder, DATABASE_URL: url, METRICS_PORT: '0', SANDBOX: 'off' };
  const product = { ...env, BUCKETS: String(buckets), RATE_LIMIT_FACTOR: '10000' };
  const server = await startServer(port, '/readyz', ['apps/server/src/main.ts', 'api'], product);
  try {
    const rows = [];
    for (const operation of consoleOperations.filter(isForPage))
      for (const input of inputs[operation.name] ?? [{}]) {
        const times = await timesOf(base, cookie, operation, input);
        const [median, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
        rows.push({ call: operation.name, input, medianMs: rounded(median, 0), p95Ms: rounded(p95, 0) });
      }
    return rows;
  } finally {
    await stop(server);
  }
}

/** Times every call of the console that reads, on so many supporters in several buckets with a history. */
export async function measureConsole(supporters: number) {
  const rows = await withSupporters(supporters, measure, buckets);
  return { supporters, buckets, limitMs, slow: rows.filter(({ p95Ms }) => p95Ms > limitMs), rows };
}
