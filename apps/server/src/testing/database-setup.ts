import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateUrl: string;
  }
}

/** One PostgreSQL for the whole test run, with a migrated template that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-test-'));
  const database = await startEmbedded(dataDir, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' });
  const admin = connect(database.url, { max: 1 });
  await admin`create database template_sparechange`;
  await admin.end();
  const templateUrl = database.url.replace(/\/[^/]+$/, '/template_sparechange');
  const template = connect(templateUrl, { max: 1 });
  await migrate(template);
  await template.end();
  project.provide('templateUrl', templateUrl);
  return async () => {
    await database.release();
    await rm(dataDir, { recursive: true });
  };
}
