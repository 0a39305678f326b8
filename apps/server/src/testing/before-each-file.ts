import { setExtraClosedDays } from '@sparechange/domain/banking-calendar';
import { beforeAll, vi } from 'vitest';
import { traceWith } from '#ports/spans.ts';

// Files of database tests share a process and its modules: what a module keeps is put back before each file.

beforeAll(() => {
  setExtraClosedDays([]);
  traceWith(undefined);
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
