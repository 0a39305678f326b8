import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedDatabase, startEmbedded, withoutFsync } from '#db/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    /** The addresses of each PostgreSQL, the first one included. */
    serverUrls: string[];
  }
}

/** Starts PostgreSQL for databases of tests; twice where their buckets are on several servers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folders: string[] = [];
  const databases: EmbeddedDatabase[] = [];
  for (let count = Math.max(1, Number(process.env.TEST_SERVERS ?? 1)); count > 0; count -= 1) {
    const folder = await mkdtemp(join(tmpdir(), 'sparechange-test-'));
    folders.push(folder);
    databases.push(await startEmbedded(folder, withoutFsync));
  }
  const urls = databases.map(({ ownerUrl }) => ownerUrl);
  project.provide('serverUrl', urls[0] ?? '');
  project.provide('serverUrls', urls);
  return async () => {
    for (const database of databases) await database.release();
    for (const folder of folders) await rm(folder, { recursive: true });
  };
}
