import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { makePeerDatabase, type PeerSql } from './peer-sql.ts';
import { numbers } from './purchases.ts';

/** Transfers of a call that books several: as many as the product books outcomes together. */
const together = 500;
const mostCents = 1_000; // of a transfer
/** Until connections are open and their statements planned. */
const warmUpMs = 200;

/** One way of booking with a peer's functions. */
export interface PeerWay {
  name: string;
  /** Books for a number of clients until the time is over; returns transfers a second. */
  rate(clients: number, forMs: number): Promise<number>;
}

interface Transfers<Account> {
  from: Account[];
  to: Account[];
  amounts: number[];
}

/** Makes random transfers, each between two of the accounts. */
function transfersOf<Account>(accounts: Account[], random: Iterator<number, never>, count: number): Transfers<Account> {
  const made: Transfers<Account> = { from: [], to: [], amounts: [] };
  const below = (limit: number) => Math.floor((random.next().value / 2 ** 32) * limit);
  for (let at = 0; at < count; at += 1) {
    const one = below(accounts.length);
    const other = (one + 1 + below(accounts.length - 1)) % accounts.length;
    made.from.push(accounts[one] as Account);
    made.to.push(accounts[other] as Account);
    made.amounts.push(1 + below(mostCents));
  }
  return made;
}

interface Calls<Account> {
  address: string;
  accounts: Account[];
  /** Transfers of a call; with "clients" one connection books together what each client waits for. */
  size: number | 'clients';
  /** Books transfers in one committed statement; returns how many. */
  book(db: Pool, transfers: Transfers<Account>): Promise<number>;
}

/**
 * Makes a way of booking. Each connection has accounts of its own, so that none waits for another's lock or meets it in
 * a deadlock.
 */
function wayOf<Account>(name: string, { address, accounts, size, book }: Calls<Account>): PeerWay {
  const rate = async (clients: number, forMs: number) => {
    const [workers, count] = size === 'clients' ? [1, clients] : [clients, size];
    const db = connect(address, { max: workers, name: 'sparechange bench' });
    const share = Math.floor(accounts.length / workers);
    const randoms = Array.from({ length: workers }, (_, at) => numbers(at + 1));
    const bookUntil = async (until: number) => {
      const done = randoms.map(async (random, at) => {
        const own = accounts.slice(at * share, (at + 1) * share);
        let booked = 0;
        while (performance.now() < until) booked += await book(db, transfersOf(own, random, count));
        return booked;
      });
      return (await Promise.all(done)).reduce((sum, booked) => sum + booked, 0);
    };
    await bookUntil(performance.now() + warmUpMs);
    const start = performance.now();
    const booked = await bookUntil(start + forMs);
    const seconds = (performance.now() - start) / 1_000;
    await db.end();
    return booked / seconds;
  };
  return { name, rate };
}

/** Makes pgledger's database with accounts that may be overdrawn, as its own check of performance makes them. */
async function openPgledger(pool: Pool, url: string, sql: PeerSql, accounts: number): Promise<PeerWay[]> {
  const address = await makePeerDatabase(pool, url, 'pgledger', sql.pgledger);
  const db = connect(address, { max: 1, name: 'sparechange bench' });
  const made = await db<{ id: string }[]>`
    select account.id from generate_series(1, ${accounts}::int) n, pgledger_create_account('account ' || n, 'AUD') account`;
  await db`vacuum analyze`;
  await db.end();
  const accountsOf = { address, accounts: made.map(({ id }) => id) };
  const book = async (on: Pool, { from, to, amounts }: Transfers<string>) => {
    const booked = await on`
      select id from pgledger_create_transfers((
        select array_agg(row(source, target, amount)::transfer_request)
        from unnest(${from}::text[], ${to}::text[], ${amounts}::numeric[]) as wanted (source, target, amount)))`;
    return booked.length;
  };
  return [
    wayOf('pgledger', { ...accountsOf, size: 1, book }),
    wayOf(`pgledger, ${together} a call`, { ...accountsOf, size: together, book }),
  ];
}

/** Makes tb-perf's database with accounts that its settings give so much that no transfer is refused. */
async function openTbPerf(pool: Pool, url: string, sql: PeerSql, accounts: number): Promise<PeerWay[]> {
  const address = await makePeerDatabase(pool, url, 'tb_perf', sql.tbPerf);
  const db = connect(address, { max: 1, name: 'sparechange bench' });
  await db`insert into accounts (id, balance) select n, 1000000 from generate_series(1, ${accounts}::int) n`;
  await db`vacuum analyze`;
  await db.end();
  const accountsOf = { address, accounts: Array.from({ length: accounts }, (_, at) => at + 1) };
  const atomic = async (on: Pool, { from: [from], to: [to], amounts: [amount] }: Transfers<number>) => {
    await on`select transfer_atomic(${from ?? 0}::bigint, ${to ?? 0}::bigint, ${amount ?? 0}::bigint)`; // throws if it refuses
    return 1;
  };
  const batch = async (on: Pool, { from, to, amounts }: Transfers<number>) => {
    const [results] = await on<{ booked: number }[]>`
      select count(*) filter (where result = 0) as booked
      from unnest(batch_transfers(${from}::bigint[], ${to}::bigint[], ${amounts}::bigint[])) result`;
    return results?.booked ?? 0;
  };
  return [
    wayOf('tb-perf transfer_atomic', { ...accountsOf, size: 1, book: atomic }),
    wayOf('tb-perf batch_transfers', { ...accountsOf, size: 'clients', book: batch }),
    wayOf(`tb-perf batch_transfers, ${together} a call`, { ...accountsOf, size: together, book: batch }),
  ];
}

/** Makes the peers' databases on the product's server; returns each way of booking there. */
export const openPeers = async (pool: Pool, url: string, sql: PeerSql, accounts: number): Promise<PeerWay[]> => [
  ...(await openPgledger(pool, url, sql, accounts)),
  ...(await openTbPerf(pool, url, sql, accounts)),
];
