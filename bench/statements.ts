import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { importStatement, listStatementImports } from '@sparechange/contract/console';
import { type IsoDate, sydneyDay } from '@sparechange/domain';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded } from '@sparechange/server/db/embedded.ts';
import { migrate } from '@sparechange/server/db/migrate.ts';
import { inviteOperator } from '@sparechange/server/features/console/operators/manage-operators.ts';
import { beginSession } from '@sparechange/server/features/console/operators/session-repository.ts';
import { openApi, stop } from './api.ts';
import { after, type Load } from './load.ts';
import { makePayouts, writeCamt053, writeCsv } from './statement-files.ts';
import { percentile, rounded, timed } from './stopwatch.ts';

const lines = 100_000;
const limitSeconds = 20;
const limitRatio = 1.5;
/** A call of a supporter each so often, however long the one before takes. */
const everyMs = 20;
const idleMs = 10_000;

/** Sends a whole request and reads its answer; returns milliseconds. */
async function callOnce(agent: Agent, { port }: Load, whole: Buffer): Promise<number> {
  const [head = '', body = ''] = whole.toString().split('\r\n\r\n');
  const [, ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(fields.map((field) => field.split(': ') as [string, string]));
  const { pathname } = new URL(head.split(' ')[1] ?? '', 'http://localhost');
  const askedAt = performance.now();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request({ agent, host: '127.0.0.1', port, method: 'POST', path: pathname, headers }, (answer) =>
      answer.resume().once('end', () => resolve(answer.statusCode)),
    );
    call.once('error', reject).end(body);
  });
  if (status !== 200) throw new Error(`get-user answers ${status}.`);
  return performance.now() - askedAt;
}

/** Calls get-user at a steady pace until it is over; returns milliseconds of each call. */
async function paced(load: Load, isOver: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const calls: Promise<number>[] = [];
  const startedAt = performance.now();
  while (!isOver()) {
    const { requests } = load;
    calls.push(callOnce(agent, load, requests[calls.length % requests.length] ?? Buffer.alloc(0)));
    await wait(Math.max(0, startedAt + calls.length * everyMs - performance.now()));
  }
  const times = await Promise.all(calls);
  agent.destroy();
  return times;
}

/** Signs somebody in now: an import asks who they are again after five minutes. */
async function signIn(pool: Pool): Promise<string> {
  const email = `finance.${randomUUID()}@example.com`;
  const person = { email, name: 'Pat Finance', roles: ['finance' as const], clubIds: [] };
  const { id } = await inviteOperator({ db: pool, clock: { now: () => new Date() } }, person);
  return `console=${await beginSession(pool, id, 'passkey')}`;
}

/**
 * Imports a file that is packed already, as the console does, and waits for its result however long it takes. A browser
 * packs on a machine of its own; here it would hold up the calls of supporters.
 */
async function importFile(port: number, cookie: string, packed: string, answers: Record<string, unknown>) {
  const headers = { cookie, 'x-sparechange-console': '1', 'content-type': 'application/json' };
  const base = `http://localhost:${port}/console/api`;
  const startedAt = performance.now();
  const answer = await fetch(`${base}${importStatement.path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ fileName: 'bench', content: packed, packing: 'gzip', ...answers }),
  });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(`The import answers ${answer.status}: ${JSON.stringify(body)}`);
  let result = importStatement.output.parse(body);
  while ('underWay' in result) {
    await wait(200);
    const listed = await fetch(`${base}${listStatementImports.path}`, { headers });
    const [last] = listStatementImports.output.parse(await listed.json()).imports;
    if (last?.problem || last?.state === 'failed') throw new Error(`The import failed: ${last.problem}`);
    if (last?.result) result = last.result;
  }
  return { seconds: (performance.now() - startedAt) / 1_000, ...result };
}

interface Running {
  load: Load;
  db: Pool;
}

/** Imports a file while supporters call; the calls before and after it are those of an idle product. */
async function measureFile({ load, db }: Running, content: string, answers: Record<string, unknown>) {
  const packed = gzipSync(content).toString('base64');
  const before = await paced(load, after(idleMs));
  const cookie = await signIn(db);
  let isOver = false;
  const meanwhile = paced(load, () => isOver);
  const imported = await importFile(load.port, cookie, packed, answers).finally(() => {
    isOver = true;
  });
  const during = await meanwhile;
  const idle = [...before, ...(await paced(load, after(idleMs)))];
  const p95 = (times: number[]) => percentile(times, 0.95);
  const { seconds, lines: read, added, matched } = imported;
  const measured = {
    seconds: rounded(seconds),
    limitSeconds,
    lines: read,
    added,
    matched,
    getUserP95Ms: { idle: rounded(p95(idle), 1), meanwhile: rounded(p95(during), 1) },
    getUserLongestMs: { idle: rounded(Math.max(...idle), 0), meanwhile: rounded(Math.max(...during), 0) },
    ratio: rounded(p95(during) / p95(idle)),
    limitRatio,
    fileMb: rounded(content.length / 1_048_576, 1),
    packedMb: rounded(packed.length / 1_048_576, 1),
  };
  process.stderr.write(`${JSON.stringify(measured)}\n`);
  return measured;
}

/** Statements of 100,000 payouts, imported and matched by the running product through the console's call. */
export async function measureStatements() {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-bench-statements-'));
  const database = await startEmbedded(folder);
  const db = connect(database.ownerUrl, { max: 4, name: 'sparechange bench' });
  try {
    await migrate(db);
    const { server, load } = await openApi(db, database.ownerUrl, folder);
    try {
      const running = { load, db };
      const last: IsoDate = sydneyDay(new Date());
      await paced(load, after(3_000)); // until the code is compiled
      let camt = '';
      await timed('payouts and their statement', async () => {
        camt = writeCamt053(await makePayouts(db, lines, 0), last, '062000123456789');
        await db`vacuum analyze`;
      });
      const camt053 = await measureFile(running, camt, {});
      const csvFile = writeCsv(await makePayouts(db, lines, 1), last);
      await db`vacuum analyze`;
      const csv = await measureFile(running, csvFile, { account: '55554321', isNewAccount: true });
      const again = await measureFile(running, camt, {});
      return { camt053, csv, again };
    } finally {
      await stop(server);
    }
  } finally {
    await db.end();
    await database.release();
    await rm(folder, { recursive: true, force: true });
  }
}
