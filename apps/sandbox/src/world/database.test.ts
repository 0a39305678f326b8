import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';

test('the file of the sandbox is readable by its owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-file-'));
  const database = openDatabase(join(folder, 'sandbox.sqlite'));
  database.run('create table if not exists kept (id integer)');
  database.run('insert into kept values (1)');
  expect((await stat(join(folder, 'sandbox.sqlite'))).mode & 0o777).toBe(0o600);
  database.close();
  await rm(folder, { recursive: true });
});
