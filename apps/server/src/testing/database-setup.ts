import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded, withoutFsync } from '#db/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
  }
}

/** Starts PostgreSQL for databases of tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-test-'));
  const database = await startEmbedded(folder, withoutFsync);
  project.provide('serverUrl', database.ownerUrl);
  return async () => {
    await database.release();
    await rm(folder, { recursive: true });
  };
}
