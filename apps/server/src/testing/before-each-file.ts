import { setExtraClosedDays } from '@sparechange/domain/banking-calendar';
import { beforeAll } from 'vitest';

// Files of database tests share a process and its modules: what a module keeps is put back before each file.

beforeAll(() => {
  setExtraClosedDays([]);
});
