import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';

/** The peers' files that are used, below PEERS_DIR; each stands in a folder with its repository's name. */
const peerFiles = {
  pgledger: [
    'pgledger/vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
    'pgledger/vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
    'pgledger/pgledger.sql',
  ],
  tbPerf: ['tb-perf/scripts/init-postgresql.sql'],
  gratipay: ['gratipay.com/sql/schema.sql', 'gratipay.com/sql/payday.sql', 'gratipay.com/gratipay/billing/payday.py'],
};

export type PeerName = keyof typeof peerFiles;
/** The text of each peer's files, in their order. */
export type PeerSql = Record<PeerName, string[]>;

/** Reads the peers' files, or returns a sentence that says why they cannot be read. */
export async function readPeers(folder = process.env.PEERS_DIR): Promise<PeerSql | string> {
  if (!folder) return 'PEERS_DIR is not set; docs/performance.md says what it leads to.';
  const read = (files: string[]) => Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  try {
    const { pgledger, tbPerf, gratipay } = peerFiles;
    return { pgledger: await read(pgledger), tbPerf: await read(tbPerf), gratipay: await read(gratipay) };
  } catch (error) {
    return `PEERS_DIR lacks a file that docs/performance.md names: ${(error as Error).message}.`;
  }
}

/** Makes a database on the product's server, alike in every setting, and runs a peer's files in it; returns its address. */
export async function makePeerDatabase(pool: Pool, url: string, database: string, files: string[]): Promise<string> {
  await pool.unsafe(`create database ${database}`);
  const target = new URL(url);
  target.pathname = `/${database}`;
  const address = target.href;
  // The settings of a dump last as long as its session.
  const once = connect(address, { max: 1, name: 'sparechange bench' });
  for (const file of files) await once.unsafe(file);
  await once.end();
  return address;
}

/** Returns the texts that a method of a Python class hands to its cursor, in their order. Throws where there is none. */
export function statementsIn(python: string, method: string): string[] {
  const [, body = ''] = python.split(new RegExp(`^ {4}def ${method}\\(.*$`, 'm'));
  const [own = ''] = body.split(/^ {4}(?:def |@)/m);
  const texts = [...own.matchAll(/cursor\.(?:run|all)\(\s*(?:"""([\s\S]*?)"""|"([^"\n]*)")/g)];
  if (texts.length === 0) throw new Error(`${method} of the peer runs no statement.`);
  return texts.map(([, long, short]) => long ?? short ?? '');
}
