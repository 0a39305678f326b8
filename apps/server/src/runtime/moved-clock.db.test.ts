import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Config, parseConfig } from '#config/config.ts';
import { grantProductRole } from '#db/product-role.ts';
import { StartProblem } from '#errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { openRuntime } from './compose.ts';

const database = ownDatabase();
const role = 'product_with_clock';
let dataDir: string;
let config: Config;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'moved-clock-'));
  await database.rows.unsafe(`create role ${role} login password 'product'`);
  await grantProductRole(database.pool, role);
  config = parseConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url.replace(/\/\/[^@]+@/, `//${role}:product@`),
    DATABASE_OWNER_URL: database.url,
    BUCKETS: String(database.pool.scope.buckets),
  });
});
afterAll(async () => {
  await database.rows.unsafe(`drop owned by ${role}; drop role ${role}`);
  await rm(dataDir, { recursive: true });
});

const moveClock = (days: number) => database.rows`update product_clock set offset_ms = ${days * 86_400_000}`;
/** Opens a process and returns its clock's lead in days. */
async function opens(isProduction: boolean): Promise<number> {
  const runtime = await openRuntime({ ...config, isProduction }, 'ops');
  const daysAhead = (runtime.clock.now().getTime() - Date.now()) / 86_400_000;
  await runtime.close();
  return daysAhead;
}

test('production refuses a database whose clock was moved, and nothing else does', async () => {
  await moveClock(12);
  await expect(opens(true)).rejects.toThrow(StartProblem);
  await expect(opens(true)).rejects.toThrow('moved by 288 hours; debits would be taken on wrong days');
  expect(await opens(false)).toBeCloseTo(12, 1);
  await moveClock(0);
  expect(await opens(true)).toBeCloseTo(0, 1);
});
