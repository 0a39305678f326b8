import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase(4, { isJoined: false });
const ops = opsOn(() => database);

test.each(['plan-debits', 'submit-debits', 'dashboard', 'history'])('the plan of %s is shown', async (read) => {
  const { email } = await aSupporter(database.pool);
  const { code, said } = await ops('explain', read, '--supporter', email, '--json');
  expect(code).toBe(0);
  const plans = JSON.parse(said) as { statement: string; plan: string }[];
  expect(plans.length).toBeGreaterThan(0);
  for (const { statement, plan } of plans) {
    expect(statement).toMatch(/^(select|with)\b/);
    expect(plan).toMatch(/cost=/);
    expect(plan).not.toContain('actual time');
  }
  const analyzed = await ops('explain', read, '--analyze');
  expect(analyzed).toMatchObject({ code: 0, said: expect.stringContaining('actual time') });
});

test('an unknown read is refused with those that there are', async () => {
  const { code, said } = await ops('explain', 'everything');
  expect(code).toBe(1);
  expect(said).toContain('plan-debits, submit-debits, dashboard, history');
});
