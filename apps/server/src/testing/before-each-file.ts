import { setExtraClosedDays } from '@sparechange/domain/banking-calendar';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { traceWith } from '#ports/spans.ts';
import { readRefused, watchStatements } from './watched-statements.ts';

// Files of database tests share a process and its modules: what a module keeps is put back before each file.

watchStatements();

beforeAll(() => {
  setExtraClosedDays([]);
  traceWith(undefined);
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** On a cluster, the engine itself refuses. */
afterAll(async () => {
  if (!process.env.CITUS_URL) expect(await readRefused()).toEqual([]);
});
