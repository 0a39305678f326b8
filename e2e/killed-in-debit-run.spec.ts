import { expect, test } from '@playwright/test';
import { aPlace, type Place, runOps, startOps, startProduct, stopProduct, untilReady } from './product.ts';

const supporters = 24;

interface SandboxPayment {
  idempotencyKey: string;
  amountCents: number;
  contactId: string;
}

const control = (place: Place, path: string) => `http://localhost:${place.port + 1}/control${path}`;

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('killing the server in the middle of a debit run ends with each supporter debited exactly once', async () => {
  const place = await aPlace();
  const server = startProduct(place);
  await untilReady(server);
  await runOps(place, 'sandbox', 'crowd', '--supporters', String(supporters));
  await post(control(place, '/faults'), { path: '/zepto/payment_requests', latencyMs: 250, count: 10_000 });

  const run = startOps(place, 'debit-run', '--force');
  await expect
    .poll(async () => ((await (await fetch(control(place, '/payments'))).json()) as unknown[]).length)
    .toBeGreaterThan(3);
  server.child.kill('SIGKILL');
  await server.ended;
  expect(await run.ended).toBe(1);

  const again = startProduct(place);
  await untilReady(again);
  await fetch(control(place, '/faults'), { method: 'DELETE' });
  await runOps(place, 'debit-run', '--force');

  const payments = (await (await fetch(control(place, '/payments'))).json()) as SandboxPayment[];
  const payers = payments.map((payment) => payment.contactId);
  expect(new Set(payers).size).toBe(payers.length);
  expect(payments.length).toBeGreaterThanOrEqual(supporters);
  const audit = await runOps<{ violations: string[] }>(place, 'audit');
  expect(audit.violations).toEqual([]);
  expect(await stopProduct(again)).toBe(0);
});
