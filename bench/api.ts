import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getUser } from '@sparechange/contract';
import { parseConfig } from '@sparechange/server/config/config.ts';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded } from '@sparechange/server/db/embedded.ts';
import { migrate } from '@sparechange/server/db/migrate.ts';
import { loadSigningKeys } from '@sparechange/server/identity/key-files.ts';
import { openSession } from '@sparechange/server/identity/session.ts';
import { findUser, insertUser } from '@sparechange/server/identity/user-repository.ts';
import { firebaseIssuer } from '@sparechange/server/identity/verifier.ts';
import { freePort } from '@sparechange/server/providers/testing/local-server.ts';
import { loadTenants } from '@sparechange/server/tenants/load-tenants.ts';
import { aClub, aSupporter, type TestSupporter } from '@sparechange/server/testing/makers.ts';
import { after, httpPost, type Load, measureLoad } from './load.ts';
import { postgresPid, processorMs, processorMsOfAll } from './processor-time.ts';
import { median, medianRatio, rounded } from './stopwatch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const connections = 64;
// Each connection is the browser of one supporter.
const people = connections;
const roundMs = 1_000;

interface Caller extends TestSupporter {
  token: string;
}

/** Returns supporters signed in with tokens of the product's keys. */
async function someCallers(db: Pool, folder: string): Promise<Caller[]> {
  const keys = await loadSigningKeys(join(folder, 'identity-keys'));
  const { projectId } = parseConfig({}).identity;
  const issuer = { keys, issuer: firebaseIssuer(projectId), projectId };
  const clubId = await aClub(db);
  return Promise.all(
    Array.from({ length: people }, async (_, at) => {
      const supporter = await aSupporter(db, { uid: `bench-${at}`, clubId });
      await insertUser(db, { uid: supporter.uid, email: supporter.email, passwordHash: '-' });
      const user = await findUser(db, supporter.uid);
      if (!user) throw new Error('The user is gone.');
      const { idToken } = await openSession(db, issuer, user, { provider: 'password' });
      return { ...supporter, token: idToken };
    }),
  );
}

export async function startServer(
  port: number,
  path: string,
  args: string[],
  env: Record<string, string>,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${args[0]} ended with ${child.exitCode ?? child.signalCode}.`);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    if (answer) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Starts the product's API on a migrated database, with supporters who ask for themselves. */
export async function openApi(db: Pool, databaseUrl: string, folder: string) {
  const callers = await someCallers(db, folder);
  await db`vacuum analyze`;
  const port = await freePort();
  const server = await startServer(port, '/readyz', ['apps/server/dist/main.js', 'api'], {
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    METRICS_PORT: '0',
    RATE_LIMIT_FACTOR: '10000',
    SANDBOX: 'off',
  });
  const tenant = (await loadTenants(join(root, 'tenants'))).byKey('default');
  const keys = { apikey: tenant?.apikey ?? '', tenant: tenant?.tenant ?? '' };
  const requests = callers.map(({ uid, token }) =>
    httpPost(`/api${getUser.path}`, { ...keys, authorization: `Bearer ${token}` }, { userId: uid }),
  );
  return { server, callers, load: { port, connections, requests } satisfies Load };
}

/** Microseconds of processor time that an answered request takes of each process. */
interface Processor {
  server: number;
  postgres: number;
  /** What sends the requests: this process. */
  caller: number;
}

/** Sends load to one server, turn by turn. */
function measured(load: Load, server: ChildProcess, postgres: number) {
  const secondsEach: number[] = [];
  const used: Processor = { server: 0, postgres: 0, caller: 0 };
  let requests = 0;
  const times = async (): Promise<Processor> => ({
    server: await processorMs(server.pid ?? Number.NaN),
    postgres: await processorMsOfAll(postgres),
    caller: await processorMs(process.pid),
  });
  const names = Object.keys(used) as (keyof Processor)[];
  return {
    secondsEach,
    turn: async () => {
      const before = await times();
      const { perSecond, answered } = await measureLoad(load, after(roundMs));
      const now = await times();
      secondsEach.push(1 / perSecond);
      requests += answered;
      for (const name of names) used[name] += now[name] - before[name];
    },
    processorUs: () => Object.fromEntries(names.map((name) => [name, rounded((used[name] * 1_000) / requests, 0)])),
  };
}

/**
 * get-user of the whole product, as it is started, against bare Fastify with the same query: each a process of its own,
 * by turns of a second, so that what slows the machine for a while slows both. The ratio is of the time a request takes,
 * the median of neighbouring turns.
 */
export async function measureApi(rounds = 15) {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-bench-api-'));
  const database = await startEmbedded(folder);
  const db = connect(database.ownerUrl, { max: 8, name: 'sparechange bench' });
  const children: ChildProcess[] = [];
  try {
    await migrate(db);
    const api = await openApi(db, database.ownerUrl, folder);
    children.push(api.server);
    const floorPort = await freePort();
    const floorServer = await startServer(
      floorPort,
      '/',
      ['bench/api-floor.ts', database.ownerUrl, String(floorPort)],
      {},
    );
    children.push(floorServer);
    const floor: Load = {
      port: floorPort,
      connections,
      requests: api.callers.map(({ supporterId }) => httpPost('/', {}, { cdrid: supporterId })),
    };
    for (const load of [floor, api.load]) await measureLoad(load, after(2_000)); // until the code is compiled
    const postgres = await postgresPid(folder);
    const ofFloor = measured(floor, floorServer, postgres);
    const ofProduct = measured(api.load, api.server, postgres);
    for (let round = 0; round < rounds; round += 1) {
      await ofFloor.turn();
      await ofProduct.turn();
    }
    return {
      ratio: rounded(medianRatio(ofProduct.secondsEach, ofFloor.secondsEach)),
      requestsPerSecond: rounded(1 / median(ofProduct.secondsEach), 0),
      floorPerSecond: rounded(1 / median(ofFloor.secondsEach), 0),
      processorUs: { product: ofProduct.processorUs(), floor: ofFloor.processorUs() },
      connections,
      people,
    };
  } finally {
    await Promise.all(children.map(stop));
    await db.end();
    await database.release();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await measureApi(), null, 2)}\n`);
