import { connect } from '@sparechange/server/db/connect.ts';
import { openPeers, type PeerWay } from './peer-ledgers.ts';
import { measurePaydays } from './peer-payday.ts';
import { type PeerSql, readPeers } from './peer-sql.ts';
import { postgresPid, processorMs, processorMsOfAll } from './processor-time.ts';
import { median, medianRatio, rounded, timed } from './stopwatch.ts';
import { bookCleared, listSubmitted, submitEverybody } from './submit.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

const connections = [1, 4, 20];
/** Supporters whose debits clear, a share of them in each round; peers have an equal number of accounts. */
const maxBooked = 40_000;
/** In a round, for each way of booking of a peer. */
const peerMs = 3_000;

/** Bookings a second, a round each. */
interface Rates {
  product: number[];
  /** Microseconds of processor time that the product takes for a booking, of its own process and of PostgreSQL. */
  ownUs: number[];
  postgresUs: number[];
  peers: Map<PeerWay, number[]>;
}

interface Server {
  url: string;
  /** PostgreSQL's process. */
  pid: number;
}

/** Lets the product and each way of the peers book in turn, over a number of connections. */
async function bookInTurn({ url, pid }: Server, ways: PeerWay[], shares: string[][], most: number): Promise<Rates> {
  const rates: Rates = { product: [], ownUs: [], postgresUs: [], peers: new Map(ways.map((way) => [way, []])) };
  const product = async (share: string[]) => {
    const pool = connect(url, { max: most, name: 'sparechange bench' });
    await Promise.all(Array.from({ length: most }, () => pool`select 1`)); // opens them
    const [own, postgres] = [await processorMs(process.pid), await processorMsOfAll(pid)];
    rates.product.push(await bookCleared(pool, share));
    rates.ownUs.push(((await processorMs(process.pid)) - own) * (1_000 / share.length));
    rates.postgresUs.push(((await processorMsOfAll(pid)) - postgres) * (1_000 / share.length));
    await pool.end();
  };
  const peer = async (way: PeerWay) => {
    await timed(`peers: ${way.name}, ${most} connections`, async () => {
      rates.peers.get(way)?.push(await way.rate(most, peerMs));
    });
  };
  for (const [round, share] of shares.entries()) {
    const turns = [() => product(share), ...ways.map((way) => () => peer(way))];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  return rates;
}

/** Measures what the product and the ledgers of peers book a second on the same server. */
async function measureLedgers({ pool, tenants, url, folder }: SupportersDatabase, sql: PeerSql, runs: number) {
  await submitEverybody(pool, tenants);
  const refs = await listSubmitted(pool);
  const ways = await openPeers(pool, url, sql, refs.length);
  const size = Math.floor(refs.length / (runs * connections.length));
  const shares = Array.from({ length: runs * connections.length }, (_, at) => refs.slice(at * size, (at + 1) * size));
  await pool`checkpoint`;
  const server = { url, pid: await postgresPid(folder) };
  const measured = [];
  for (const [at, most] of connections.entries()) {
    const { product, ownUs, postgresUs, peers } = await bookInTurn(
      server,
      ways,
      shares.slice(at * runs, (at + 1) * runs),
      most,
    );
    const beside = [...peers].map(([{ name }, rates]) => [
      name,
      { aSecond: rounded(median(rates), 0), productTimes: rounded(medianRatio(product, rates)) },
    ]);
    const processorUs = { own: rounded(median(ownUs), 0), postgres: rounded(median(postgresUs), 0) };
    measured.push({
      connections: most,
      productASecond: median(product),
      processorUs,
      ...Object.fromEntries(beside),
    });
  }
  return measured;
}

/** Measures the product beside other projects, with their own SQL; says why where that is not there. */
export async function measurePeers(supporters: number, runs: number) {
  const sql = await readPeers();
  if (typeof sql === 'string') return { skipped: sql };
  const booked = await withSupporters(Math.min(supporters, maxBooked), (prepared) =>
    measureLedgers(prepared, sql, runs),
  );
  return { booked, planned: await measurePaydays(sql, runs, supporters) };
}
