import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '#db/connect.ts';
import { startEmbedded, withoutFsync } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateUrl: string;
  }
}

/** Starts one PostgreSQL with a migrated template that tests copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-test-'));
  const database = await startEmbedded(dataDir, withoutFsync);
  const end = async () => {
    await database.release();
    await rm(dataDir, { recursive: true });
  };
  try {
    project.provide('templateUrl', await makeTemplate(database.ownerUrl));
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

async function makeTemplate(url: string): Promise<string> {
  const admin = connect(url, { max: 1 });
  await admin`create database template_sparechange`.finally(() => admin.end());
  const templateUrl = url.replace(/\/[^/]+$/, '/template_sparechange');
  const template = connect(templateUrl, { max: 1 });
  await migrate(template).finally(() => template.end());
  return templateUrl;
}
