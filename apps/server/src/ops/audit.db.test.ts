import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { whileTableFails } from '#testing/disturbed-buckets.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase(4, { isJoined: false });
const ops = opsOn(() => database);

test.each([[], ['--changes']])(
  'an audit continues past a bucket that it cannot read, lists it, and fails: %j',
  async (...options) => {
    await whileTableFails(database.pool.inBuckets()[3], 'ledger_entries', async () => {
      const { code, said } = await ops('audit', ...options);
      expect(code).toBe(1);
      expect(said).toMatch(/bucket_03.* not audited.*: relation "ledger_entries" does not exist/);
      expect(said).toContain('what clubs owe was not read: relation "ledger_entries" does not exist');
      expect(said).toMatch(/ transfers sum to zero\n/);
      expect(said).toContain('checkpoint of the audit log: ');
    });
    expect(await ops('audit', ...options)).toMatchObject({ code: 0, said: expect.stringContaining('0 violations') });
  },
);
