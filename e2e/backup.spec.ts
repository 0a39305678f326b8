import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { aPlace, runOps, startProduct, stopProduct, untilReady } from './product.ts';

const demo = 'demo@sparechange.example';

interface Shown {
  balances: Record<string, number>;
}

test('a copy of a stopped data folder, keys included, is the same product elsewhere', async () => {
  const env = { PAYMENTS: 'direct-entry', DIRECT_ENTRY_LODGING: 'by-operator' };
  const first = { ...(await aPlace()), env };
  const program = startProduct(first);
  await untilReady(program);
  await runOps(first, 'sandbox', 'purchase', '--supporter', demo, '--amount', '4.35');
  await runOps(first, 'sync', '--supporter', demo);
  await runOps(first, 'debit-run', '--force');
  const before = await runOps<Shown>(first, 'supporter', 'show', demo);
  expect(await stopProduct(program)).toBe(0);

  const second = { ...(await aPlace()), env };
  // As docs/going-live.md says: with owners and modes, and what a link in it leads to.
  await promisify(execFile)('cp', ['-aL', `${first.dataDir}/.`, second.dataDir]);
  const restored = startProduct(second);
  await untilReady(restored);
  expect(await runOps(second, 'audit')).toMatchObject({ violations: [] });
  const after = await runOps<Shown>(second, 'supporter', 'show', demo);
  expect(after.balances).toEqual(before.balances);

  // The keys came along: a sealed account number still reads, and a password still opens a session.
  expect((await runOps<{ files: unknown[] }>(second, 'direct-entry', 'write')).files).toHaveLength(1);
  const home = `http://localhost:${second.port}`;
  const { identity } = await (await fetch(`${home}/config.json`)).json();
  const signIn = await fetch(
    `${home}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=${identity.apiKey}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: demo, password: 'spare-change-demo', returnSecureToken: true }),
    },
  );
  expect(signIn.status).toBe(200);
  expect(await stopProduct(restored)).toBe(0);
});
