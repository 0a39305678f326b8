import { type ConsoleOperation, consoleOperations, followChanges, type Role } from '@sparechange/contract/console';
import { addDays } from '@sparechange/domain';
import { operatorsChain } from '@sparechange/server/audit/audit-log.ts';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { countChanges } from '@sparechange/server/features/console/monitoring/answer-changes.ts';
import { inviteOperator } from '@sparechange/server/features/console/operators/manage-operators.ts';
import { beginSession } from '@sparechange/server/features/console/operators/session-repository.ts';
import { closeAndRollUp } from '@sparechange/server/features/disbursements/remittances/close-and-roll-up.ts';
import { freePort } from '@sparechange/server/providers/testing/local-server.ts';
import { startServer, stop } from './api.ts';
import { lastDay, makeHistory } from './audit.ts';
import { percentile, rounded, timed } from './stopwatch.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

const buckets = 4;
/** Days with three purchases of everybody, and a debit on every second one. */
const days = 10;
/** Days that are not rolled up: the most there are, on a Monday morning. */
const openDays = 4;
/** Acts of operators in the audit log: ten people's for a year. */
const operatorsActs = 100_000;
const calls = 20;
const limitMs = 200;

type Input = Record<string, string | number>;

/** Returns what a call is asked with nothing but the fields that it cannot do without. */
function leastInput({ name, input }: ConsoleOperation, known: Input): Input {
  const missing = input.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? [];
  return Object.fromEntries(
    missing.map((field) => {
      const value = known[field];
      if (value === undefined) throw new Error(`${name} needs ${field}: give it a value in bench/console.ts.`);
      return [field, value];
    }),
  );
}

/** Returns what each call that reads is asked: with the least that it needs, and by an owner what somebody looks for. */
async function inputsFor(pool: Pool, clubId: string): Promise<(operation: ConsoleOperation, role: Role) => Input[]> {
  const [bucket = pool] = pool.inBuckets();
  const [debit] = await bucket<{ supporterId: string; date: string; reference: string; email: string; name: string }[]>`
    select supporter_id as "supporterId", run_date as date, reference, email, last_name as name
    from debits join supporters using (supporter_id) limit 1`;
  if (!debit) throw new Error('There is no debit.');
  const { supporterId, date, reference, email, name } = debit;
  const known = {
    clubId,
    supporterId,
    date,
    day: date,
    month: date.slice(0, 7),
    year: 2026,
    reference,
    key: 'default',
    search: 'club 4',
  };
  const sought = [supporterId, date, reference, email].map((search) => ({ search }));
  const more: Record<string, Input[]> = {
    listPayments: [...sought, { amount: '2.40', from: '2026-11-24', to: '2026-11-30' }, { state: 'returned' }],
    listSupporters: [...sought, { search: name }, { state: 'on_hold' }],
    listClubs: [{ state: 'active' }, { search: 'club 4' }],
    listAuditEntries: [{ search: supporterId }, { search: 'nowhere' }, { from: date, to: date }, { supporterId }],
  };
  return (operation, role) => [leastInput(operation, known), ...(role === 'owner' ? (more[operation.name] ?? []) : [])];
}

/** Fills the audit log with looks at supporters, one each five minutes until now; one in a hundred was refused. */
async function makeAuditEntries(pool: Pool): Promise<void> {
  for (let number = operatorsActs; number > 0; number -= 1_000)
    await pool`
      with looks as (
        insert into audit_log (supporter_id, at, actor, action, details)
        select ${operatorsChain}, now() - number * interval '5 min', 'operator', 'console retrieveSupporter',
          jsonb_build_object('operator', ${operatorsChain}::text, 'supporterId', gen_random_uuid())
        from generate_series(${number}::int, ${number - 999}::int, -1) number
        returning id, at, details
      )
      insert into audit_log (supporter_id, at, actor, action, details)
      select ${operatorsChain}, at, 'operator', 'console retrieveSupporter refused',
        details || jsonb_build_object('call', id, 'refusal', 'not_allowed')
      from looks where random() < 0.01`;
  await pool`vacuum analyze audit_log`;
}

/** Roles whose answers come of different SQL. */
const askingRoles = ['owner', 'viewer', 'treasurer'] as const satisfies readonly Role[];

async function findClub(pool: Pool): Promise<string> {
  const [club] = await pool<{ id: string }[]>`select id from clubs limit 1`;
  if (!club) throw new Error('There is no club.');
  return club.id;
}

/** Signs in somebody with a role, a treasurer of this club, and returns the cookie of their browser. */
async function signIn(pool: Pool, role: Role, clubId: string): Promise<string> {
  const clubIds = role === 'treasurer' ? [clubId] : [];
  const person = { email: `${role}@example.com`, name: `Pat ${role}`, roles: [role], clubIds };
  const { id } = await inviteOperator({ db: pool, clock: { now: () => new Date() } }, person);
  return `console=${await beginSession(pool, id, 'passkey')}`;
}

/** Repeats work, and returns milliseconds. */
async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const beganAt = performance.now();
    await work();
    times.push(performance.now() - beganAt);
  }
  return times;
}

/** Asks for an answer and reads it to its end; throws for another status than 200. */
async function ask(base: string, cookie: string, { path }: ConsoleOperation, input: Input): Promise<void> {
  const url = new URL(`${base}/console/api${path}`);
  for (const [name, value] of Object.entries(input)) url.searchParams.set(name, String(value));
  const answer = await fetch(url, { headers: { cookie, 'x-sparechange-console': '1' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url.pathname}${url.search} answers ${answer.status}: ${text.slice(0, 300)}`);
}

const rowOf = (call: string, role: Role, input: Input, times: number[]) => {
  const [median, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  return { call, role, input, medianMs: rounded(median, 0), p95Ms: rounded(p95, 0) };
};

/**
 * Left out: files, what asks somebody else, texts of emails and direct debit requests, of which the seed has none, and
 * a whole run worked out, which `npm run bench -- --only plan` measures.
 */
const isForPage = ({ method, name }: ConsoleOperation): boolean =>
  method === 'GET' && !/^(download|lookUp|previewMail|retrieveRequestText|planRun)/.test(name);

/** Returns whether a role asks it; what is everybody's is asked by the owner alone. */
const isAsked = ({ allowed }: ConsoleOperation, role: Role): boolean =>
  role === 'owner' || (typeof allowed !== 'string' && allowed.includes(role));

async function measure({ pool, url, folder }: SupportersDatabase) {
  for (const bucket of pool.inBuckets()) {
    await bucket`truncate round_ups, debits cascade`;
    await timed('console: history', () => makeHistory(bucket, 241 - days, 240));
  }
  await closeAndRollUp(pool, addDays(lastDay, -openDays));
  await timed('console: audit log', () => makeAuditEntries(pool));
  const clubId = await findClub(pool);
  const cookies = new Map<Role, string>();
  for (const role of askingRoles) cookies.set(role, await signIn(pool, role, clubId));
  const inputs = await inputsFor(pool, clubId);
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const env = { PORT: String(port), DATA_DIR: folder, DATABASE_URL: url, METRICS_PORT: '0', SANDBOX: 'off' };
  const product = { ...env, BUCKETS: String(buckets), RATE_LIMIT_FACTOR: '10000' };
  const server = await startServer(port, '/readyz', ['apps/server/dist/main.js', 'api'], product);
  try {
    // A process asks the database this every five seconds while somebody follows a page.
    const rows = [rowOf(followChanges.name, 'owner', {}, await timesOf(() => countChanges(pool)))];
    for (const [role, cookie] of cookies)
      for (const operation of consoleOperations.filter((each) => isForPage(each) && isAsked(each, role)))
        for (const input of inputs(operation, role))
          rows.push(rowOf(operation.name, role, input, await timesOf(() => ask(base, cookie, operation, input))));
    return rows;
  } finally {
    await stop(server);
  }
}

/** Times every read call of the console, on the given number of supporters with a history, in several buckets. */
export async function measureConsole(supporters: number) {
  const rows = await withSupporters(supporters, measure, { buckets });
  return { supporters, buckets, limitMs, slow: rows.filter(({ p95Ms }) => p95Ms > limitMs), rows };
}
